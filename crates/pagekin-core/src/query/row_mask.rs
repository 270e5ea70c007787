//! Bit masks over the rows of an index: scores of pages that may not be hits become 0 before the
//! best are chosen, so that k hits come back if there are k.
//!
//! A mask is computed by one pass over the table `pages`. The masks used last are kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::members::ReplacedRows;
use super::result::PageRef;
use super::selection::PageSelection;
use crate::index::{Segment, Shard, TableError};
use crate::interrupt;

/// Masks that are kept: four bytes a page each.
const KEPT: usize = 16;

/// Which rows of an index may be hits.
#[derive(Debug)]
pub struct IndexMask {
    shards: Vec<RowMask>,
    /// The same by places in segments: both of the first shard, both of the second, and so on.
    segments: Vec<RowMask>,
    /// How many pages meet the first condition, the first two, and so on.
    pub remaining: Vec<usize>,
    /// How many pages meet all conditions.
    pub admitted: usize,
}

impl IndexMask {
    /// Reads the rows of all shards, except those that are replaced.
    pub fn read(
        shards: &[Shard],
        replaced: &ReplacedRows,
        selection: &PageSelection,
    ) -> Result<Self, TableError> {
        let mut remaining = vec![0; selection.conditions.len()];
        let (mut masks, mut segments) = (Vec::new(), Vec::new());
        for (shard, replaced) in shards.iter().zip(replaced) {
            let mask = RowMask::read(shard, replaced, selection, &mut remaining)?;
            for segment in Segment::ALL {
                segments.push(mask.select(shard.segment_rows(segment)?));
            }
            masks.push(mask);
        }
        Ok(Self {
            admitted: masks.iter().map(|mask| mask.admitted).sum(),
            shards: masks,
            segments,
            remaining,
        })
    }

    /// The mask of a shard.
    pub fn shard(&self, number: usize) -> &RowMask {
        &self.shards[number]
    }

    /// The mask of a segment by places.
    pub fn segment(&self, number: usize) -> &RowMask {
        &self.segments[number]
    }

    /// Whether a page may be a hit.
    pub fn admits(&self, page: PageRef) -> bool {
        self.shards[page.shard as usize].admits(page.row)
    }

    /// For each row of each shard whether its page may be a hit.
    pub fn rows(&self) -> impl Iterator<Item = bool> + '_ {
        let shards = self.shards.iter();
        shards.flat_map(|shard| (0..shard.rows as u32).map(|row| shard.admits(row)))
    }
}

/// Which rows of a shard, or places of a segment, may be hits.
#[derive(Debug)]
pub struct RowMask {
    rows: usize,
    admitted: usize,
    /// For each row all bits of a number, or none. Empty if all or no rows may be hits.
    masks: Vec<u16>,
}

impl RowMask {
    fn read(
        shard: &Shard,
        replaced: &[u32],
        selection: &PageSelection,
        remaining: &mut [usize],
    ) -> Result<Self, TableError> {
        let rows = shard.rows();
        if selection.conditions.is_empty() && replaced.is_empty() {
            return Ok(Self::new(rows, rows, Vec::new()));
        }
        let mut masks = vec![0; rows];
        let mut replaced = replaced.iter().map(|&row| row as usize).peekable();
        for (row, mask) in masks.iter_mut().enumerate() {
            interrupt::check_now_and_then(row);
            if replaced.next_if_eq(&row).is_some() {
                continue;
            }
            let mut passed = true;
            for (condition, count) in selection.conditions.iter().zip(remaining.iter_mut()) {
                passed = condition.admits(shard, row)?;
                if !passed {
                    break;
                }
                *count += 1;
            }
            *mask = if passed { u16::MAX } else { 0 };
        }
        let admitted = masks.iter().filter(|&&mask| mask != 0).count();
        Ok(Self::new(rows, admitted, masks))
    }

