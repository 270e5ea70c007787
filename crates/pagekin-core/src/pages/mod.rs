//! HTML to pages: the title, the words, the anchors and the breaks.
//!
//! A document is read once. [`tokens`] reads it as a stream of tokens, which is
//! right as long as the page is nested well enough that a browser's tree would
//! hold the words in the order of the bytes; where it is not (text that a table
//! pushes out, anchors cut by blocks, …) it stops, and [`tree`] reads the page
//! again through a browser's tree construction. Both speak to [`builder`], so
//! what a word, an anchor or a break is stands in one place.

mod arena;
mod block;
mod builder;
mod cursor;
mod encoding;
mod feed;
mod nodes;
mod pack;
mod parser;
mod plain;
mod sentence;
mod tags;
mod targets;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

pub use block::{breaks, Anchor, Break, PageBlock, PageView};
pub use builder::MOST_LINKS;
pub use pack::{pack_block, unpack_block};
pub use parser::{Origin, PageParser, Reading};
