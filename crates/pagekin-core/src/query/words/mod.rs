//! Questions in words: which words of a text matter, and where pages have them.

mod bm25f;
mod fields;
mod phrases;
mod reduction;

pub use bm25f::{Bm25f, Bm25fParams, WeightedTerm};
pub use fields::FieldCounts;
pub use phrases::PhraseMatcher;
pub use reduction::{QueryWords, WordPair};