    fn new(rows: usize, admitted: usize, masks: Vec<u16>) -> Self {
        let is_mixed = (1..rows).contains(&admitted);
        Self {
            rows,
            admitted,
            masks: if is_mixed { masks } else { Vec::new() },
        }
    }

    /// The mask of some rows, in this order.
    fn select(&self, rows: &[u32]) -> Self {
        let masks = rows
            .iter()
            .map(|&row| if self.admits(row) { u16::MAX } else { 0 });
        let masks: Vec<u16> = masks.collect();
        let admitted = masks.iter().filter(|&&mask| mask != 0).count();
        Self::new(rows.len(), admitted, masks)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many of them may be hits.
    pub fn admitted(&self) -> usize {
        self.admitted
    }

    /// Whether the page in a row may be a hit.
    pub fn admits(&self, row: u32) -> bool {
        match self.masks.get(row as usize) {
            Some(&mask) => mask != 0,
            None => self.admitted > 0 && self.masks.is_empty(),
        }
    }

    /// Sets the numbers of all pages to 0 that may not be hits.
    pub fn clear_others(&self, numbers: &mut [u16]) {
        if self.admitted == 0 {
            numbers.fill(0);
        }
        for (number, &mask) in numbers.iter_mut().zip(&self.masks) {
            *number &= mask;
        }
    }
}

/// The masks used last, the latest first.
#[derive(Debug, Default)]
pub struct MaskCache {
    kept: Mutex<Vec<(PageSelection, Arc<IndexMask>)>>,
}

impl MaskCache {
    /// The mask of a selection: kept, or made now.
    pub fn mask(
        &self,
        shards: &[Shard],
        replaced: &ReplacedRows,
        selection: &PageSelection,
    ) -> Result<Arc<IndexMask>, TableError> {
        if let Some(mask) = self.find(selection) {
            return Ok(mask);
        }
        let mask = Arc::new(IndexMask::read(shards, replaced, selection)?);
        let mut kept = self.lock();
        kept.insert(0, (selection.clone(), Arc::clone(&mask)));
        kept.truncate(KEPT);
        Ok(mask)
    }

    fn find(&self, selection: &PageSelection) -> Option<Arc<IndexMask>> {
        let mut kept = self.lock();
        let place = kept.iter().position(|(other, _)| other == selection)?;
        kept[..=place].rotate_right(1);
        Some(Arc::clone(&kept[0].1))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(PageSelection, Arc<IndexMask>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::selection::PageCondition;

    #[test]
    fn only_admitted_rows_keep_their_numbers() {
        for masks in [[u16::MAX, 0, u16::MAX], [0; 3], [u16::MAX; 3]] {
            let admitted = masks.iter().filter(|&&mask| mask != 0).count();
            let rows = RowMask::new(3, admitted, masks.to_vec());
            let mut numbers = [7, 8, 9];
            rows.clear_others(&mut numbers);
            assert_eq!(numbers, [7 & masks[0], 8 & masks[1], 9 & masks[2]]);
            for (row, &number) in (0..).zip(&numbers) {
                assert_eq!(rows.admits(row), number != 0);
            }
        }
        let mixed = RowMask::new(2, 1, vec![0, u16::MAX]);
        assert!(!mixed.admits(2));
    }

    #[test]
    fn the_masks_used_last_are_kept() {
        let (cache, none) = (MaskCache::default(), ReplacedRows::new());
        let selection = |least| PageSelection {
            conditions: vec![PageCondition::MinLength(least)],
        };
        let first = cache.mask(&[], &none, &selection(0)).expect("sound");
        for least in 0..2 * KEPT as u32 {
            cache.mask(&[], &none, &selection(least)).expect("sound");
            let again = cache.mask(&[], &none, &selection(0)).expect("sound");
            assert!(Arc::ptr_eq(&first, &again), "{least}");
        }
        assert_eq!(cache.lock().len(), KEPT);
        assert!(cache.find(&selection(1)).is_none());
    }
}
