//! Answers of another system: for each query page some pages with scores.

use std::ops::Range;

use super::tally::Scores;
use crate::columns::Ragged;

/// Scored pages by query page. A page that is not ranked comes after all that are.
#[derive(Debug)]
pub struct Ranking {
    /// Other pages and their keys, a row for each query page.
    ranked: Ragged<(u32, u64)>,
}

impl Ranking {
    /// A ranking among N pages, of rows (query page, other page, score) in order of query pages.
    /// None if the rows are not in order or a page is not there.
    pub fn new(pages: usize, rows: impl IntoIterator<Item = (u32, u32, f64)>) -> Option<Self> {
        let rows = rows.into_iter();
        let rows = rows.map(|(query, other, score)| (query as usize, (other, ordered(score))));
        let ranked = Ragged::from_sorted(pages, rows)?;
        let mut others = ranked.values().iter().map(|&(other, _)| other as usize);
        let known = others.all(|other| other < pages);
        known.then_some(Self { ranked })
    }

    fn keys_of(&self, page: usize) -> Vec<u64> {
        let mut keys = vec![0; self.ranked.len()];
        for &(other, key) in self.ranked.row(page) {
            keys[other as usize] = key;
        }
        keys
    }
}

impl Scores for Ranking {
    fn pages(&self) -> usize {
        self.ranked.len()
    }

    fn keys(&self, pages: Range<usize>) -> Vec<Vec<u64>> {
        pages.map(|page| self.keys_of(page)).collect()
    }
}

/// A number above 0 that stands in the same order as the score.
fn ordered(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_order_of_scores() {
        let scores = [f64::NEG_INFINITY, -2.0, -1e-300, 0.0, 1e-300, 0.5, 3.0];
        let keys = scores.map(ordered);
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(keys[0] > 0);
        assert_eq!(ordered(-0.0), ordered(0.0));
    }

    #[test]
    fn unranked_page_has_no_key() {
        let ranking = Ranking::new(3, [(0, 2, 1.5), (2, 0, -1.0)]).expect("in order");
        let keys = ranking.keys(0..3);
        assert_eq!((keys[0][0], keys[0][1], keys[0][2] > 0), (0, 0, true));
        assert_eq!(keys[1], [0, 0, 0]);
        assert!(keys[2][0] > 0);
        assert!(Ranking::new(3, [(1, 0, 1.0), (0, 1, 1.0)]).is_none());
        assert!(Ranking::new(3, [(1, 3, 1.0)]).is_none());
    }
}
