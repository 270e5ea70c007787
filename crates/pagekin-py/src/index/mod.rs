//! Files of an index: their checksums, and the tables that are made of others.

mod inverted;
mod sketches;
mod texts;
mod verified;

pub use inverted::PyWeightedPostingsBuilder;
pub use sketches::{invert, sketch};
pub use texts::PyTextWriter;
pub use verified::{checksums, PyFileChecksums, PyVerifiedFile, PyVerifiedTable};
