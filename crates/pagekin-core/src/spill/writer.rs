//! Writing parts: they gather in memory until the budget is used up, then go to a file.

use std::fs::File;
use std::io::{self, Write};

use super::frame;
use super::source::SpillSource;
use super::store::Content;

/// Parts one after another, in one piece.
#[derive(Debug, Default)]
pub struct Parts {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Parts {
    /// No part yet, with memory for about N bytes; memory that is not needed is never touched.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::new(),
        }
    }

    /// Parts of a single frame: the bytes that `append` appends.
    pub fn single(bytes: usize, append: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut parts = Self::with_capacity(bytes);
        parts.put(append);
        parts
    }

    /// Adds a part of one frame: the bytes that `append` appends.
    pub fn put(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        frame::put(&mut self.bytes, append);
        self.ends.push(self.bytes.len() as u64);
    }

    /// The frames of all parts.
    #[cfg(test)]
    pub(crate) fn frames(&self) -> frame::Frames<'_> {
        frame::Frames::of_memory(&self.bytes).expect("sound frames")
    }
}

/// Parts on their way to a source. They gather in memory until there is no room for them.
pub struct SpillWriter<'a> {
    source: &'a SpillSource,
    gathered: Vec<u8>,
    /// Bytes in the file already.
    written: u64,
    /// Bytes of the budget that this writer holds.
    taken: u64,
    file: Option<File>,
    ends: Vec<u64>,
}

impl<'a> SpillWriter<'a> {
    /// A writer to a source that nothing was written to.
    pub fn new(source: &'a SpillSource) -> Self {
        Self::with_capacity(source, 0)
    }

    /// The same, with memory for about N bytes; memory that is not needed is never touched.
    pub fn with_capacity(source: &'a SpillSource, bytes: usize) -> Self {
        Self {
            source,
            gathered: Vec::with_capacity(bytes),
            written: 0,
            taken: 0,
            file: None,
            ends: Vec::new(),
        }
    }

    /// Writes the next part, of one frame: the bytes that `append` appends.
    pub fn put(&mut self, append: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.put_frame(append);
        self.end_part()
    }

    /// Adds a frame to the next part.
    pub fn put_frame(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        frame::put(&mut self.gathered, append);
    }

    /// Ends the next part.
    pub fn end_part(&mut self) -> io::Result<()> {
        let end = self.written + self.gathered.len() as u64;
        self.ends.push(end);
        self.keep_or_spill(end)
    }

    /// Writes all parts at once.
    pub(super) fn put_all(&mut self, parts: Parts) -> io::Result<()> {
        self.gathered = parts.bytes;
        self.ends = parts.ends;
        self.keep_or_spill(self.gathered.len() as u64)
    }

    /// Keeps the gathered parts in memory if the budget allows it up to this end.
    fn keep_or_spill(&mut self, end: u64) -> io::Result<()> {
        let length = end - self.written - self.taken;
        let budget = self.source.budget();
        let fits = self.file.is_none() && budget.is_some_and(|budget| budget.take(length));
        if fits {
            self.taken += length;
            return Ok(());
        }
        self.spill()
    }

    /// Moves the gathered parts to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(self.source.path())?),
        };
        frame::add_checksums(&mut self.gathered);
        let done = file.write_all(&self.gathered);
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        self.give_back();
        done
    }

    fn give_back(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        if let Some(budget) = self.source.budget() {
            budget.give_back(taken);
        }
    }

    /// Where each part ends.
    pub fn finish(mut self) -> io::Result<Vec<u64>> {
        let ends = std::mem::take(&mut self.ends);
        let SpillSource::File(spilled) = self.source else {
            if self.file.is_none() {
                self.spill()?;
            }
            return Ok(ends);
        };
        let content = if self.file.is_some() {
            Content::Disk
        } else {
            let mut bytes = std::mem::take(&mut self.gathered);
            bytes.shrink_to_fit();
            Content::Memory(bytes)
        };
        if spilled.content.set(content).is_err() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        // The bytes of the budget are the file's now.
        self.taken = 0;
        Ok(ends)
    }
}

impl Drop for SpillWriter<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}
