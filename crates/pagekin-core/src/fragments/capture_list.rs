//! All captures of a run as columns, whether or not they became pages, as the index lists them.

use super::block::NO_DATE;
use crate::columns::{check_length, impl_column, CodecError, StringColumn};
use crate::crawl::{CaptureKind, Listing};
use crate::hash;
use crate::url;

/// The value of an unknown number.
const NONE: u64 = u64::MAX;

/// Captures, in the order in which they were read.
#[derive(Debug, Default)]
pub struct CaptureList {
    files: StringColumn,
    urls: StringColumn,
    /// The id of the URL.
    id: Vec<u64>,
    date: Vec<u64>,
    /// Number of the kind.
    kind: Vec<u32>,
    /// The HTTP status, or 0.
    status: Vec<u32>,
    media: StringColumn,
    digest: StringColumn,
    length: Vec<u64>,
    file: Vec<u32>,
    offset: Vec<u64>,
}

impl_column!(CaptureList {
    files,
    urls,
    id,
    date,
    kind,
    status,
    media,
    digest,
    length,
    file,
    offset,
});

/// One capture of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListedCapture<'a> {
    /// The id of its URL.
    pub id: u64,
    /// Its canonical URL.
    pub url: &'a [u8],
    /// Seconds since 1970; captures without a date come first.
    pub date: Option<i64>,
    /// What kind it is.
    pub kind: CaptureKind,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The media type, or empty.
    pub media: &'a [u8],
    /// The payload digest, or empty.
    pub digest: &'a [u8],
    /// Number of stored bytes that hold the record.
    pub length: Option<u64>,
    /// The name of its file.
    pub file: &'a [u8],
    /// Where it is there.
    pub offset: u64,
}

impl CaptureList {
    /// Adds the entry of a record in the file of this name, unless its URL is not valid.
    pub fn push(&mut self, listed: &Listing<'_>, file: &str) {
        let Some(name) = url::canonical(listed.url) else {
            return;
        };
        let last = self.files.len().checked_sub(1);
        if last.is_none_or(|last| self.files.bytes_of(last) != file.as_bytes()) {
            self.files.push(file.as_bytes());
        }
        self.id.push(hash::url_id(&name));
        self.urls.push(name.as_bytes());
        let date = listed.date.map(|date| (date + (1 << 62)).max(1) as u64);
        self.date.push(date.unwrap_or(NO_DATE));
        self.kind.push(listed.kind as u32);
        self.status.push(listed.status.map_or(0, u32::from));
        self.media.push(listed.media.as_bytes());
        self.digest.push(listed.digest.as_bytes());
        self.length.push(listed.length.unwrap_or(NONE));
        self.file.push(self.files.len() as u32 - 1);
        self.offset.push(listed.offset);
    }

    /// Adds a capture of another list.
    fn take(&mut self, from: &Self, row: usize) {
        let file = from.files.bytes_of(from.file[row] as usize);
        let last = self.files.len().checked_sub(1);
        if last.is_none_or(|last| self.files.bytes_of(last) != file) {
            self.files.push(file);
        }
        self.id.push(from.id[row]);
        self.urls.push(from.urls.bytes_of(row));
        self.date.push(from.date[row]);
        self.kind.push(from.kind[row]);
        self.status.push(from.status[row]);
        self.media.push(from.media.bytes_of(row));
        self.digest.push(from.digest.bytes_of(row));
        self.length.push(from.length[row]);
        self.file.push(self.files.len() as u32 - 1);
        self.offset.push(from.offset[row]);
    }

    /// The captures of each of `2^bits` partitions.
    pub(super) fn cut(&self, bits: u32) -> Vec<Self> {
        let mut parts = Vec::new();
        parts.resize_with(1 << bits, Self::default);
        for (row, &id) in self.id.iter().enumerate() {
            parts[hash::partition_of(id, bits)].take(self, row);
        }
        parts
    }

    /// How many captures there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Roughly its size in memory.
    pub fn bytes_held(&self) -> usize {
        const NUMBERS: usize = 64;
        let texts = [&self.files, &self.urls, &self.media, &self.digest];
        texts.iter().map(|column| column.bytes()).sum::<usize>() + self.len() * NUMBERS
    }

    /// Checks that the columns fit each other.
    pub(super) fn check(&self) -> Result<(), CodecError> {
        for length in [
            self.urls.len(),
            self.date.len(),
            self.kind.len(),
            self.status.len(),
            self.media.len(),
            self.digest.len(),
            self.length.len(),
            self.file.len(),
            self.offset.len(),
        ] {
            check_length("listed captures of a block", self.len(), length)?;
        }
        let kinds = CaptureKind::ALL.len() as u64;
        let files = self.files.len() as u64;
        let check = |column: &[u32], count: u64| {
            let found = column
                .iter()
                .map(|&number| u64::from(number))
                .find(|&number| number >= count);
            found.map_or(Ok(()), |number| {
                Err(CodecError::outside("listed captures", count, number))
            })
        };
        check(&self.kind, kinds)?;
        check(&self.file, files)
    }

    /// The captures.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ListedCapture<'_>> {
        (0..self.len()).map(|row| ListedCapture {
            id: self.id[row],
            url: self.urls.bytes_of(row),
            date: Some(self.date[row])
                .filter(|&date| date != NO_DATE)
                .map(|date| date as i64 - (1 << 62)),
            kind: CaptureKind::ALL[self.kind[row] as usize],
            status: u16::try_from(self.status[row])
                .ok()
                .filter(|&status| status > 0),
            media: self.media.bytes_of(row),
            digest: self.digest.bytes_of(row),
            length: Some(self.length[row]).filter(|&length| length != NONE),
            file: self.files.bytes_of(self.file[row] as usize),
            offset: self.offset[row],
        })
    }
}
