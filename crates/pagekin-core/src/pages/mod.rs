//! Captures to pages: the title, the words, the anchors and the breaks.
//!
//! The [`parser`] chooses a reader by the media type. For HTML, the [`lexer`] turns bytes into
//! tokens. [`stream`] reads most pages in one pass over them, which is right as long as a browser's
//! tree would hold the words in the order of the bytes. Where that is uncertain (text that a table
//! pushes out, anchors cut by blocks, …) it gives up, and [`tree`] reads the page again through a
//! browser's tree construction. Both hand what they read to [`builder`], which alone decides what a
//! word, an anchor or a break is.

#[cfg(test)]
mod agreement;
mod block;
mod builder;
mod charset;
mod declaration;
#[cfg(test)]
pub(crate) mod fuzzing;
mod layout;
mod lexer;
mod pack;
mod parser;
mod stream;
mod tags;
mod targets;
#[cfg(test)]
mod tests;
mod tree;

pub use block::{breaks, Anchor, Break, PageBlock, PageView};
pub use builder::{HeldOut, HoldOut, StoredPage, MAX_LINKS};
pub use charset::decode_body;
pub use layout::{pack_anchors, pack_breaks};
pub use pack::{pack_block, unpack_block};
pub use parser::{Document, Origin, PageParser, ParseOutcome};
