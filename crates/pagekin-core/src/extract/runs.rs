//! Writing the runs of one thread, each when its pages fill the memory for it.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{ExtractSummary, Product, RunLocation, Settings};
use crate::columns::Column;
use crate::crawl::Listing;
use crate::fragments::{write_run, CaptureList};
use crate::pages::{pack_block, PageParser};
use crate::spill::SpillWriter;

/// The pages of the run under way, and what the thread has done.
pub(super) struct RunWriter<'a> {
    pub(super) parser: PageParser,
    pub(super) done: ExtractSummary,
    next: &'a AtomicU32,
    product: Product<'a>,
    settings: &'a Settings,
    /// All captures, pages or not.
    listed: CaptureList,
    /// Names of the run's files, and their numbers.
    files: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl<'a> RunWriter<'a> {
    /// Runs of the parser's pages, numbered from `next` on.
    pub(super) fn new(
        parser: PageParser,
        next: &'a AtomicU32,
        product: Product<'a>,
        settings: &'a Settings,
    ) -> Self {
        Self {
            parser,
            done: ExtractSummary::default(),
            next,
            product,
            settings,
            listed: CaptureList::default(),
            files: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// The run's number for a file. Most pages come from the file of the page before.
    pub(super) fn file(&mut self, name: &str) -> u32 {
        let last = self.files.len() as u32;
        if self.files.last().is_some_and(|last| last == name) {
            return last - 1;
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.files.push(name.to_owned());
        self.numbers.insert(name.to_owned(), last);
        last
    }

    /// Lists a capture, for an index that is to know all of them.
    pub(super) fn list(&mut self, listed: &Listing<'_>, file: &str) {
        if matches!(self.product, Product::Runs(_)) {
            self.listed.push(listed, file);
        }
    }

    /// Writes the run under way if it fills its memory.
    pub(super) fn write_if_full(&mut self) -> io::Result<()> {
        let held = self.parser.bytes_held() + self.listed.bytes_held();
        if held > self.settings.run_bytes {
            self.write()?;
        }
        Ok(())
    }

    /// Writes the last run, and tells what was done.
    pub(super) fn finish(mut self) -> io::Result<ExtractSummary> {
        self.write()?;
        self.done.links_left_out = self.parser.links_left_out();
        self.done.pages_cut = self.parser.pages_cut();
        self.done.held_out = self.parser.take_held_out();
        Ok(self.done)
    }

    /// Writes the run under way, if there is anything in it.
    fn write(&mut self) -> io::Result<()> {
        if self.parser.block().is_empty() && self.listed.is_empty() {
            return Ok(());
        }
        let run = self.next.fetch_add(1, Ordering::Relaxed);
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
        self.numbers.clear();
        Ok(())
    }
}
