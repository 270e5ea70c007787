//! Files whose bytes can only be read through a comparison with their checksums.
//!
//! Numbers are handed out as [`Unverified`] slices: their length may be asked, their
//! values only through a method that first compares the blocks they lie in.

use std::hint::black_box;
use std::ops::Range;

use arrow_buffer::{ArrowNativeType, Buffer};
use thiserror::Error;

use crate::index::files::checksums::BlockChecksums;
use crate::index::interpolation::lower_bound;

/// A file of an index that does not hold what its format says.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}: {what}")]
pub struct TableError {
    /// The file's name.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
}

/// The bytes of a file in mapped memory, and the checksums of its blocks.
#[derive(Debug)]
pub struct VerifiedFile {
    name: String,
    bytes: Buffer,
    checksums: BlockChecksums,
}

impl VerifiedFile {
    /// A file of which nothing has been read yet.
    pub fn new(name: String, bytes: Buffer, checksums: BlockChecksums) -> Self {
        Self {
            name,
            bytes,
            checksums,
        }
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Some bytes, as they were written.
    pub fn read(&self, range: Range<usize>) -> Result<&[u8], TableError> {
        self.verify(range.clone())?;
        let bytes = self.bytes.get(range);
        bytes.ok_or_else(|| self.error("a batch lies outside the file"))
    }

    /// An error in this file.
    pub fn error(&self, what: &str) -> TableError {
        TableError {
            file: self.name.clone(),
            what: what.to_owned(),
        }
    }

    /// Fails unless these bytes are as they were written.
    #[inline]
    pub(in crate::index) fn verify(&self, range: Range<usize>) -> Result<(), TableError> {
        if self.checksums.match_blocks(&self.bytes, range) {
            return Ok(());
        }
        Err(self.error("the bytes are not those that were written"))
    }

    /// Bytes for Arrow to find columns in. Their values are read through [`Unverified`].
    pub(in crate::index) fn slice_unverified(&self, range: Range<usize>) -> Buffer {
        self.bytes.slice_with_length(range.start, range.len())
    }

    /// Fails unless these values, which lie in the file, are as they were written.
    #[inline]
    fn verify_values<T>(&self, values: &[T]) -> Result<(), TableError> {
        if values.is_empty() {
            return Ok(());
        }
        // What lies elsewhere begins past the end: the difference wraps.
        let start = (values.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let end = start.checked_add(size_of_val(values));
        match end.filter(|&end| end <= self.bytes.len()) {
            Some(end) => self.verify(start..end),
            None => Err(self.error("a batch is not stored as its format says")),
        }
    }
}

/// Numbers of a file that have not been compared with their checksums yet.
#[derive(Debug)]
pub struct Unverified<'a, T> {
    file: &'a VerifiedFile,
    values: &'a [T],
}

impl<T> Clone for Unverified<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Unverified<'_, T> {}

impl<'a, T: ArrowNativeType> Unverified<'a, T> {
    pub(in crate::index) fn new(file: &'a VerifiedFile, values: &'a [T]) -> Self {
        Self { file, values }
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.values.is_empty()
    }

    /// Some of them.
    #[inline]
    pub fn slice(self, range: Range<usize>) -> Result<Self, TableError> {
        let values = self.values.get(range);
        let values = values.ok_or_else(|| self.error("a row lies outside the table"))?;
        Ok(Self::new(self.file, values))
    }

    /// An error in the file of these numbers.
    pub fn error(self, what: &str) -> TableError {
        self.file.error(what)
    }

    /// All of them, as they were written.
    #[inline]
    pub fn verify(self) -> Result<&'a [T], TableError> {
        self.file.verify_values(self.values)?;
        Ok(self.values)
    }

    /// One of them.
    #[inline]
    pub fn value(self, at: usize) -> Result<T, TableError> {
        Ok(self.slice(at..at + 1)?.verify()?[0])
    }

    /// Prefetches every `step`th number: the processor then waits for many places of memory
    /// at a time instead of for each.
    #[inline]
    pub fn prefetch(self, step: usize) {
        for &value in self.values.iter().step_by(step) {
            black_box(value);
        }
    }
}

impl<T: ArrowNativeType + PartialOrd> Unverified<'_, T> {
    /// The place of the first that is not below a value, among numbers in order, found by
    /// interpolation search from a guess. The numbers on both sides of it are verified,
    /// which proves the place.
    #[inline]
    fn lower_bound(self, value: T, guess: usize) -> Result<usize, TableError> {
        let at = lower_bound(self.values, value, guess);
        self.slice(at.saturating_sub(1)..self.len().min(at + 1))?
            .verify()?;
        Ok(at)
    }

    /// The place of a value among numbers in order, if it is there; proved in the same way.
    #[inline]
    pub fn find(self, value: T, guess: usize) -> Result<Option<usize>, TableError> {
        let at = self.lower_bound(value, guess)?;
        Ok((self.values.get(at) == Some(&value)).then_some(at))
    }

    /// The places of a value among numbers in order, proved in the same way.
    pub fn equal_range(self, value: T, guess: usize) -> Result<Range<usize>, TableError> {
        let start = lower_bound(self.values, value, guess);
        let equal = self.values[start..].iter().take_while(|&&at| at == value);
        let end = start + equal.count();
        self.slice(start.saturating_sub(1)..self.len().min(end + 1))?
            .verify()?;
        Ok(start..end)
    }
}
