//! Sorting, ranking and selecting: linear-time algorithms for hashes and small integers.

mod bitset;
mod buckets;
mod ranks;
mod top_k;
mod transpose;

pub use bitset::{Bitset, BitsetWriter};
pub use buckets::{counting_sort, sort_by_hash};
pub use ranks::Ranks;
pub use top_k::TopK;
pub use transpose::{starts, transpose};
