//! The index as it is read: mapped tables, rows of them, how I is made of H, and holders of bags.

mod bag;
mod guess;
mod heaviest;
mod hold;
mod invert;
mod lexicon;
mod mapped;
mod sealed;
mod shard;
mod sums;

pub use bag::{overlap_of, score, Bag};
pub use guess::first_at_least;
pub use heaviest::Heaviest;
pub use hold::{Holders, FEW_BAGS};
pub use invert::{invert, Inverse};
pub use lexicon::Lexicon;
pub use mapped::MappedTable;
pub use sealed::{Fault, SealedFile};
pub use shard::{Card, Held, Shard, Window};
pub use sums::{checksums, Sums, SECTOR};
