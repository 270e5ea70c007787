//! The reader of a source: its files one after another, framed into batches.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;

use super::containers::{PageFile, SourceFile, SourceFiles};
use super::framing::{Batch, Framer, FramingError, RecordRange, BATCH};
use super::inflate::Input;
use super::record_start::RecordFormat;
use super::{CrawlError, Limits, Skip, Skips, Source};

/// Frames the records of one source into batches.
pub struct CrawlReader {
    limits: Limits,
    pending: VecDeque<SourceFile>,
    current: Option<Framer>,
    files: Vec<String>,
    skips: Skips,
    size: Option<u64>,
    /// Bytes of the files that were read to their end.
    passed: u64,
    error: Option<CrawlError>,
}

impl CrawlReader {
    /// Opens a source and detects its format by its first bytes.
    pub fn open(source: &Source, limits: &Limits) -> Result<Self, CrawlError> {
        let files = source.open()?;
        Ok(Self::new(files, limits))
    }

    pub(super) fn new(opened: SourceFiles, limits: &Limits) -> Self {
        Self {
            limits: *limits,
            pending: opened.files,
            current: None,
            files: Vec::new(),
            skips: opened.skips,
            size: opened.size,
            passed: 0,
            error: None,
        }
    }

    /// Replaces the contents of the batch with the next records: about 1 MiB, or one
    /// record if that is larger. False when the source is exhausted; then the batch is empty.
    ///
    /// After an error the batch is empty, and the next call goes on with the next
    /// file of the source.
    pub fn fill(&mut self, batch: &mut Batch) -> Result<bool, CrawlError> {
        batch.clear();
        while self.error.is_none() && batch.records_end() < BATCH {
            match self.add_records(batch) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => self.error = Some(error),
            }
        }
        // Records framed before the error are returned first.
        match self.error.take_if(|_| batch.is_empty()) {
            Some(error) => Err(error),
            None => Ok(!batch.is_empty()),
        }
    }

    /// Adds records of the current file, or of the next one. False when no file is left.
    fn add_records(&mut self, batch: &mut Batch) -> Result<bool, CrawlError> {
        if self.current.is_none() && !self.next_file(batch)? {
            return Ok(false);
        }
        self.fill_from_current(batch)?;
        Ok(true)
    }

    /// The files opened so far; captures refer to them by index.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// What was skipped while framing; decoding adds its own.
    pub fn skips(&self) -> &Skips {
        &self.skips
    }

    /// Stored bytes of the source read so far.
    pub fn position(&self) -> u64 {
        self.passed
            + self
                .current
                .as_ref()
                .map_or(0, |framer| framer.stream.input.offset())
    }

    /// Size of the source in stored bytes, if known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Opens the next file. False when no file is left.
    fn next_file(&mut self, batch: &mut Batch) -> Result<bool, CrawlError> {
        let Some(pending) = self.pending.pop_front() else {
            return Ok(false);
        };
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        match pending {
            SourceFile::Archive { name, size, open } => {
                self.files.push(name);
                let stream = open().inspect_err(|_| self.passed += size)?;
                self.current = Some(Framer::new(stream, self.limits, file));
            }
            SourceFile::Page(page) => {
                self.files.push(page.path.display().to_string());
                self.passed += page.size;
                self.read_page(batch, &page, file)?;
            }
            SourceFile::Failed(error) => return Err(error),
        }
        Ok(true)
    }

    fn fill_from_current(&mut self, batch: &mut Batch) -> Result<(), CrawlError> {
        let Some(framer) = &mut self.current else {
            return Ok(());
        };
        let result = framer.fill(batch);
        if matches!(result, Ok(true)) {
            return Ok(());
        }
        batch.len = batch.records_end();
        let Some(framer) = self.current.take() else {
            return Ok(());
        };
        let name = self.files.last().map_or("", String::as_str);
        let offset = framer.stream.input.offset();
        self.passed += offset;
        let no_archive = !framer.found_record && result.is_ok();
        if no_archive {
            return Err(CrawlError::no_archive(
                name,
                framer.stream.is_plain(),
                offset,
            ));
        }
        self.skips.add(&framer.skips);
        match result {
            Ok(_) => Ok(()),
            Err(FramingError::Io(error)) => Err(CrawlError::io(name, offset, &error)),
            Err(FramingError::Bomb(ratio)) => Err(CrawlError::bomb(name, offset, ratio)),
        }
    }

    fn read_page(
        &mut self,
        batch: &mut Batch,
        page: &PageFile,
        file: u32,
    ) -> Result<(), CrawlError> {
        let (name, url) = (page.path.display().to_string(), &page.url);
        let opened = File::open(&page.path).map_err(|e| CrawlError::io(&name, 0, &e))?;
        let mut input = Input::pipe(Box::new(opened.take(self.limits.body.saturating_add(1))));
        let start = batch.len;
        batch.push(url.as_bytes());
        loop {
            let space = batch.space(64 << 10);
            let n = input
                .read_into(space)
                .map_err(|e| CrawlError::io(&name, input.offset(), &e));
            match n {
                Ok(0) => break,
                Ok(n) => batch.len += n,
                Err(error) => {
                    batch.len = start;
                    return Err(error);
                }
            }
        }
        if (batch.len - start - url.len()) as u64 > self.limits.body {
            self.skips.count(Skip::TooLarge);
            batch.len = start;
            return Ok(());
        }
        let (head, end) = (url.len(), batch.len);
        batch.entries.push(RecordRange {
            start,
            head,
            end,
            offset: 0,
            file,
            format: RecordFormat::Page {
                media: page.media,
                base: page.base,
            },
            length: Some((end - start - head) as u64),
            skip: None,
        });
        Ok(())
    }
}
