//! Files of an index: their checksums, and the tables that are made of others.

mod bags;
mod compressed;
mod inverted;
mod packed;
mod sketches;
mod verified;

pub use bags::{PyBagPacker, PyTermCollector};
pub use compressed::PyCompressedWriter;
pub use inverted::PyWeightedPostingsBuilder;
pub use packed::{pack, unpack};
pub use sketches::{invert, sketch};
pub use verified::{checksums, PyFileChecksums, PyVerifiedFile, PyVerifiedTable};
