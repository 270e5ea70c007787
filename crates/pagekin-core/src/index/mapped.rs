//! One table of an index: an Arrow file in memory that is mapped, read batch by
//! batch and only where it is asked.

use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{read_footer_length, FileDecoder};
use arrow_ipc::{root_as_footer, root_as_message, Block};
use thiserror::Error;

/// A file of an index that does not hold what its format says.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}: {what}")]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
}

/// A table whose batches all have the same number of rows, but for the last.
#[derive(Debug)]
pub struct MappedTable {
    file: String,
    buffer: Buffer,
    decoder: FileDecoder,
    blocks: Vec<Block>,
    batches: Vec<OnceLock<RecordBatch>>,
    batch_rows: usize,
    rows: usize,
}

impl MappedTable {
    /// The table in these bytes, of which only `columns` are ever read.
    /// Nothing but the footer is looked at yet.
    pub fn open(file: String, buffer: Buffer, columns: &[&str]) -> Result<Self, Fault> {
        let fault = |what: String| Fault {
            file: file.clone(),
            what,
        };
        let (decoder, blocks) = read_footer(&buffer, columns).map_err(fault)?;
        let rows_of = |block: Option<&Block>| match block {
            Some(block) => message_rows(&buffer, block),
            None => Ok(0),
        };
        let batch_rows = rows_of(blocks.first()).map_err(fault)?;
        let last = rows_of(blocks.last()).map_err(fault)?;
        Ok(Self {
            rows: blocks.len().saturating_sub(1) * batch_rows + last,
            batches: blocks.iter().map(|_| OnceLock::new()).collect(),
            batch_rows,
            file,
            buffer,
            decoder,
            blocks,
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many batches there are.
    pub fn batches(&self) -> usize {
        self.blocks.len()
    }

    /// A batch, checked when it is read for the first time.
    pub fn batch(&self, number: usize) -> Result<&RecordBatch, Fault> {
        let place = self
            .batches
            .get(number)
            .ok_or_else(|| self.fault("a row lies outside the table"))?;
        if let Some(batch) = place.get() {
            return Ok(batch);
        }
        let batch = self.decode(number)?;
        Ok(place.get_or_init(|| batch))
    }

    /// The batch of a row, and its place in it.
    pub fn find(&self, row: usize) -> Result<(&RecordBatch, usize), Fault> {
        let number = row / self.batch_rows.max(1);
        let at = row - number * self.batch_rows;
        let batch = self.batch(number)?;
        if at < batch.num_rows() {
            Ok((batch, at))
        } else {
            Err(self.fault("a row lies outside the table"))
        }
    }

    /// The numbers of one column of a batch.
    pub fn numbers<'a, T: ArrowPrimitiveType>(
        &self,
        batch: &'a RecordBatch,
        column: usize,
    ) -> Result<&'a [T::Native], Fault> {
        batch
            .column(column)
            .as_primitive_opt::<T>()
            .filter(|numbers| numbers.null_count() == 0)
            .map(|numbers| &**numbers.values())
            .ok_or_else(|| self.wrong_column())
    }

    /// One number of a column.
    pub fn number<T: ArrowPrimitiveType>(
        &self,
        row: usize,
        column: usize,
    ) -> Result<T::Native, Fault> {
        let (batch, at) = self.find(row)?;
        Ok(self.numbers::<T>(batch, column)?[at])
    }

    /// The first row from which on `before` is false, for a table in that order.
    pub fn partition_point(
        &self,
        mut before: impl FnMut(usize) -> Result<bool, Fault>,
    ) -> Result<usize, Fault> {
        let (mut low, mut high) = (0, self.rows);
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

    /// A fault of this file.
    pub fn fault(&self, what: &str) -> Fault {
        Fault {
            file: self.file.clone(),
            what: what.to_owned(),
        }
    }

    /// The fault of a column that is not of its kind.
    pub fn wrong_column(&self) -> Fault {
        self.fault("the table has other columns than its format says")
    }

    fn decode(&self, number: usize) -> Result<RecordBatch, Fault> {
        let block = &self.blocks[number];
        let bytes = block_bytes(&self.buffer, block).map_err(|what| self.fault(&what))?;
        let batch = self
            .decoder
            .read_record_batch(block, &bytes)
            .map_err(|error| self.fault(&error.to_string()))?
            .ok_or_else(|| self.fault("a batch is missing"))?;
        if number + 1 < self.blocks.len() && batch.num_rows() != self.batch_rows {
            return Err(self.fault("a batch has another number of rows than the first"));
        }
        Ok(batch)
    }
}

fn read_footer(buffer: &Buffer, columns: &[&str]) -> Result<(FileDecoder, Vec<Block>), String> {
    let broken = || "the footer is broken".to_owned();
    let (rest, trailer) = buffer.split_last_chunk::<10>().ok_or_else(broken)?;
    let length = read_footer_length(*trailer).map_err(|error| error.to_string())?;
    let start = rest.len().checked_sub(length).ok_or_else(broken)?;
    let footer = root_as_footer(&rest[start..]).map_err(|error| error.to_string())?;
    let schema = Arc::new(fb_to_schema(footer.schema().ok_or_else(broken)?));
    let wanted = columns
        .iter()
        .map(|name| schema.index_of(name).map_err(|error| error.to_string()))
        .collect::<Result<Vec<_>, _>>()?;
    let blocks = footer.recordBatches().iter().flatten().copied().collect();
    Ok((
        FileDecoder::new(schema, footer.version()).with_projection(wanted),
        blocks,
    ))
}

fn block_bytes(buffer: &Buffer, block: &Block) -> Result<Buffer, String> {
    let outside = || "a batch lies outside the file".to_owned();
    let number = |value: i64| usize::try_from(value).map_err(|_| outside());
    let start = number(block.offset())?;
    let meta = number(i64::from(block.metaDataLength()))?;
    let length = number(block.bodyLength())?
        .checked_add(meta)
        .filter(|length| {
            start
                .checked_add(*length)
                .is_some_and(|end| end <= buffer.len())
        })
        .ok_or_else(outside)?;
    Ok(buffer.slice_with_length(start, length))
}

/// How many rows a batch says it has.
fn message_rows(buffer: &Buffer, block: &Block) -> Result<usize, String> {
    const PREFIX: usize = 8;
    let bytes = block_bytes(buffer, block)?;
    let message = bytes
        .get(PREFIX..)
        .and_then(|message| root_as_message(message).ok())
        .and_then(|message| message.header_as_record_batch())
        .ok_or("a batch does not begin as one")?;
    usize::try_from(message.length()).map_err(|_| "a batch has a negative length".to_owned())
}
