//! Spilling between stages: in memory up to a budget, then in files, as databases do for joins
//! larger than memory (Graefe 1993).
//!
//! A stage writes parts, one a partition, and learns where each ends; the next stage reads the
//! parts of its partition. On disk every frame of a part has a magic number and a checksum, which
//! are checked before it is read.

mod frame;
mod source;
mod store;
mod writer;

pub use frame::{FrameFault, Frames};
pub use source::{PartLocation, SpillError, SpillSource};
pub use store::{SpillFile, SpillStore};
pub use writer::{Parts, SpillWriter};

/// The version of the bytes that stages hand to each other, part of the magic number. It grows
/// whenever those bytes change, so that no build continues from bytes that it would misread.
pub const FORM: u8 = 8;

#[cfg(test)]
mod tests;
