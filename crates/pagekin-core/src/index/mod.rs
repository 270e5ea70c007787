//! The index as it is read: mapped tables, rows of them, and how I is made of H.

mod bag;
mod invert;
mod lexicon;
mod mapped;
mod sealed;
mod shard;
mod sums;

pub use bag::{overlap_of, score, Bag};
pub use invert::{invert, Inverse};
pub use lexicon::Lexicon;
pub use mapped::MappedTable;
pub use sealed::{Fault, SealedFile};
pub use shard::{Card, Shard, Window};
pub use sums::{checksums, Sums, SECTOR};
