//! Files of an index: their checksums, and the tables that are made of others.

mod compressed;
mod inverted;
mod sketches;
mod verified;

pub use compressed::PyCompressedWriter;
pub use inverted::PyWeightedPostingsBuilder;
pub use sketches::{invert, sketch};
pub use verified::{checksums, PyFileChecksums, PyVerifiedFile, PyVerifiedTable};
