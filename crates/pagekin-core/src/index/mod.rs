//! The index as it is read: mapped tables, rows of them, and how I is made of H.

mod bag;
mod invert;
mod lexicon;
mod mapped;
mod shard;

pub use bag::{overlap_of, score, Bag};
pub use invert::{invert, Inverse};
pub use lexicon::Lexicon;
pub use mapped::{Fault, MappedTable};
pub use shard::{sketch_in, Card, Shard, Window};
