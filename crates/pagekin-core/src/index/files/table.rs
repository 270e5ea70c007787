//! One table of an index: an Arrow file in mapped memory, read batch by batch where it is needed.

use std::ops::Range;
use std::panic::catch_unwind;
use std::sync::{Arc, OnceLock};

use arrow_array::types::{ArrowPrimitiveType, UInt64Type};
use arrow_array::RecordBatch;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{read_footer_length, FileDecoder};
use arrow_ipc::{root_as_footer, root_as_message, Block, Message, MetadataVersion};
use arrow_schema::{DataType, Schema};

use crate::index::files::batch::TableBatch;
use crate::index::files::verified::{TableError, VerifiedFile};
use crate::index::interpolation::expected_place;

/// Bytes before the description of a batch, and before each compressed buffer.
const PREFIX: usize = 8;
/// What a compressed batch may take in memory: four pages of the largest size and their words, or the
/// layouts of 64.
const LARGEST_BATCH: u64 = 256 << 20;
const LARGEST_LAYOUTS: u64 = 1 << 30;
const NO_BATCH: &str = "a batch does not begin as one";

/// A table whose batches all have the same number of rows, except the last.
#[derive(Debug)]
pub struct MappedTable {
    file: Arc<VerifiedFile>,
    decoder: FileDecoder,
    blocks: Vec<Block>,
    batches: Vec<OnceLock<RecordBatch>>,
    batch_rows: usize,
    rows: usize,
    /// Whether all columns are numbers, flags or bytes, which are verified where they are read.
    is_numeric: bool,
    /// The bytes that a compressed batch may take in memory; none may be compressed if there are none.
    largest: Option<u64>,
}

