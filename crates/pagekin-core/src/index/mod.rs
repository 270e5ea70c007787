//! The index as it is read (verified tables, shard by shard), and how its inverted tables are made.

mod batch;
mod checksums;
mod compressed;
mod interpolation;
mod invert;
mod lexicon;
mod postings;
mod shard;
mod stored;
mod table;
mod texts;
mod verified;
mod word_postings;

pub use checksums::{BlockChecksums, FileChecksums, BLOCK};
pub use compressed::CompressedWriter;
pub use invert::{invert, InvertedSketches};
pub use lexicon::Lexicon;
pub use postings::{
    Segment, UnverifiedPostings, WeightedPostings, WeightedPostingsBuilder, FEW_BAGS,
};
pub use shard::{LinkWindow, PageInlinks, PageMeta, Shard, SketchPosition, PAGE_COLUMNS};
pub use stored::{StoredRow, StoredShard};
pub use table::MappedTable;
pub use texts::{PageText, TEXT_ROWS};
pub use verified::{TableError, Unverified, VerifiedFile};
pub use word_postings::{TermPostings, WordPostings};
