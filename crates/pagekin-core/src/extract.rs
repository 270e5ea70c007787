//! Sources to runs: the first stage of a build, by any number of threads.
//!
//! Every thread calls [`extract`] with the same [`Queue`]. A thread takes the next source for
//! itself while there is one, then helps with a source that another has open (work sharing).
//! Threads share one decompressor a source.

mod open;
mod queue;

use std::io;
use std::sync::atomic::Ordering;

use self::open::{Load, OpenSource, ReadTally};
pub use self::queue::{Queue, Share};
use crate::columns::Column;
use crate::crawl::{CrawlError, Limits, Record, Scratch, Skip, Skips};
use crate::fragments::{write_run, CaptureList};
use crate::pages::{pack_block, Document, HeldOut, Origin, PageParser, Reading};
use crate::spill::{SpillSource, SpillStore, SpillWriter};
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

/// What one thread has done.
#[derive(Debug, Default)]
pub struct Extracted {
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
pub fn extract(queue: &Queue, product: Product<'_>, settings: &Settings) -> io::Result<Extracted> {
    let mut worker = Worker::new(queue, product, settings);
    while let Some(source) = queue.turn(&settings.limits, &mut worker.done.failures) {
        while !queue.cancelled.load(Ordering::Relaxed) && worker.take(&source) {
            worker.parse()?;
        }
        queue.close(&source);
        if queue.cancelled.load(Ordering::Relaxed) {
            break;
        }
    }
    worker.write()?;
    worker.done.links_left_out = worker.parser.links_left_out();
    worker.done.pages_cut = worker.parser.pages_cut();
    worker.done.held_out = worker.parser.take_held_out();
    Ok(worker.done)
}

struct Worker<'a> {
    queue: &'a Queue,
    product: Product<'a>,
    settings: &'a Settings,
    load: Load,
    scratch: Scratch,
    parser: PageParser,
    /// All captures, pages or not.
    listed: CaptureList,
    /// Names of the run's files.
    files: Vec<String>,
    done: Extracted,
}

impl<'a> Worker<'a> {
    fn new(queue: &'a Queue, product: Product<'a>, settings: &'a Settings) -> Self {
        Self {
            queue,
            product,
            settings,
            load: Load::default(),
            scratch: Scratch::default(),
            parser: PageParser::holding_out(queue.hold_out),
            listed: CaptureList::default(),
            files: Vec::new(),
            done: Extracted::default(),
        }
    }

    /// Takes the next records of a source; false when it has no more.
    fn take(&mut self, source: &OpenSource) -> bool {
        let mut tally = ReadTally::default();
        let taken = source.take(&mut self.load, &mut tally);
        if self.queue.share.counts() {
            self.queue.bytes.fetch_add(tally.bytes, Ordering::Relaxed);
            self.done.skips.add(&tally.skips);
            self.done.failures.append(&mut tally.failures);
        }
        taken
    }

    fn parse(&mut self) -> io::Result<()> {
        let load = std::mem::take(&mut self.load);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut pages = 0;
        for (number, record) in (load.first..).zip(load.batch.records()) {
            if !self.queue.share.has(number) {
                continue;
            }
            if record.is_later(&self.settings.limits) {
                self.done.skips.count(Skip::Later);
                continue;
            }
            self.list(&record, &load, &mut scratch);
            self.done.captures += u64::from(record.is_response());
            let capture = match record.decode(&self.settings.limits, &mut scratch) {
                Ok(capture) => capture,
                Err(skip) => {
                    self.done.skips.count(skip);
                    if let Some(redirect) = record.redirect(&self.settings.limits) {
                        self.parser.add_redirect(redirect.url, redirect.location);
                    }
                    self.write_if_full()?;
                    continue;
                }
            };
            let file = self.file(load.file(capture.file));
            let document = Document {
                url: capture.url,
                folder: capture.folder,
                media: capture.media,
                charset: capture.charset,
                language: capture.language,
                body: capture.body,
            };
            let origin = Origin {
                file,
                offset: capture.offset,
                date: capture.date,
            };
            match self.parser.add(document, origin) {
                Ok(reading) => {
                    pages += 1;
                    self.done.truncated += u64::from(capture.truncated);
                    self.done.trees += u64::from(reading == Reading::Tree);
                    self.done.too_deep += u64::from(reading == Reading::TooDeep);
                }
                Err(skip) => self.done.skips.count(skip),
            }
            self.write_if_full()?;
        }
        self.done.pages += pages;
        self.load = load;
        self.scratch = scratch;
        Ok(())
    }

    /// Lists a capture, for an index that is to know all of them.
    fn list(&mut self, record: &Record<'_>, load: &Load, scratch: &mut Scratch) {
        if !matches!(self.product, Product::Runs(_)) {
            return;
        }
        if let Some(listed) = record.listing(&self.settings.limits, scratch) {
            self.listed.push(&listed, load.file(listed.file));
        }
    }

    fn write_if_full(&mut self) -> io::Result<()> {
        let held = self.parser.bytes_held() + self.listed.bytes_held();
        if held > self.settings.run_bytes {
            self.write()?;
        }
        Ok(())
    }

    /// The run's number for a file. They come one after another, but for what was left to others.
    fn file(&mut self, name: &str) -> u32 {
        if self.files.last().is_none_or(|last| last != name) {
            self.files.push(name.to_owned());
        }
        self.files.len() as u32 - 1
    }

    /// Writes the run under way, if there is anything in it.
    fn write(&mut self) -> io::Result<()> {
        if self.parser.block().is_empty() && self.listed.is_empty() {
            return Ok(());
        }
        let run = self.queue.next_run.fetch_add(1, Ordering::Relaxed);
        let source = self.settings.store.file(&format!("{run:06}.run"));
        let mut out = SpillWriter::with_capacity(&source, self.parser.bytes_held());
        let block = self.parser.block();
        match self.product {
            Product::Runs(strategy) => {
                let bits = self.settings.bits;
                let evidence = (block, &self.listed);
                write_run(evidence, strategy, &self.files, run, bits, &mut out)?;
            }
            Product::Blocks => {
                out.put(|bytes| pack_block(block, &self.files, bytes))?;
            }
            #[cfg(feature = "bench")]
            Product::Nothing(strategy) => {
                let bits = self.settings.bits;
                std::hint::black_box(crate::fragments::Fragments::new(block, strategy, bits));
            }
        }
        let ends = out.finish()?;
        self.done.runs.push(RunLocation { source, ends });
        self.parser.clear();
        self.listed.clear();
        self.files.clear();
        Ok(())
    }
}
