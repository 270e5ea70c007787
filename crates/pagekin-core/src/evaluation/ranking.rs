//! Answers of another system: for each query page some pages with scores.

use std::ops::Range;

use super::tally::Scores;

/// Scored pages by query page. A page that is not ranked comes after all that are.
#[derive(Debug)]
pub struct Ranking {
    pages: usize,
    ends: Vec<usize>,
    others: Vec<u32>,
    keys: Vec<u64>,
}

impl Ranking {
    /// A ranking among so many pages, of rows (query page, other page, score)
    /// in order of query pages. None if the rows are not in order or a page is
    /// not there.
    pub fn new(pages: usize, rows: impl IntoIterator<Item = (u32, u32, f64)>) -> Option<Self> {
        let mut ranking = Self {
            pages,
            ends: Vec::with_capacity(pages),
            others: Vec::new(),
            keys: Vec::new(),
        };
        for (query, other, score) in rows {
            if (query.max(other) as usize) >= pages || (query as usize) < ranking.ends.len() {
                return None;
            }
            ranking.ends.resize(query as usize, ranking.others.len());
            ranking.others.push(other);
            ranking.keys.push(ordered(score));
        }
        ranking.ends.resize(pages, ranking.others.len());
        Some(ranking)
    }

    fn keys_of(&self, page: usize) -> Vec<u64> {
        let mut keys = vec![0; self.pages];
        let start = if page == 0 { 0 } else { self.ends[page - 1] };
        for at in start..self.ends[page] {
            keys[self.others[at] as usize] = self.keys[at];
        }
        keys
    }
}

impl Scores for Ranking {
    fn len(&self) -> usize {
        self.pages
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
