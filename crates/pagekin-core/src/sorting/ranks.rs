//! Rank lookup of 64-bit hashes: a sorted list with a table of where each leading part begins.

use super::buckets::sort_by_hash;
use super::transpose::starts;

/// Only chosen hashes share a leading part more often than this.
const LARGE: usize = 16;

/// Distinct hashes in order, with a table of where each leading part begins.
#[derive(Debug, Default)]
pub struct Ranks {
    sorted: Vec<u64>,
    starts: Vec<u32>,
    shift: u32,
}

impl Ranks {
    /// The distinct values of a list.
    pub fn new(mut values: Vec<u64>) -> Self {
        sort_by_hash((&mut values, &mut Vec::new()), |&value| value, u64::cmp);
        values.dedup();
        let bits = (usize::BITS - values.len().leading_zeros()).max(1);
        let shift = 64 - bits;
        let buckets = values.iter().map(|value| (value >> shift) as usize);
        let mut starts: Vec<u32> = starts(1 << bits, buckets);
        starts.push(values.len() as u32);
        Self {
            sorted: values,
            starts,
            shift,
        }
    }

    /// The place of a value that is in the list.
    #[inline]
    pub fn of(&self, value: u64) -> u32 {
        let bucket = (value >> self.shift) as usize;
        let mut at = self.starts[bucket] as usize;
        let end = self.starts[bucket + 1] as usize;
        if end - at > LARGE {
            return self.search(at, end, value);
        }
        while at + 1 < end && self.sorted[at] < value {
            at += 1;
        }
        at as u32
    }

    /// Binary search, for hashes that were chosen to share their leading part.
    #[cold]
    fn search(&self, start: usize, end: usize, value: u64) -> u32 {
        let before = self.sorted[start..end].partition_point(|&known| known < value);
        (start + before).min(end - 1) as u32
    }

    /// The place of a value, if it is in the list.
    #[inline]
    pub fn find(&self, value: u64) -> Option<u32> {
        let at = self.of(value);
        (self.sorted.get(at as usize) == Some(&value)).then_some(at)
    }

    /// The values in order.
    pub fn values(&self) -> &[u64] {
        &self.sorted
    }

    /// The values in order, without the table.
    pub fn into_values(self) -> Vec<u64> {
        self.sorted
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::word_term;

    #[test]
    fn values_are_found_at_their_rank() {
        let values: Vec<u64> = (0..5000)
            .map(|i| word_term(format!("w{}", i % 3000)))
            .collect();
        let ranks = Ranks::new(values.clone());
        assert_eq!(ranks.len(), 3000);
        for value in values {
            assert_eq!(ranks.values()[ranks.of(value) as usize], value);
        }
        assert_eq!(Ranks::new(vec![]).len(), 0);
        let ends = Ranks::new(vec![u64::MAX, 0]);
        assert_eq!(ends.of(u64::MAX), 1);
        assert_eq!(
            (ends.find(0), ends.find(u64::MAX), ends.find(1)),
            (Some(0), Some(1), None)
        );
        assert_eq!(Ranks::new(vec![]).find(7), None);
    }

    #[test]
    fn hashes_with_one_leading_part_are_found() {
        let values: Vec<u64> = (0..1000).map(|i| (5 << 60) | (i * 2)).collect();
        let ranks = Ranks::new(values.iter().copied().chain([u64::MAX]).collect());
        for (rank, &value) in values.iter().enumerate() {
            assert_eq!(
                (ranks.of(value), ranks.find(value + 1)),
                (rank as u32, None)
            );
            assert_eq!(ranks.find(value), Some(rank as u32));
        }
        assert_eq!(ranks.find((5 << 60) | 1999), None);
    }
}
