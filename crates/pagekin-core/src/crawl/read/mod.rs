//! Phase one: from stored bytes to framed records in a batch.

mod ahead;
mod batch;
mod candidate;
mod framer;
mod gunzip;
mod input;
mod reader;
mod recover;
mod start;
mod stream;
mod unzstd;
mod whole;

pub(super) use batch::Family;
pub use batch::{Batch, Record};
pub(super) use candidate::{compression_of, compression_within, Compression};
pub(super) use gunzip::{gzip_header, GzipHeader};
pub(super) use input::{Input, FURTHEST};
pub(super) use reader::Pending;
pub use reader::Reader;
pub(super) use start::{arc_line, head_end};
pub(super) use stream::Stream;
pub(super) use unzstd::MAGIC as ZSTD_MAGIC;
