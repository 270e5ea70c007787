//! Bit masks over the rows of a shard: scores of pages that may not be hits become 0 before the best
//! are chosen, so that filters cost a search nothing.

use super::options::PageSelection;
use crate::index::{Shard, TableError};

/// Which rows of a shard were fetched: all bits of a number are set, or none.
#[derive(Debug)]
pub struct CrawledRows {
    masks: Vec<u16>,
    crawled: usize,
}

impl CrawledRows {
    /// Reads the rows of a shard.
    pub fn read(shard: &Shard) -> Result<Self, TableError> {
        let masks =
            (0..shard.rows()).map(|row| Ok(if shard.is_crawled(row)? { u16::MAX } else { 0 }));
        let masks = masks.collect::<Result<Vec<_>, TableError>>()?;
        Ok(Self {
            crawled: masks.iter().filter(|&&mask| mask != 0).count(),
            masks,
        })
    }

    /// Whether the page in a row may be a hit.
    pub fn admits(&self, selection: PageSelection, row: u32) -> bool {
        let mask = self.masks.get(row as usize).copied();
        selection.admits(mask.unwrap_or_default() != 0)
    }

    /// Sets the numbers of all pages to 0 that may not be hits.
    pub fn clear_others(&self, selection: PageSelection, numbers: &mut [u16]) {
        let is_mixed = (1..self.masks.len()).contains(&self.crawled);
        match selection {
            PageSelection::All => {}
            _ if !is_mixed && selection.admits(self.crawled > 0) => {}
            PageSelection::Crawled => self.combine(numbers, |number, mask| number & mask),
            PageSelection::Uncrawled => self.combine(numbers, |number, mask| number & !mask),
        }
    }

    fn combine(&self, numbers: &mut [u16], combined: impl Fn(u16, u16) -> u16) {
        for (number, &mask) in numbers.iter_mut().zip(&self.masks) {
            *number = combined(*number, mask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleared(masks: &[u16], selection: PageSelection) -> Vec<u16> {
        let rows = CrawledRows {
            masks: masks.to_vec(),
            crawled: masks.iter().filter(|&&mask| mask != 0).count(),
        };
        let mut numbers = vec![7, 8, 9];
        rows.clear_others(selection, &mut numbers);
        for (row, &number) in (0..).zip(&numbers) {
            assert_eq!(rows.admits(selection, row), number != 0);
        }
        numbers
    }

    #[test]
    fn only_selected_rows_keep_their_numbers() {
        let mixed = [u16::MAX, 0, u16::MAX];
        assert_eq!(cleared(&mixed, PageSelection::Crawled), [7, 0, 9]);
        assert_eq!(cleared(&mixed, PageSelection::Uncrawled), [0, 8, 0]);
        assert_eq!(cleared(&mixed, PageSelection::All), [7, 8, 9]);
    }

    #[test]
    fn shards_of_one_kind_keep_all_or_nothing() {
        for (masks, selection) in [
            ([u16::MAX; 3], PageSelection::Crawled),
            ([0; 3], PageSelection::Uncrawled),
        ] {
            assert_eq!(cleared(&masks, selection), [7, 8, 9]);
            assert_eq!(cleared(&masks.map(|mask| !mask), selection), [0, 0, 0]);
        }
    }
}
