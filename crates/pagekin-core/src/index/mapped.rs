//! One table of an index, read batch by batch and only where it is asked.

use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{root_as_footer, Block, MetadataVersion};
use arrow_schema::{DataType, Schema};

use super::guess::{first_at_least, guess};
use super::sealed::{Fault, SealedFile};

/// A table whose batches all have the same number of rows, but for the last.
#[derive(Debug)]
pub struct MappedTable {
    file: SealedFile,
    decoder: FileDecoder,
    blocks: Vec<Block>,
    batches: Vec<OnceLock<RecordBatch>>,
    batch_rows: usize,
    rows: usize,
    has_text: bool,
}

impl MappedTable {
    /// The table in a file, of which only `columns` are ever read. Nothing but
    /// the footer is looked at yet.
    pub fn open(file: SealedFile, columns: &[&str]) -> Result<Self, Fault> {
        let fault = |what: String| file.fault(&what);
        let (schema, version, blocks) = read_footer(file.footer()?).map_err(fault)?;
        let wanted = columns
            .iter()
            .map(|name| schema.index_of(name).map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(fault)?;
        let batch_rows = blocks.first().map_or(Ok(0), |block| file.rows(block))?;
        let last = blocks.last().map_or(Ok(0), |block| file.rows(block))?;
        Ok(Self {
            rows: blocks.len().saturating_sub(1) * batch_rows + last,
            batches: blocks.iter().map(|_| OnceLock::new()).collect(),
            batch_rows,
            has_text: wanted.iter().any(|&column| is_text(&schema, column)),
            // A column that had to be moved could not be found in the file again.
            decoder: FileDecoder::new(Arc::new(schema), version)
                .with_require_alignment(true)
                .with_projection(wanted),
            blocks,
            file,
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

    /// A batch, checked when it is read for the first time. Its numbers have
    /// not been held against their checksums, its text has.
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

    /// The numbers of one column of a batch. Whoever uses some of them has
    /// these [checked](Self::check_values).
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
        let number = &self.numbers::<T>(batch, column)?[at..=at];
        self.check_values(number)?;
        Ok(number[0])
    }

    /// The numbers of the list in a row of a batch.
    pub fn list<'a, T: ArrowPrimitiveType>(
        &'a self,
        batch: &'a RecordBatch,
        column: usize,
        at: usize,
    ) -> Result<&'a [T::Native], Fault> {
        let values = self.lists::<T>(batch, column)?.at(at)?;
        self.check_values(values)?;
        Ok(values)
    }

    /// The lists of one column of a batch.
    pub fn lists<'a, T: ArrowPrimitiveType>(
        &'a self,
        batch: &'a RecordBatch,
        column: usize,
    ) -> Result<Lists<'a, T::Native>, Fault> {
        let lists = batch.column(column).as_list_opt::<i64>();
        let values = lists.and_then(|lists| lists.values().as_primitive_opt::<T>());
        let (lists, values) = lists.zip(values).ok_or_else(|| self.wrong_column())?;
        Ok(Lists {
            file: &self.file,
            ends: lists.value_offsets(),
            values: values.values(),
        })
    }

    /// Tells batch by batch of the keys that are there, each by its number and its
    /// place, for a table in order of its first column and keys in order.
    pub fn find_keys<'a>(
        &'a self,
        keys: &[u64],
        mut tell: impl FnMut(&'a RecordBatch, &[(usize, usize)]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut found = Vec::new();
        let (mut number, mut low) = (0, 0);
        while let Some(&key) = keys.get(number) {
            low = self.batches_before(key, low)?;
            let Some(at) = low.checked_sub(1) else {
                number += 1;
                continue;
            };
            let batch = self.batch(at)?;
            let there = self.numbers::<UInt64Type>(batch, 0)?;
            // The first may lie between this batch and the next, the others do not.
            let last = there.last().copied().unwrap_or(key);
            let others = keys[number + 1..].iter().take_while(|&&key| key <= last);
            let next = number + 1 + others.count();
            found.clear();
            for (number, &key) in (number..).zip(&keys[number..next]) {
                if let Some(at) = self.place_of(there, key)? {
                    found.push((number, at));
                }
            }
            tell(batch, &found)?;
            number = next;
        }
        Ok(())
    }

    /// The batch and the place in it of a key.
    pub fn find_key(&self, key: u64) -> Result<Option<(&RecordBatch, usize)>, Fault> {
        let mut found = None;
        self.find_keys(&[key], |batch, places| {
            found = places.first().map(|&(_, at)| (batch, at));
            Ok(())
        })?;
        Ok(found)
    }

    /// The place of a key in a batch. With its neighbour it is where it is, or
    /// would be, in a table that is in order.
    fn place_of(&self, keys: &[u64], key: u64) -> Result<Option<usize>, Fault> {
        let at = first_at_least(keys, key, guess(keys, key));
        self.check_values(&keys[at.saturating_sub(1)..keys.len().min(at + 1)])?;
        Ok(keys.get(at).filter(|&&found| found == key).map(|_| at))
    }

    /// How many batches begin with this key or one before it; at least `low` do.
    fn batches_before(&self, key: u64, mut low: usize) -> Result<usize, Fault> {
        let mut high = self.batches();
        while low < high {
            let middle = low + (high - low) / 2;
            let keys = self.numbers::<UInt64Type>(self.batch(middle)?, 0)?;
            self.check_values(&keys[..keys.len().min(1)])?;
            if keys.first().is_none_or(|&first| first <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
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

    /// Fails unless these values of the table are as they were written.
    #[inline]
    pub fn check_values<T>(&self, values: &[T]) -> Result<(), Fault> {
        self.file.check_values(values)
    }

    /// Fails unless the whole of a batch is as it was written.
    pub fn check_batch(&self, number: usize) -> Result<(), Fault> {
        let block = self.blocks.get(number);
        let block = block.ok_or_else(|| self.fault("a row lies outside the table"))?;
        let (meta, body) = self.file.places(block)?;
        self.file.check(meta.start..body.end)
    }

    /// A fault of this file.
    pub fn fault(&self, what: &str) -> Fault {
        self.file.fault(what)
    }

    /// The fault of a column that is not of its kind.
    pub fn wrong_column(&self) -> Fault {
        self.fault("the table has other columns than its format says")
    }

    /// Text is looked through in whole when it is decoded, so it is checked
    /// before; of numbers only the description is.
    fn decode(&self, number: usize) -> Result<RecordBatch, Fault> {
        let block = &self.blocks[number];
        let (meta, body) = self.file.places(block)?;
        let read = if self.has_text { body.end } else { meta.end };
        self.file.check(meta.start..read)?;
        let bytes = self
            .file
            .bytes
            .slice_with_length(meta.start, body.end - meta.start);
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

/// Lists of numbers, one a row.
pub struct Lists<'a, T> {
    file: &'a SealedFile,
    ends: &'a [i64],
    values: &'a [T],
}

impl<'a, T> Lists<'a, T> {
    /// The numbers of a row. Whoever uses them has them [checked](MappedTable::check_values).
    #[inline]
    pub fn at(&self, row: usize) -> Result<&'a [T], Fault> {
        let ends = &self.ends[row..row + 2];
        self.file.check_values(ends)?;
        Ok(&self.values[ends[0] as usize..ends[1] as usize])
    }
}

fn read_footer(footer: &[u8]) -> Result<(Schema, MetadataVersion, Vec<Block>), String> {
    let footer = root_as_footer(footer).map_err(|error| error.to_string())?;
    let schema = fb_to_schema(footer.schema().ok_or("the footer lacks the columns")?);
    let blocks = footer.recordBatches().iter().flatten().copied().collect();
    Ok((schema, footer.version(), blocks))
}

fn is_text(schema: &Schema, column: usize) -> bool {
    matches!(
        schema.field(column).data_type(),
        DataType::Utf8 | DataType::LargeUtf8
    )
}
