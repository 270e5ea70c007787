//! Files of an index: their checksums, and the tables that are made of others.

mod inverted;
mod verified;

pub use inverted::{invert, PyWeightedPostingsBuilder};
pub use verified::{checksums, PyFileChecksums, PyVerifiedFile, PyVerifiedTable};
