//! The texts of pages: an Arrow file in small compressed batches, of which one is decompressed to
//! read a page. Only crawled pages have a row.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;

use super::files::table::MappedTable;
use super::files::verified::{TableError, VerifiedFile};

/// Rows of a batch, which is part of the format.
pub const TEXT_ROWS: usize = 4;

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
