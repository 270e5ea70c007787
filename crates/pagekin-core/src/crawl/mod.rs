//! From crawl files to captures, in two phases so that threads can share one file.
//!
//! 1. Serial, under a lock of the caller: [`CrawlReader::fill`] inflates and frames
//!    the next records straight into a reusable [`Batch`]. Records that their type
//!    already rules out are counted in [`CrawlReader::skips`] and not kept.
//! 2. Parallel, by whoever owns the batch: [`Record::decode`] turns a record into
//!    a [`Capture`] or into the [`Skip`] that says why it is none.
//!
//! ```no_run
//! use pagekin_core::crawl::{Batch, CrawlReader, Limits, Scratch, Skips, Source};
//! # fn main() -> Result<(), pagekin_core::crawl::CrawlError> {
//! let limits = Limits::default();
//! let mut reader = CrawlReader::open(&Source::File("crawl.warc.gz".into()), &limits)?;
//! let (mut batch, mut scratch, mut skips) = (Batch::default(), Scratch::default(), Skips::default());
//! while reader.fill(&mut batch)? {
//!     for record in batch.records() {
//!         match record.decode(&limits, &mut scratch) {
//!             Ok(capture) => println!("{} {}", capture.url, capture.body.len()),
//!             Err(skip) => skips.count(skip),
//!         }
//!     }
//! }
//! skips.add(reader.skips());
//! # Ok(())
//! # }
//! ```
//!
//! The invariant: every record met is either handed on or counted once. Memory is
//! bounded by [`Limits`], never by a length that the input claims; every byte of
//! input is inflated a constant number of times at most, however it is damaged.

mod containers;
mod decode;
mod error;
mod framing;
mod inflate;
mod reader;
mod record_start;
mod skips;
mod source;

pub use decode::{Capture, Scratch};
pub use error::CrawlError;
pub use framing::{Batch, Record};
pub use reader::CrawlReader;
pub use skips::{Skip, Skips};
pub use source::Source;

/// How much of one record is accepted; what exceeds it is skipped as too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest record block, in bytes.
    pub record: u64,
    /// Largest body after every encoding is undone, in bytes.
    pub body: u64,
    /// Largest block of header lines, in bytes.
    pub header: usize,
    /// Longest URL, in bytes.
    pub url: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: 64 << 20,
            body: 16 << 20,
            header: 64 << 10,
            url: 8 << 10,
        }
    }
}

#[cfg(test)]
mod tests;
