//! A reusable buffer of framed records, and the records in it.

use crate::crawl::record_start::RecordFormat;
use crate::crawl::Skip;

/// Size of the buffer unless a record needs more: a full batch and the next record. Pages that are
/// never written take no physical memory.
const USUAL: usize = 5 << 20;

/// Framed records, which one thread decodes while the reader goes on.
#[derive(Default)]
pub struct Batch {
    /// Always initialised; only the first `len` bytes are valid.
    pub(in crate::crawl) data: Vec<u8>,
    pub(in crate::crawl) len: usize,
    pub(in crate::crawl) entries: Vec<RecordRange>,
}

/// Where a record lies in the batch, and where it came from.
pub(in crate::crawl) struct RecordRange {
    pub start: usize,
    pub head: usize,
    pub end: usize,
    pub offset: u64,
    pub file: u32,
    pub format: RecordFormat,
    /// Number of stored bytes from the offset on that hold the record, if they suffice to read it.
    pub length: Option<u64>,
    /// The reason to skip the record, if its type gives one.
    pub skip: Option<Skip>,
}

impl Batch {
    /// The records, in the order of the source.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'_>> {
        self.entries.iter().map(|entry| Record {
            head: &self.data[entry.start..entry.start + entry.head],
            block: &self.data[entry.start + entry.head..entry.end],
            offset: entry.offset,
            file: entry.file,
            format: entry.format,
            length: entry.length,
            skip: entry.skip,
        })
    }

    /// How many records it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no record.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The index of the first record's file. Files of later records never have a smaller index.
    pub fn first_file(&self) -> u32 {
        self.entries.first().map_or(0, |entry| entry.file)
    }

    /// Drops the records and keeps the memory, unless it is unusually large.
    pub fn clear(&mut self) {
        self.len = 0;
        self.entries.clear();
        if self.data.len() > 4 * USUAL {
            self.data.truncate(USUAL);
            self.data.shrink_to_fit();
        }
    }

    /// The end of the last complete record.
    pub(in crate::crawl) fn records_end(&self) -> usize {
        self.entries.last().map_or(0, |entry| entry.end)
    }

    /// The free space, at least `room` bytes of it.
    pub(in crate::crawl) fn space(&mut self, room: usize) -> &mut [u8] {
        let needed = self.len + room;
        if self.data.len() < needed {
            self.grow(needed);
        }
        &mut self.data[self.len..]
    }

    /// The first allocation is lazily zeroed; later ones grow in place where the allocator can.
    #[cold]
    fn grow(&mut self, needed: usize) {
        if self.data.is_empty() {
            self.data = vec![0; needed.max(USUAL)];
        } else {
            self.data.resize(needed.max(self.data.len() * 3 / 2), 0);
        }
    }

    pub(in crate::crawl) fn push(&mut self, bytes: &[u8]) {
        self.space(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

/// One framed record; [`Record::decode`] makes a capture of it, [`Record::listing`] its entry in a
/// capture index.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(in crate::crawl) head: &'a [u8],
    pub(in crate::crawl) block: &'a [u8],
    pub(in crate::crawl) offset: u64,
    pub(in crate::crawl) file: u32,
    pub(in crate::crawl) format: RecordFormat,
    pub(in crate::crawl) length: Option<u64>,
    pub(in crate::crawl) skip: Option<Skip>,
}
