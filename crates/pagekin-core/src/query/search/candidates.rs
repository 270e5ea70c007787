//! Candidates by sketch collisions, as counted by ScanCount: the pages that share the most
//! positions of a sketch, a few at a time.

use crate::query::result::PageRef;

/// Rows that are skipped together if none of them shares enough.
const STRETCH: usize = 64;
/// Pages wanted at first.
const FEW: usize = 256;
/// The most candidates.
const MOST: usize = 30_000;

/// Pages in order of the positions they share, the most first. Nearly all pages
/// share too few to matter, so they are gathered only as far as they are needed.
pub struct Candidates<'a> {
    counts: &'a [Vec<u16>],
    /// The highest count of each stretch of rows.
    tops: Vec<Vec<u16>>,
    /// Pages that share fewer positions are not candidates.
    fewest: u16,
    /// Pages that share at least this many have been gathered.
    gathered: u16,
    /// Gathered and not taken: count and pages, the most positions last.
    waiting: Vec<(u16, Vec<PageRef>)>,
    wanted: usize,
}

impl<'a> Candidates<'a> {
    /// Candidates by the positions that each row of each shard shares.
    pub fn new(counts: &'a [Vec<u16>], fewest: u16) -> Self {
        let tops = |counts: &Vec<u16>| counts.chunks(STRETCH).map(highest).collect();
        let tops: Vec<Vec<u16>> = counts.iter().map(tops).collect();
        Self {
            counts,
            gathered: tops.iter().map(|tops| highest(tops)).max().unwrap_or(0) + 1,
            tops,
            fewest,
            waiting: Vec::new(),
            wanted: FEW,
        }
    }

    /// How many positions the next pages share.
    pub fn next_count(&mut self) -> Option<u16> {
        while self.waiting.is_empty() && self.gathered > self.fewest {
            let low = self.lowest(self.wanted.min(MOST));
            if low >= self.gathered {
                if self.wanted >= MOST {
                    break;
                }
            } else {
                self.gather(low);
            }
            self.wanted *= 4;
        }
        self.waiting.last().map(|(count, _)| *count)
    }

    /// The next pages, all of which share the same number of positions.
    pub fn take(&mut self) -> Vec<PageRef> {
        self.waiting
            .pop()
            .map(|(_, pages)| pages)
            .unwrap_or_default()
    }

    /// The fewest positions of which at most `most` pages share as many.
    fn lowest(&self, most: usize) -> u16 {
        let (mut low, mut high) = (self.fewest, self.gathered);
        let mut step = 8;
        // The answer is small, so the search starts from below.
        while low < high {
            let middle = low.saturating_add(step).min(high - 1);
            if self.pages_with(middle) <= most {
                high = middle;
            } else {
                low = middle + 1;
            }
            step = (high - low) / 2;
        }
        high
    }

    fn pages_with(&self, least: u16) -> usize {
        let stretches = (0..self.counts.len()).flat_map(|shard| self.stretches(shard, least));
        stretches
            .map(|(_, counts)| counts.iter().filter(|&&count| count >= least).count())
            .sum()
    }

    /// The stretches of a shard with a row that has at least this count: first row and counts.
    fn stretches(&self, shard: usize, least: u16) -> impl Iterator<Item = (usize, &'a [u16])> + '_ {
        let counts = self.counts[shard].chunks(STRETCH);
        self.tops[shard]
            .iter()
            .zip(counts)
            .enumerate()
            .filter(move |(_, (&top, _))| top >= least)
            .map(|(number, (_, counts))| (number * STRETCH, counts))
    }

    fn gather(&mut self, low: u16) {
        let high = self.gathered - 1;
        let mut found: Vec<(u16, Vec<PageRef>)> =
            (low..=high).map(|count| (count, Vec::new())).collect();
        for shard in 0..self.counts.len() {
            for (first, counts) in self.stretches(shard, low) {
                for (row, &count) in (first as u32..).zip(counts) {
                    if (low..=high).contains(&count) {
                        let shard = shard as u32;
                        found[usize::from(count - low)]
                            .1
                            .push(PageRef { shard, row });
                    }
                }
            }
        }
        found.retain(|(_, pages)| !pages.is_empty());
        self.waiting = found;
        self.gathered = low;
    }
}

fn highest(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |most, &count| count.max(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(counts: &[Vec<u16>], fewest: u16) -> Vec<(u16, Vec<PageRef>)> {
        let mut candidates = Candidates::new(counts, fewest);
        let mut all = Vec::new();
        while let Some(count) = candidates.next_count() {
            all.push((count, candidates.take()));
        }
        all
    }

    #[test]
    fn candidates_are_ordered_by_shared_positions() {
        let counts = vec![(0..4000).map(|row| row % 60).collect(), vec![300, 0, 3, 60]];
        let all = taken(&counts, 1);
        assert!(all.windows(2).all(|pair| pair[0].0 > pair[1].0));
        assert_eq!(all[0], (300, vec![PageRef { shard: 1, row: 0 }]));
        let pages: usize = all.iter().map(|(_, pages)| pages.len()).sum();
        let shared = counts[0].iter().filter(|&&count| count > 0).count();
        assert_eq!(pages, shared + 3);
        for (count, pages) in all {
            for page in pages {
                assert_eq!(counts[page.shard as usize][page.row as usize], count);
            }
        }
        assert_eq!(taken(&counts, 200).len(), 1);
        assert!(taken(&[vec![0; 50]], 1).is_empty());
        assert!(taken(&[], 1).is_empty());
    }

    #[test]
    fn candidates_are_bounded() {
        let counts = [vec![1; 2 * MOST], vec![2; 100]];
        let all = taken(&counts, 1);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].0, all[0].1.len()), (2, 100));
    }
}
