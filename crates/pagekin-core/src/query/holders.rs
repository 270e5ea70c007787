//! What every page shares with a bag, told by the holders of its terms alone.

use super::options::Place;
use super::searcher::Searcher;
use crate::index::{Bag, Fault, Held, Shard};

/// The overlap of each row of each shard; all zero between searches.
pub type Overlaps = Vec<Vec<u16>>;

/// Every page that shares a term with the bag, with its overlap.
pub fn overlaps(
    index: &Searcher,
    bag: Bag<'_>,
    memory: &mut Overlaps,
) -> Result<Vec<(u32, Place)>, Fault> {
    let mut found = Vec::new();
    for (number, (shard, sums)) in (0..).zip(index.shards().iter().zip(memory)) {
        sums.resize(shard.rows(), 0);
        if let Err(fault) = add_up(shard, bag, sums) {
            sums.fill(0);
            return Err(fault);
        }
        for (row, sum) in (0..).zip(sums.iter_mut()) {
            if *sum != 0 {
                let place = Place { shard: number, row };
                found.push((u32::from(std::mem::take(sum)), place));
            }
        }
    }
    Ok(found)
}

fn add_up(shard: &Shard, bag: Bag<'_>, sums: &mut [u16]) -> Result<(), Fault> {
    for (&term, &weight) in bag.terms.iter().zip(bag.weights) {
        if let Some(held) = shard.held(term)? {
            add(weight, held, sums)
                .ok_or_else(|| shard.holders.fault("a row lies outside the shard"))?;
        }
    }
    Ok(())
}

/// Adds the lesser weights of a term; nothing if there is no such row.
fn add(own: u16, held: Held<'_>, sums: &mut [u16]) -> Option<()> {
    for (&row, &weight) in held.rows.iter().zip(held.weights) {
        let sum = sums.get_mut(row as usize)?;
        *sum = sum.saturating_add(weight.min(own));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lesser_weights_add_up_row_by_row() {
        let mut sums = [0; 4];
        for (own, rows, weights) in [(10, [0, 2], [4, 40]), (7, [2, 3], [9, 1])] {
            let held = Held {
                rows: &rows,
                weights: &weights,
            };
            assert_eq!(add(own, held, &mut sums), Some(()));
            assert_eq!(add(own, held, &mut [0; 2]), None);
        }
        assert_eq!(sums, [4, 0, 17, 1]);
    }
}
