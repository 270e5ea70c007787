//! From crawl files to captures, in two phases so that threads can share one file.
//!
//! 1. Serial, under a lock held by the caller: [`CrawlReader::fill`] inflates and frames
//!    the next records straight into a reusable [`Batch`]. Records whose type rules them
//!    out are counted in [`CrawlReader::skips`] and dropped.
//! 2. Parallel, by the owner of the batch: [`Record::decode`] turns a record into a
//!    [`Capture`], or into the [`Skip`] that gives the reason why not.
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
//! Invariants: every record is either returned or counted once. [`Limits`] bound the
//! memory, never a length that the input claims. Every byte of input is inflated at most
//! a constant number of times, however damaged the input is.

mod containers;
mod decode;
mod error;
mod framing;
#[cfg(test)]
pub(crate) mod fuzzing;
mod inflate;
mod media;
mod read_back;
mod reader;
mod record_start;
mod skips;
mod source;

pub use decode::{ArchivedRecord, Capture, CaptureKind, Listing, Redirect, Scratch};
pub use error::CrawlError;
pub use framing::{Batch, Record};
pub use media::MediaType;
pub use read_back::{read_back, RecordPlace, StoredRecord};
pub use reader::CrawlReader;
pub use skips::{Skip, Skips};
pub use source::Source;

/// How much of one record is accepted; larger records are skipped as too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest record block, in bytes.
    pub record: u64,
    /// Largest decoded body, in bytes.
    pub body: u64,
    /// Largest block of header lines, in bytes.
    pub header: usize,
    /// Longest URL, in bytes.
    pub url: usize,
    /// Captures fetched after this second since 1970 are not read; captures without a date are.
    pub as_of: Option<i64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: 64 << 20,
            body: 16 << 20,
            header: 64 << 10,
            url: 8 << 10,
            as_of: None,
        }
    }
}

#[cfg(test)]
mod tests;
