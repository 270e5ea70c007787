//! Questions in words: which words of a text matter, and where pages have them.

mod fields;
mod phrases;
mod reduction;

pub use fields::{FieldCounts, FieldLengths};
pub use phrases::PhraseMatcher;
pub use reduction::{QueryWords, WordPair};
