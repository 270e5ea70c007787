//! Files of an index: their checksums, and the tables that are made of others.

mod compressed;
mod inverted;
mod packed;
mod sketches;
mod verified;

pub use compressed::PyCompressedWriter;
pub use inverted::PyWeightedPostingsBuilder;
pub use packed::{pack, unpack};
pub use sketches::{invert, sketch};
pub use verified::{checksums, PyFileChecksums, PyVerifiedFile, PyVerifiedTable};
