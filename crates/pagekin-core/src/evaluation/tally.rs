//! Concordant and discordant pairs (Goodman and Kruskal 1954) of a directory and a similarity.

use std::ops::Range;

use super::family::{Family, Relation};

/// The similarity of one page to all others.
pub trait Scores {
    /// How many pages there are.
    fn pages(&self) -> usize;
    /// For each of some pages, and each page, a number that stands in the
    /// order of their similarity; 0 where they have nothing in common.
    fn keys(&self, pages: Range<usize>) -> Vec<Vec<u64>>;
}

/// Query pages that are compared together: data read for one of them
/// is near when the next one needs it.
const TOGETHER: usize = 32;

/// How many distances of the familial ordering there are.
const DISTANCES: usize = 4;
/// Where the pairs of the whole familial ordering are counted.
const WHOLE: usize = 3;

/// What was counted for one query page. Pairs are of a page of the same class
/// and a sibling, a cousin, an unrelated page, and last all pairs of two pages
/// at different distances (the paper's definition 2): in this order.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Tally {
    /// Pairs in which the nearer page is the more similar one.
    pub concordant: [u64; 4],
    /// Pairs in which the farther one is.
    pub discordant: [u64; 4],
    /// Pairs of equal similarity.
    pub tied: [u64; 4],
    /// Other pages of the same class.
    pub same: u64,
    /// Those of them that have nothing in common with the query page.
    pub orthogonal: u64,
    /// How many of the first k answers are of the same class, for each k that
    /// was asked for. Of pages tied for the last places each counts its share.
    pub hits: Vec<f64>,
}

/// Counts for some query pages.
pub fn tally(
    scores: &impl Scores,
    family: &Family,
    ks: &[usize],
    queries: Range<usize>,
) -> Vec<Tally> {
    let mut counter = Counter::default();
    let mut tallies = Vec::with_capacity(queries.len());
    for start in queries.clone().step_by(TOGETHER) {
        let block = start..queries.end.min(start + TOGETHER);
        for (query, keys) in block.clone().zip(scores.keys(block)) {
            counter.keys = keys;
            family.relations(query, &mut counter.relations);
            tallies.push(counter.count(query, ks));
        }
    }
    tallies
}

#[derive(Default)]
struct Counter {
    keys: Vec<u64>,
    relations: Vec<Relation>,
    /// The keys of the same class, in order.
    same: Vec<u64>,
    /// The keys of all pages but the query page with their distances, in order.
    ordered: Vec<(u64, u8)>,
    answers: Vec<u64>,
}

impl Counter {
    fn count(&mut self, query: usize, ks: &[usize]) -> Tally {
        self.same.clear();
        let pages = self.keys.iter().zip(&self.relations).enumerate();
        self.same.extend(
            pages
                .filter(|&(page, (_, &relation))| relation == Relation::Same && page != query)
                .map(|(_, (&key, _))| key),
        );
        self.same.sort_unstable();
        let mut tally = Tally {
            same: self.same.len() as u64,
            orthogonal: self.same.partition_point(|&key| key == 0) as u64,
            ..Tally::default()
        };
        if !self.same.is_empty() {
            self.count_pairs(query, &mut tally);
        }
        tally.hits = ks.iter().map(|&k| self.hits(query, k)).collect();
        tally
    }

    /// Pages are visited from the least similar to the most similar one. Those
    /// of equal similarity come together, after all that are less similar.
    fn count_pairs(&mut self, query: usize, tally: &mut Tally) {
        self.ordered.clear();
        let pages = self.keys.iter().zip(&self.relations).enumerate();
        self.ordered.extend(
            pages
                .filter(|&(page, _)| page != query)
                .map(|(_, (&key, &relation))| (key, relation as u8)),
        );
        self.ordered.sort_unstable();
        let mut below = [0; DISTANCES];
        for equal in self.ordered.chunk_by(|one, two| one.0 == two.0) {
            let mut here = [0; DISTANCES];
            for &(_, distance) in equal {
                here[usize::from(distance)] += 1;
            }
            tally.add(&here, &below);
            for (below, here) in below.iter_mut().zip(here) {
                *below += here;
            }
        }
    }

