//! Framing: from inflated bytes to records in a batch, without trusting their lengths.

mod batch;
mod framer;
mod lookahead;
mod recover;

pub(super) use batch::RecordRange;
pub use batch::{Batch, Record};
pub(super) use framer::{Framer, FramingError, BATCH};
