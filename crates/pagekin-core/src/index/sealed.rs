//! The bytes of one file of an index: an Arrow file in memory that is mapped,
//! whose sectors are held against their checksums where it is read.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{root_as_message, Block};
use thiserror::Error;

use super::sums::Sums;

/// A file of an index that does not hold what its format says.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}: {what}")]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
}

/// A file by name, its bytes, and their checksums; without these all is believed.
#[derive(Debug)]
pub struct SealedFile {
    /// The name.
    pub name: String,
    /// The bytes.
    pub bytes: Buffer,
    /// The checksums.
    pub sums: Option<Sums>,
}

impl SealedFile {
    /// A fault of this file.
    pub fn fault(&self, what: &str) -> Fault {
        Fault {
            file: self.name.clone(),
            what: what.to_owned(),
        }
    }

    /// Fails unless these bytes are as they were written.
    #[inline]
    pub fn check(&self, range: Range<usize>) -> Result<(), Fault> {
        match &self.sums {
            Some(sums) if !sums.hold(&self.bytes, range) => {
                Err(self.fault("the bytes are not those that were written"))
            }
            _ => Ok(()),
        }
    }

    /// Fails unless these values, which lie in the file, are as they were written.
    #[inline]
    pub fn check_values<T>(&self, values: &[T]) -> Result<(), Fault> {
        if values.is_empty() || self.sums.is_none() {
            return Ok(());
        }
        // What lies elsewhere begins past the end: the difference wraps.
        let start = (values.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let end = start.checked_add(size_of_val(values));
        match end.filter(|&end| end <= self.bytes.len()) {
            Some(end) => self.check(start..end),
            None => Err(self.fault("a batch is not stored as its format says")),
        }
    }

    /// The footer.
    pub fn footer(&self) -> Result<&[u8], Fault> {
        let broken = || self.fault("the footer is broken");
        let (rest, trailer) = self.bytes.split_last_chunk::<10>().ok_or_else(broken)?;
        self.check(rest.len()..self.bytes.len())?;
        let length =
            read_footer_length(*trailer).map_err(|error| self.fault(&error.to_string()))?;
        let start = rest.len().checked_sub(length).ok_or_else(broken)?;
        self.check(start..rest.len())?;
        Ok(&rest[start..])
    }

    /// How many rows a batch says it has.
    pub fn rows(&self, block: &Block) -> Result<usize, Fault> {
        const PREFIX: usize = 8;
        let (meta, _) = self.places(block)?;
        self.check(meta.clone())?;
        self.bytes[meta]
            .get(PREFIX..)
            .and_then(|message| root_as_message(message).ok())
            .and_then(|message| message.header_as_record_batch())
            .and_then(|batch| usize::try_from(batch.length()).ok())
            .ok_or_else(|| self.fault("a batch does not begin as one"))
    }

    /// Where a batch is described, and where it is.
    pub fn places(&self, block: &Block) -> Result<(Range<usize>, Range<usize>), Fault> {
        let places = || {
            let start = usize::try_from(block.offset()).ok()?;
            let body = start.checked_add(usize::try_from(block.metaDataLength()).ok()?)?;
            let end = body.checked_add(usize::try_from(block.bodyLength()).ok()?)?;
            (end <= self.bytes.len()).then_some((start..body, body..end))
        };
        places().ok_or_else(|| self.fault("a batch lies outside the file"))
    }
}
