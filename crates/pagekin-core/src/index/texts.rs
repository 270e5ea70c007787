//! The texts of pages: an Arrow file in small compressed batches, of which one is decompressed to
//! read a page. Only crawled pages have a row.

use std::io::Write;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_ipc::{CompressionType, MetadataVersion};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::table::MappedTable;
use super::verified::{TableError, VerifiedFile};

/// Rows of a batch, which is part of the format.
pub const TEXT_ROWS: usize = 4;
/// Zstandard's quickest level: higher ones make texts hardly smaller.
const LEVEL: i32 = 1;
/// Arrow pads buffers to this many bytes.
const ALIGNMENT: usize = 8;

/// The text of a page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PageText {
    /// As it is read, one line for each break.
    pub text: String,
    /// Which of its words are in templates, in order.
    pub templates: Vec<Range<u32>>,
}

/// The texts of a shard.
#[derive(Debug)]
pub struct TextTable {
    table: MappedTable,
    rows: OnceLock<TextRows>,
}

impl TextTable {
    /// The texts in a file.
    pub fn open(file: Arc<VerifiedFile>) -> Result<Self, TableError> {
        Ok(Self {
            table: MappedTable::open_compressed(file, &["text", "templates"])?,
            rows: OnceLock::new(),
        })
    }

    /// The text of the page in a row of the shard, if it was fetched. `crawled` says which were.
    pub fn get(
        &self,
        row: usize,
        crawled: impl FnOnce() -> Result<Vec<bool>, TableError>,
    ) -> Result<Option<PageText>, TableError> {
        let rows = match self.rows.get() {
            Some(rows) => rows,
            None => {
                let rows = TextRows::new(&crawled()?);
                self.rows.get_or_init(|| rows)
            }
        };
        rows.rank(row).map(|place| self.read(place)).transpose()
    }

    fn read(&self, place: usize) -> Result<PageText, TableError> {
        let (batch, at) = self.table.decompress(place)?;
        let wrong = || {
            self.table
                .error("the table has other columns than its format says")
        };
        let text = batch.column(0).as_string_opt::<i64>().ok_or_else(wrong)?;
        let templates = batch.column(1).as_list_opt::<i64>().ok_or_else(wrong)?;
        let places = templates.value(at);
        let places = places.as_primitive_opt::<UInt32Type>().ok_or_else(wrong)?;
        let (ranges, _) = places.values().as_chunks::<2>();
        Ok(PageText {
            text: text.value(at).to_owned(),
            templates: ranges.iter().map(|&[from, to]| from..to).collect(),
        })
    }
}

/// Rank of bits: the row of a page among the crawled ones.
#[derive(Debug)]
struct TextRows {
    masks: Vec<u64>,
    /// How many are crawled before each mask.
    before: Vec<u32>,
}

impl TextRows {
    fn new(crawled: &[bool]) -> Self {
        let mask = |flags: &[bool]| {
            (0..)
                .zip(flags)
                .map(|(at, &flag)| u64::from(flag) << at)
                .sum()
        };
        let masks: Vec<u64> = crawled.chunks(64).map(mask).collect();
        let mut count = 0;
        let before = masks.iter().map(|mask| {
            let before = count;
            count += mask.count_ones();
            before
        });
        Self {
            before: before.collect(),
            masks,
        }
    }

    fn rank(&self, row: usize) -> Option<usize> {
        let mask = *self.masks.get(row / 64)?;
        let bit = 1u64 << (row % 64);
        let lower = (mask & (bit - 1)).count_ones();
        (mask & bit != 0).then(|| (self.before[row / 64] + lower) as usize)
    }
}

/// Writes texts in batches of [`TEXT_ROWS`], compressed.
pub struct TextWriter<W: Write> {
    out: FileWriter<W>,
    held: Vec<RecordBatch>,
    rows: usize,
}

impl<W: Write> TextWriter<W> {
    /// To an empty file.
    pub fn new(file: W) -> Result<Self, ArrowError> {
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5)?
            .try_with_compression(Some(CompressionType::ZSTD))?
            .try_with_compression_level(Some(LEVEL))?;
        Ok(Self {
            out: FileWriter::try_new_with_options(file, &schema(), options)?,
            held: Vec::new(),
            rows: 0,
        })
    }

    /// Adds rows; whole batches go to the file.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let mut start = 0;
        while start < batch.num_rows() {
            let count = (TEXT_ROWS - self.rows).min(batch.num_rows() - start);
            self.held.push(batch.slice(start, count));
            self.rows += count;
            start += count;
            if self.rows == TEXT_ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the last rows and the footer.
    pub fn finish(mut self) -> Result<(), ArrowError> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.out.finish()?;
        self.out.into_inner()?.flush()?;
        Ok(())
    }

    /// The held rows as one batch in buffers of its own, so that the same rows give the same bytes.
    fn flush(&mut self) -> Result<(), ArrowError> {
        let (mut ids, mut text, mut templates) = columns();
        for part in &self.held {
            let [id, own, places] = part.columns() else {
                return Err(ArrowError::SchemaError("texts have three columns".into()));
            };
            ids.append_slice(id.as_primitive::<UInt64Type>().values());
            let (own, places) = (own.as_string::<i64>(), places.as_list::<i64>());
            for row in 0..part.num_rows() {
                text.append_value(own.value(row));
                let places = places.value(row);
                templates
                    .values()
                    .append_slice(places.as_primitive::<UInt32Type>().values());
                templates.append(true);
            }
        }
        let columns: Vec<Arc<dyn Array>> = vec![
            Arc::new(ids.finish()),
            Arc::new(text.finish()),
            Arc::new(templates.finish()),
        ];
        self.held.clear();
        self.rows = 0;
        self.out.write(&RecordBatch::try_new(schema(), columns)?)
    }
}

type Columns = (
    arrow_array::builder::UInt64Builder,
    arrow_array::builder::LargeStringBuilder,
    arrow_array::builder::LargeListBuilder<arrow_array::builder::UInt32Builder>,
);

fn columns() -> Columns {
    let (ids, text, templates) = Columns::default();
    (ids, text, templates.with_field(item()))
}

fn item() -> Field {
    Field::new("item", DataType::UInt32, false)
}

fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::UInt64, false),
        Field::new("text", DataType::LargeUtf8, false),
        Field::new("templates", DataType::LargeList(Arc::new(item())), false),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawled_rows_are_counted() {
        let crawled: Vec<bool> = (0..200).map(|row| row % 3 != 1).collect();
        let rows = TextRows::new(&crawled);
        let mut count = 0;
        for (row, &is_crawled) in crawled.iter().enumerate() {
            assert_eq!(rows.rank(row), is_crawled.then_some(count));
            count += usize::from(is_crawled);
        }
        assert_eq!(rows.rank(200), None);
    }
}