    /// How many of the `k` most similar pages are of the same class. A page
    /// that has nothing in common with the query does not count.
    fn hits(&mut self, query: usize, k: usize) -> f64 {
        self.answers.clear();
        let found = self.keys.iter().enumerate();
        self.answers.extend(
            found
                .filter(|&(page, &key)| key > 0 && page != query)
                .map(|(_, &key)| key),
        );
        let last = if k == 0 {
            return 0.0;
        } else if self.answers.len() > k {
            let (_, last, _) = self
                .answers
                .select_nth_unstable_by(k - 1, |one, two| two.cmp(one));
            *last
        } else {
            1
        };
        self.hits_from(last, k)
    }

    /// Those above the key of the last place, and a share of those at it.
    fn hits_from(&self, last: u64, k: usize) -> f64 {
        let above = |keys: &[u64]| keys.iter().filter(|&&key| key > last).count();
        let at = |keys: &[u64]| keys.iter().filter(|&&key| key == last).count();
        let (answers_above, answers_at) = (above(&self.answers), at(&self.answers));
        let left = k.saturating_sub(answers_above).min(answers_at);
        let share = if answers_at == 0 {
            0.0
        } else {
            left as f64 / answers_at as f64
        };
        above(&self.same) as f64 + share * at(&self.same) as f64
    }
}

impl Tally {
    /// Adds the pairs of pages of equal similarity, counted by distance, with
    /// each other and with those below them.
    fn add(&mut self, here: &[u64; DISTANCES], below: &[u64; DISTANCES]) {
        for near in 0..DISTANCES {
            for far in near + 1..DISTANCES {
                let pairs = (
                    here[near] * below[far],
                    below[near] * here[far],
                    here[near] * here[far],
                );
                self.count(WHOLE, pairs);
                if near == Relation::Same as usize {
                    self.count(far - 1, pairs);
                }
            }
        }
    }

    fn count(&mut self, place: usize, (concordant, discordant, tied): (u64, u64, u64)) {
        self.concordant[place] += concordant;
        self.discordant[place] += discordant;
        self.tied[place] += tied;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Ranking;

    /// Two pages of the query's class, one sibling, one cousin, two unrelated.
    fn family() -> Family {
        let paths = vec![vec![1, 1, 1], vec![1, 1, 2], vec![1, 2, 1], vec![2, 1, 1]];
        let pages = [0, 0, 0, 1, 2, 3, 3].map(|class| vec![class]);
        Family::new(paths, &pages).expect("known classes")
    }

    fn tallied(scores: [f64; 6]) -> Tally {
        let rows = (1..7).zip(scores).map(|(other, score)| (0, other, score));
        let ranked = rows.filter(|&(_, _, score)| score > 0.0);
        let ranking = Ranking::new(7, ranked).expect("in order");
        tally(&ranking, &family(), &[1, 2, 4], 0..1).remove(0)
    }

    #[test]
    fn perfect_order_is_concordant_on_every_pair() {
        let found = tallied([0.9, 0.8, 0.7, 0.5, 0.1, 0.0]);
        assert_eq!(found.concordant, [2, 2, 4, 13]);
        assert_eq!((found.discordant, found.tied), ([0; 4], [0; 4]));
        assert_eq!((found.same, found.orthogonal), (2, 0));
        assert_eq!(found.hits, [1.0, 2.0, 2.0]);
    }

    #[test]
    fn reversed_order_is_discordant_on_every_pair() {
        let found = tallied([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        assert_eq!(found.discordant, [2, 2, 4, 13]);
        assert_eq!((found.concordant, found.tied), ([0; 4], [0; 4]));
        assert_eq!(found.hits, [0.0, 0.0, 0.0]);
    }

    #[test]
    fn ties_are_neither_concordant_nor_discordant() {
        let found = tallied([0.5, 0.0, 0.5, 0.0, 0.5, 0.7]);
        assert_eq!(found.concordant, [0, 1, 0, 2]);
        assert_eq!(found.discordant, [1, 0, 3, 7]);
        assert_eq!(found.tied, [1, 1, 1, 4]);
        assert_eq!(found.orthogonal, 1);
        // Three pages share the second place; one of them is of the class.
        assert_eq!(found.hits, [0.0, 1.0 / 3.0, 1.0]);
    }

    #[test]
    fn page_alone_in_its_class_has_no_pairs() {
        let ranking = Ranking::new(7, []).expect("in order");
        let found = tally(&ranking, &family(), &[10], 3..4).remove(0);
        assert_eq!(found.same, 0);
        assert_eq!(found.tied, [0; 4]);
    }
}