impl MappedTable {
    /// The table in a file, of which only `columns` are ever read, or all if none is named.
    /// Nothing but the footer is read yet.
    pub fn open(file: Arc<VerifiedFile>, columns: &[&str]) -> Result<Self, TableError> {
        let error = |what: String| file.error(&what);
        let (schema, version, blocks) = read_footer(footer(&file)?).map_err(error)?;
        let projection = columns
            .iter()
            .map(|name| schema.index_of(name).map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(error)?;
        let batch_rows = blocks
            .first()
            .map_or(Ok(0), |block| rows_of(&file, block))?;
        let last = blocks.last().map_or(Ok(0), |block| rows_of(&file, block))?;
        // A row has at least a byte: whoever makes room for the rows trusts this number.
        let rows = (blocks.len().saturating_sub(1))
            .checked_mul(batch_rows)
            .and_then(|rows| rows.checked_add(last))
            .filter(|&rows| rows <= file.size())
            .ok_or_else(|| file.error("the table claims more rows than it has bytes"))?;
        Ok(Self {
            rows,
            batches: blocks.iter().map(|_| OnceLock::new()).collect(),
            batch_rows,
            is_numeric: projection
                .iter()
                .all(|&at| is_numeric(schema.field(at).data_type())),
            // A column that had to be moved could not be found in the file again.
            decoder: FileDecoder::new(Arc::new(schema), version)
                .with_require_alignment(true)
                .with_projection(projection),
            blocks,
            file,
            largest: None,
        })
    }

    /// The same of a table whose batches are compressed. They are not kept.
    pub fn open_compressed(file: Arc<VerifiedFile>, columns: &[&str]) -> Result<Self, TableError> {
        let mut table = Self::open(file, columns)?;
        table.largest = Some(LARGEST_BATCH);
        table.batches = Vec::new();
        Ok(table)
    }

    /// The same of a table whose batches a build reads, one a thread.
    pub fn open_layouts(file: Arc<VerifiedFile>, columns: &[&str]) -> Result<Self, TableError> {
        let mut table = Self::open_compressed(file, columns)?;
        table.largest = Some(LARGEST_LAYOUTS);
        Ok(table)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// A batch.
    #[inline]
    pub fn batch(&self, number: usize) -> Result<TableBatch<'_>, TableError> {
        let place = self.batches.get(number);
        let place = place.ok_or_else(|| self.error("a row lies outside the table"))?;
        let batch = match place.get() {
            Some(batch) => batch,
            None => {
                let batch = self.decode(number)?;
                place.get_or_init(|| batch)
            }
        };
        Ok(TableBatch::new(&self.file, batch))
    }

    /// The batch of a row, and the row's place in it.
    #[inline]
    pub fn find(&self, row: usize) -> Result<(TableBatch<'_>, usize), TableError> {
        let number = row / self.batch_rows.max(1);
        let at = row - number * self.batch_rows;
        let batch = self.batch(number)?;
        if at < batch.rows() {
            Ok((batch, at))
        } else {
            Err(self.error("a row lies outside the table"))
        }
    }

    /// The batch of a row of a compressed table, and the row's place in it.
    pub fn decompress(&self, row: usize) -> Result<(RecordBatch, usize), TableError> {
        let number = row / self.batch_rows.max(1);
        let outside = || self.error("a row lies outside the table");
        if number >= self.blocks.len() {
            return Err(outside());
        }
        let (batch, at) = (self.decode(number)?, row - number * self.batch_rows);
        if at < batch.num_rows() {
            Ok((batch, at))
        } else {
            Err(outside())
        }
    }

    /// One number of a column.
    pub fn number<T: ArrowPrimitiveType>(
        &self,
        row: usize,
        column: usize,
    ) -> Result<T::Native, TableError> {
        let (batch, at) = self.find(row)?;
        batch.numbers::<T>(column)?.value(at)
    }

    /// Looks up keys in order, in a table that is in order of its first column: calls `visit`
    /// for each batch that may hold some, with the number of its first row, and the number and the
    /// place in the batch of each key found.
    pub fn find_keys<'a>(
        &'a self,
        keys: &[u64],
        mut visit: impl FnMut(usize, TableBatch<'a>, &[(usize, usize)]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut found = Vec::new();
        let (mut number, mut low) = (0, 0);
        while let Some(&key) = keys.get(number) {
            low = self.batches_before(key, low)?;
            let Some(at) = low.checked_sub(1) else {
                number += 1;
                continue;
            };
            let batch = self.batch(at)?;
            let column = batch.numbers::<UInt64Type>(0)?;
            let Some(end) = column.len().checked_sub(1) else {
                return Err(self.error("a batch has no rows"));
            };
            let (first, last) = (column.value(0)?, column.value(end)?);
            // The first key may lie between this batch and the next, the others do not.
            let others = keys[number + 1..].iter().take_while(|&&key| key <= last);
            let next = number + 1 + others.count();
            found.clear();
            for (number, &key) in (number..).zip(&keys[number..next]) {
                let guess = expected_place(key, first, last, column.len());
                if let Some(at) = column.find(key, guess)? {
                    found.push((number, at));
                }
            }
            visit(at * self.batch_rows, batch, &found)?;
            number = next;
        }
        Ok(())
    }

    /// The batch of a key, and the key's row in it.
    pub fn find_key(&self, key: u64) -> Result<Option<(TableBatch<'_>, usize)>, TableError> {
        let mut found = None;
        self.find_keys(&[key], |_, batch, rows| {
            found = rows.first().map(|&(_, at)| (batch, at));
            Ok(())
        })?;
        Ok(found)
    }

    /// How many batches begin with this key or one before it; at least `low` do.
    fn batches_before(&self, key: u64, low: usize) -> Result<usize, TableError> {
        bisect(low..self.blocks.len(), |number| {
            let column = self.batch(number)?.numbers::<UInt64Type>(0)?;
            Ok(column.is_empty() || column.value(0)? <= key)
        })
    }

    /// The first row from which on `before` is false, for a table in that order.
    pub fn partition_point(
        &self,
        before: impl FnMut(usize) -> Result<bool, TableError>,
    ) -> Result<usize, TableError> {
        bisect(0..self.rows, before)
    }

    /// Fails unless the whole of a batch is as it was written.
    pub fn verify_batch(&self, number: usize) -> Result<(), TableError> {
        let block = self.blocks.get(number);
        let block = block.ok_or_else(|| self.error("a row lies outside the table"))?;
        let (meta, body) = ranges_of(&self.file, block)?;
        self.file.verify(meta.start..body.end)?;
        self.check_claims(meta, body)
    }

    /// How many batches there are.
    pub fn batch_count(&self) -> usize {
        self.blocks.len()
    }

    /// Fails if a batch is compressed and should not be, or says that it is larger than any batch.
    fn check_claims(&self, meta: Range<usize>, body: Range<usize>) -> Result<(), TableError> {
        let message = message_of(&self.file, meta)?;
        let header = message.header_as_record_batch();
        let header = header.ok_or_else(|| self.error(NO_BATCH))?;
        if header.compression().is_none() {
            return Ok(());
        }
        let Some(largest) = self.largest else {
            return Err(self.error("a batch is compressed"));
        };
        let mut total = 0_u64;
        for buffer in header.buffers().into_iter().flatten() {
            let start = usize::try_from(buffer.offset()).ok();
            let start = start.and_then(|offset| body.start.checked_add(offset));
            let is_inside = |start: &usize| *start < body.end && body.end - start >= PREFIX;
            let claimed = match start.filter(is_inside) {
                _ if buffer.length() == 0 => continue,
                Some(start) => self.file.read(start..start + PREFIX)?,
                None => return Err(self.error("a batch lies outside the file")),
            };
            let claimed = claimed
                .first_chunk()
                .map_or(0, |bytes| i64::from_le_bytes(*bytes));
            // -1 says that a buffer is not compressed.
            total = total.saturating_add(claimed.max(0) as u64);
        }
        if total > largest {
            return Err(self.error(&format!("a batch would take {total} bytes of memory")));
        }
        Ok(())
    }

    /// An error in this table's file.
    pub fn error(&self, what: &str) -> TableError {
        self.file.error(what)
    }

    /// Arrow reads text in whole when it decodes a batch, so that is verified before. Of
    /// numbers it reads only the description.
    #[cold]
    fn decode(&self, number: usize) -> Result<RecordBatch, TableError> {
        let block = &self.blocks[number];
        let (meta, body) = ranges_of(&self.file, block)?;
        let is_read_later = self.is_numeric && self.largest.is_none();
        let end = if is_read_later { meta.end } else { body.end };
        self.file.verify(meta.start..end)?;
        self.check_claims(meta.clone(), body.clone())?;
        let bytes = self.file.slice_unverified(meta.start..body.end);
        let batch = self
            .decoder
            .read_record_batch(block, &bytes)
            .map_err(|error| self.error(&error.to_string()))?
            .ok_or_else(|| self.error("a batch is missing"))?;
        if number + 1 < self.blocks.len() && batch.num_rows() != self.batch_rows {
            return Err(self.error("a batch has another number of rows than the first"));
        }
        Ok(batch)
    }
}

fn bisect(
    range: Range<usize>,
    mut before: impl FnMut(usize) -> Result<bool, TableError>,
) -> Result<usize, TableError> {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn footer(file: &VerifiedFile) -> Result<&[u8], TableError> {
    const TRAILER: usize = 10;
    let broken = || file.error("the footer is broken");
    let end = file.size().checked_sub(TRAILER).ok_or_else(broken)?;
    let trailer = file.read(end..file.size())?;
    let trailer: [u8; TRAILER] = trailer.try_into().map_err(|_| broken())?;
    let length = read_footer_length(trailer).map_err(|error| file.error(&error.to_string()))?;
    file.read(end.checked_sub(length).ok_or_else(broken)?..end)
}

fn read_footer(footer: &[u8]) -> Result<(Schema, MetadataVersion, Vec<Block>), String> {
    let footer = root_as_footer(footer).map_err(|error| error.to_string())?;
    let columns = footer.schema().ok_or("the footer lacks the columns")?;
    // Arrow panics at columns of a type that it does not know.
    let schema = catch_unwind(|| fb_to_schema(columns)).map_err(|_| "the columns are broken")?;
    let blocks = footer.recordBatches().iter().flatten().copied().collect();
    Ok((schema, footer.version(), blocks))
}

/// How many rows a batch says it has.
fn rows_of(file: &VerifiedFile, block: &Block) -> Result<usize, TableError> {
    let (meta, _) = ranges_of(file, block)?;
    message_of(file, meta)?
        .header_as_record_batch()
        .and_then(|batch| usize::try_from(batch.length()).ok())
        .ok_or_else(|| file.error(NO_BATCH))
}

/// The description of a batch.
fn message_of(file: &VerifiedFile, meta: Range<usize>) -> Result<Message<'_>, TableError> {
    let message = file.read(meta)?.get(PREFIX..);
    let message = message.and_then(|message| root_as_message(message).ok());
    message.ok_or_else(|| file.error(NO_BATCH))
}

/// Where a batch is described, and where its columns are.
fn ranges_of(
    file: &VerifiedFile,
    block: &Block,
) -> Result<(Range<usize>, Range<usize>), TableError> {
    let ranges = || {
        let start = usize::try_from(block.offset()).ok()?;
        let body = start.checked_add(usize::try_from(block.metaDataLength()).ok()?)?;
        let end = body.checked_add(usize::try_from(block.bodyLength()).ok()?)?;
        (end <= file.size()).then_some((start..body, body..end))
    };
    ranges().ok_or_else(|| file.error("a batch lies outside the file"))
}

fn is_numeric(kind: &DataType) -> bool {
    match kind {
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            is_numeric(item.data_type())
        }
        // Flags are read a column at a time.
        kind => kind.is_numeric() || matches!(kind, DataType::Boolean | DataType::LargeBinary),
    }
}
