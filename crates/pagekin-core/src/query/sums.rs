//! What each page of a shard shares with a bag, as far as it has been added up.

use std::sync::Arc;

use crate::index::Held;

/// Rows that are passed over together if the sum of none is large enough.
const STRETCH: usize = 64;
/// Rows whose sums stay close to the processor while several terms are added.
const BLOCK: usize = 8_192;

/// A sum for each row.
#[derive(Debug, Default)]
pub struct Sums {
    sums: Vec<u16>,
    /// The highest sum of each stretch of rows, when it was last looked for.
    tops: Vec<u16>,
}

impl Sums {
    /// So many sums of 0.
    pub fn clear(&mut self, rows: usize) {
        self.sums.clear();
        self.sums.resize(rows, 0);
    }

    /// Adds the lesser weights of a term; nothing if there is no such row.
    pub fn add(&mut self, own: u16, held: Held<'_>) -> Option<()> {
        for (&row, &weight) in held.rows.iter().zip(held.weights) {
            let sum = self.sums.get_mut(row as usize)?;
            *sum = sum.saturating_add(weight.min(own));
        }
        Some(())
    }

    /// Adds the lesser weights of terms that have one for every row.
    pub fn add_common(&mut self, terms: &[(u16, Arc<[u16]>)]) {
        for (block, sums) in self.sums.chunks_mut(BLOCK).enumerate() {
            for (own, weights) in terms {
                for (sum, &weight) in sums.iter_mut().zip(&weights[block * BLOCK..]) {
                    *sum = sum.saturating_add(weight.min(*own));
                }
            }
        }
    }

    /// Makes a sum 0.
    pub fn forget(&mut self, row: u32) {
        if let Some(sum) = self.sums.get_mut(row as usize) {
            *sum = 0;
        }
    }

    /// Looks for the highest sum of each stretch.
    pub fn find_tops(&mut self) {
        let stretches = self.sums.chunks(STRETCH);
        let highest = |sums: &[u16]| sums.iter().fold(0, |most, &sum| sum.max(most));
        self.tops.clear();
        self.tops.extend(stretches.map(highest));
    }

    /// The sums.
    pub fn all(&self) -> &[u16] {
        &self.sums
    }

    /// The highest sums of stretches.
    pub fn tops(&self) -> &[u16] {
        &self.tops
    }

    /// The rows with sums at least so large, and these. The tops have been looked for.
    pub fn at_least(&self, least: u32) -> impl Iterator<Item = (u32, u16)> + '_ {
        let stretches = self.tops.iter().zip(self.sums.chunks(STRETCH)).enumerate();
        let high = stretches.filter(move |(_, (&top, _))| u32::from(top) >= least);
        high.flat_map(move |(number, (_, sums))| {
            let rows = (number * STRETCH) as u32..;
            let pairs = rows.zip(sums.iter().copied());
            pairs.filter(move |&(_, sum)| u32::from(sum) >= least)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lesser_weights_add_up_row_by_row() {
        let mut sums = Sums::default();
        sums.clear(4);
        for (own, rows, weights) in [(10, [0, 2], [4, 40]), (7, [2, 3], [9, 1])] {
            let held = Held {
                rows: &rows,
                weights: &weights,
            };
            assert_eq!(sums.add(own, held), Some(()));
            let mut few = Sums::default();
            few.clear(2);
            assert_eq!(few.add(own, held), None);
        }
        assert_eq!(sums.sums, [4, 0, 17, 1]);
    }

    #[test]
    fn terms_with_a_weight_for_every_row_add_up_to_the_same() {
        let rows = 2 * BLOCK + 77;
        let weights: Vec<u16> = (0..rows).map(|row| (row * 31 % 97) as u16).collect();
        let mut sums = Sums::default();
        sums.clear(rows);
        sums.add_common(&[(50, weights.clone().into()), (20, weights.clone().into())]);
        let expected: Vec<u16> = weights.iter().map(|&w| w.min(50) + w.min(20)).collect();
        assert_eq!(sums.sums, expected);
    }

    #[test]
    fn large_sums_are_found_in_order() {
        let mut sums = Sums::default();
        sums.clear(1000);
        for (row, sum) in sums.sums.iter_mut().enumerate() {
            *sum = (row * 7919 % 1000) as u16;
        }
        sums.forget(3);
        for least in [1, 500, 990, 999, 1000, 70_000] {
            sums.find_tops();
            let expected = (0..).zip(sums.sums.iter().copied());
            let expected: Vec<_> = expected
                .filter(|&(_, sum)| u32::from(sum) >= least)
                .collect();
            assert_eq!(sums.at_least(least).collect::<Vec<_>>(), expected);
        }
    }
}
