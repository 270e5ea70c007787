//! Writing a compressed table: an Arrow file in batches of a fixed number of rows (Zstandard).

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_ipc::{CompressionType, MetadataVersion};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;

/// Arrow pads buffers to this many bytes.
const ALIGNMENT: usize = 8;

/// Writes rows in batches of a fixed number, compressed.
pub struct CompressedWriter<W: Write> {
    out: FileWriter<W>,
    schema: SchemaRef,
    batch_rows: usize,
    held: Vec<RecordBatch>,
    rows: usize,
}

impl<W: Write> CompressedWriter<W> {
    /// To an empty file, at a level of Zstandard.
    pub fn new(
        file: W,
        schema: SchemaRef,
        batch_rows: usize,
        level: i32,
    ) -> Result<Self, ArrowError> {
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5)?
            .try_with_compression(Some(CompressionType::ZSTD))?
            .try_with_compression_level(Some(level))?;
        Ok(Self {
            out: FileWriter::try_new_with_options(file, &schema, options)?,
            schema,
            batch_rows: batch_rows.max(1),
            held: Vec::new(),
            rows: 0,
        })
    }

    /// Adds rows; whole batches go to the file.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let mut start = 0;
        while start < batch.num_rows() {
            let count = (self.batch_rows - self.rows).min(batch.num_rows() - start);
            self.held.push(batch.slice(start, count));
            self.rows += count;
            start += count;
            if self.rows == self.batch_rows {
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
        let nothing = RecordBatch::new_empty(self.schema.clone());
        let held = [&nothing].into_iter().chain(&self.held);
        let batch = concat_batches(&self.schema, held)?;
        self.held.clear();
        self.rows = 0;
        self.out.write(&batch)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    fn rows(range: std::ops::Range<i64>) -> RecordBatch {
        let numbers: Int64Array = range
            .clone()
            .map(|row| (row % 3 > 0).then_some(row))
            .collect();
        let texts: StringArray = range.map(|row| Some("x".repeat(row as usize))).collect();
        let columns: [(_, ArrayRef, _); 2] = [
            ("number", Arc::new(numbers), true),
            ("text", Arc::new(texts), false),
        ];
        RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
    }

    fn written(batches: &[RecordBatch]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer =
            CompressedWriter::new(&mut bytes, batches[0].schema(), 4, 1).expect("a writer");
        for batch in batches {
            writer.write(batch).expect("written");
        }
        writer.finish().expect("finished");
        bytes
    }

    #[test]
    fn rows_give_the_same_bytes_however_they_come() {
        let whole = written(&[rows(0..23)]);
        for cut in 0..23_u32 {
            assert_eq!(
                written(&[rows(0..cut.into()), rows(cut.into()..23)]),
                whole,
                "{cut}"
            );
            let first = cut as usize;
            let parts = [
                rows(0..23).slice(0, first),
                rows(0..23).slice(first, 23 - first),
            ];
            assert_eq!(written(&parts), whole, "{cut}");
        }
    }
}
