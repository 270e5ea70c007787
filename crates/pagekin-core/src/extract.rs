//! Sources to runs: the first stage of a build, by any number of threads.
//!
//! Every thread calls [`extract`] with the same [`Queue`]. A thread takes the next source for
//! itself while there is one, then helps with a source that another has open (work sharing).
//! Threads share one decompressor a source.

mod open;
mod queue;
mod runs;
mod stored_pages;

use std::io;
use std::sync::atomic::Ordering;

use self::open::{Load, OpenSource, ReadTally};
pub use self::queue::{Queue, Share};
use self::runs::RunWriter;
pub use self::stored_pages::{extract_stored, ExtractError, StoredPages};
use crate::crawl::{CrawlError, Limits, Scratch, Skip, Skips};
use crate::pages::{Document, HeldOut, Origin, PageParser, ParseOutcome};
use crate::spill::{SpillSource, SpillStore};
use crate::strategy::Strategy;

/// How runs are cut and where they go.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where runs go.
    pub store: SpillStore,
    /// There are `2^bits` partitions.
    pub bits: u32,
    /// A run is written when its pages hold about this many bytes.
    pub run_bytes: usize,
    /// What is accepted of a record.
    pub limits: Limits,
}

/// A run of fragments, or a block of pages.
#[derive(Debug)]
pub struct RunLocation {
    /// Where it is.
    pub source: SpillSource,
    /// Where each partition's block ends.
    pub ends: Vec<u64>,
}

/// The work of one thread.
#[derive(Debug, Default)]
pub struct ExtractSummary {
    /// The runs written.
    pub runs: Vec<RunLocation>,
    /// Records decoded, whether or not they became pages.
    pub captures: u64,
    /// Pages parsed.
    pub pages: u64,
    /// Pages read through their tree.
    pub trees: u64,
    /// Pages nested too deeply for a tree.
    pub too_deep: u64,
    /// Pages that the crawler cut short.
    pub truncated: u64,
    /// Links past the limits of their page.
    pub links_left_out: u64,
    /// Pages cut at the limit of distinct words.
    pub pages_cut: u64,
    /// What was left out of the evidence to judge it by.
    pub held_out: HeldOut,
    /// Records that became no page.
    pub skips: Skips,
    /// Files that could not be read, or not to their end.
    pub failures: Vec<CrawlError>,
}

/// What is written of the pages.
#[derive(Clone, Copy)]
pub enum Product<'a> {
    /// Their evidence by a strategy, as runs.
    Runs(&'a Strategy),
    /// The pages themselves, for strategies yet to come.
    Blocks,
    /// Nothing: their evidence is made and dropped, to see what that takes.
    #[cfg(feature = "bench")]
    Nothing(&'a Strategy),
}

/// Works on the queue until it is empty.
pub fn extract(
    queue: &Queue,
    product: Product<'_>,
    settings: &Settings,
) -> io::Result<ExtractSummary> {
    let mut worker = Worker::new(queue, product, settings);
    while let Some(source) = queue.turn(&settings.limits, &mut worker.runs.done.failures) {
        while !queue.cancelled.load(Ordering::Relaxed) && worker.take(&source) {
            worker.parse()?;
        }
        queue.close(&source);
        if queue.cancelled.load(Ordering::Relaxed) {
            break;
        }
    }
    worker.runs.finish()
}

struct Worker<'a> {
    queue: &'a Queue,
    limits: &'a Limits,
    load: Load,
    scratch: Scratch,
    runs: RunWriter<'a>,
}

impl<'a> Worker<'a> {
    fn new(queue: &'a Queue, product: Product<'a>, settings: &'a Settings) -> Self {
        let parser = PageParser::holding_out(queue.hold_out);
        Self {
            queue,
            limits: &settings.limits,
            load: Load::default(),
            scratch: Scratch::default(),
            runs: RunWriter::new(parser, &queue.next_run, product, settings),
        }
    }

    /// Takes the next records of a source; false when it has no more.
    fn take(&mut self, source: &OpenSource) -> bool {
        let mut tally = ReadTally::default();
        let taken = source.take(&mut self.load, &mut tally);
        if self.queue.share.counts() {
            self.queue.bytes.fetch_add(tally.bytes, Ordering::Relaxed);
            let done = &mut self.runs.done;
            done.skips.add(&tally.skips);
            done.failures.append(&mut tally.failures);
        }
        taken
    }

    fn parse(&mut self) -> io::Result<()> {
        let load = std::mem::take(&mut self.load);
        let mut scratch = std::mem::take(&mut self.scratch);
        let runs = &mut self.runs;
        for (number, record) in (load.first..).zip(load.batch.records()) {
            if !self.queue.share.has(number) {
                continue;
            }
            if record.is_later(self.limits) {
                runs.done.skips.count(Skip::Later);
                continue;
            }
            if let Some(listed) = record.listing(self.limits, &mut scratch) {
                runs.list(&listed, load.file(listed.file));
            }
            runs.done.captures += u64::from(record.is_response());
            let capture = match record.decode(self.limits, &mut scratch) {
                Ok(capture) => capture,
                Err(skip) => {
                    runs.done.skips.count(skip);
                    if let Some(redirect) = record.redirect(self.limits) {
                        runs.parser.add_redirect(redirect.url, redirect.location);
                    }
                    runs.write_if_full()?;
                    continue;
                }
            };
            let origin = Origin {
                file: runs.file(load.file(capture.file)),
                offset: capture.offset,
                date: capture.date,
            };
            let document = Document {
                url: capture.url,
                folder: capture.folder,
                media: capture.media,
                charset: capture.charset,
                language: capture.language,
                body: capture.body,
            };
            match runs.parser.add(document, origin) {
                Ok(reading) => {
                    runs.done.pages += 1;
                    runs.done.truncated += u64::from(capture.truncated);
                    runs.done.trees += u64::from(reading == ParseOutcome::Tree);
                    runs.done.too_deep += u64::from(reading == ParseOutcome::TooDeep);
                }
                Err(skip) => runs.done.skips.count(skip),
            }
            runs.write_if_full()?;
        }
        self.load = load;
        self.scratch = scratch;
        Ok(())
    }
}
