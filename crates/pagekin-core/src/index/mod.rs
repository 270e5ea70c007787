//! The index as it is read (verified tables, shard by shard), and how its inverted tables are made.

mod files;
mod interpolation;
mod invert;
mod lexicon;
mod packed;
mod postings;
mod shard;
mod stored;
mod stored_bags;
mod terms;
mod texts;
mod word_postings;

pub use files::checksums::{BlockChecksums, FileChecksums, BLOCK};
pub use files::compressed::CompressedWriter;
pub use files::table::MappedTable;
pub use files::verified::{TableError, Unverified, VerifiedFile};
pub use invert::{invert, InvertedSketches};
pub use lexicon::Lexicon;
pub use packed::{
    pack_list, packed_table, BagPacker, ColumnReader, ListBlock, ListHead, ListReader, PackedTable,
    PostingColumns,
};
pub use postings::{
    Segment, UnverifiedPostings, WeightedPostings, WeightedPostingsBuilder, FEW_BAGS,
};
pub use shard::{LinkWindow, PageInlinks, PageMeta, Shard, SketchPosition, PAGE_COLUMNS};
pub use stored::{StoredRow, StoredShard};
pub use stored_bags::{PackedBag, StoredBags};
pub use terms::TermCollector;
pub use texts::{PageText, TEXT_ROWS};
pub use word_postings::WordPostings;
