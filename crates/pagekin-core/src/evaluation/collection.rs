//! All-pairs similarity (Bayardo, Ma and Srikant 2007) of a directory's pages, over inverted lists.
//!
//! A term that many pages have is a dense row of weights for all pages instead: adding up a
//! whole row is quicker than looking up a large part of it.

use std::ops::Range;

use super::tally::Scores;
use crate::columns::{Bag, Ragged};
use crate::sorting::{transpose, Ranks};

/// How alike two bags are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// Σ min / Σ max.
    Jaccard,
    /// The angle between them.
    Cosine,
}

/// Bags whose weights do not sum to the same, or to more than two bytes hold:
/// their order by Σ min is not that by Jaccard.
#[derive(Debug, PartialEq, Eq)]
pub struct UnequalSums {
    /// Number of the first such bag.
    pub bag: usize,
}

/// A term is a dense row if one page in this many has it.
const ROW_IF_ONE_IN: usize = 16;
/// Eight bytes a sum are added up more slowly, and a row pays later.
const WIDE_ROW_IF_ONE_IN: usize = 3;
/// How much of a row is added up at a time: the sums of many pages then stay in a near cache.
const STRETCH: usize = 512;
const NO_ROW: u32 = u32::MAX;

/// Bags, and the pages by term.
#[derive(Debug)]
pub struct Collection {
    /// The terms of each bag that another has as well, by number, and their weights.
    bags: Ragged<(u32, u16)>,
    squares: Vec<u64>,
    total: u32,
    /// The pages of each term, in order, and its weight there.
    lists: Ragged<(u32, u16)>,
    /// The row of each term that has one.
    row_of: Vec<u32>,
    rows: Vec<u16>,
}

impl Collection {
    /// The collection of these bags.
    pub fn new(bags: &[Bag<'_>]) -> Result<Self, UnequalSums> {
        let terms = shared_terms(bags);
        let mut numbered = Ragged::default();
        for bag in bags {
            let entries = bag.terms.iter().zip(bag.weights);
            numbered.push(entries.filter_map(|(&term, &weight)| Some((terms.find(term)?, weight))));
        }
        let pages = (0..).zip(numbered.iter());
        let entries = pages.flat_map(|(page, bag)| {
            let turned = move |&(term, weight): &(u32, u16)| (term as usize, (page, weight));
            bag.iter().map(turned)
        });
        let mut collection = Self {
            total: common_total(bags)?,
            squares: bags.iter().map(square).collect(),
            lists: transpose(terms.len(), entries),
            bags: numbered,
            row_of: vec![NO_ROW; terms.len()],
            rows: Vec::new(),
        };
        collection.densify();
        Ok(collection)
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.bags.len()
    }

    /// The similarity of one page to all.
    pub fn similarities(&self, page: usize, similarity: Similarity) -> Vec<f64> {
        match similarity {
            Similarity::Jaccard => {
                let sums = self.minima(page..page + 1).remove(0);
                let all = 2.0 * f64::from(self.total);
                let alike = |sum| f64::from(sum) / (all - f64::from(sum));
                sums.into_iter().map(alike).collect()
            }
            Similarity::Cosine => {
                let sums = self.products(page);
                let norm = |&square: &u64| (square.max(1) as f64).sqrt();
                let own = norm(&self.squares[page]);
                let pages = sums.iter().zip(&self.squares);
                pages
                    .map(|(&sum, other)| sum as f64 / (own * norm(other)))
                    .collect()
            }
        }
    }

    fn densify(&mut self) {
        let pages = self.pages();
        for (list, row_of) in self.lists.iter().zip(&mut self.row_of) {
            if list.len() * ROW_IF_ONE_IN < pages {
                continue;
            }
            let start = self.rows.len();
            *row_of = (start / pages) as u32;
            self.rows.resize(start + pages, 0);
            for &(page, weight) in list {
                self.rows[start + page as usize] = weight;
            }
        }
    }

    /// The row of a term that has one.
    fn row(&self, term: usize) -> &[u16] {
        let pages = self.pages();
        &self.rows[self.row_of[term] as usize * pages..][..pages]
    }

    /// Σ min of each of some pages' bags and every other one.
    fn minima(&self, pages: Range<usize>) -> Vec<Vec<u16>> {
        let mut sums = vec![vec![0; self.pages()]; pages.len()];
        let mut rows = Vec::new();
        for (sums, page) in sums.iter_mut().zip(pages.clone()) {
            for &(term, weight) in self.bags.row(page) {
                if self.row_of[term as usize] == NO_ROW {
                    add_list(sums, self.lists.row(term as usize), weight);
                } else {
                    rows.push((term, (page - pages.start) as u32, weight));
                }
            }
        }
        // By term, so that a stretch of its row is fetched once for all pages.
        rows.sort_unstable();
        for start in (0..self.pages()).step_by(STRETCH) {
            let stretch = start..self.pages().min(start + STRETCH);
            for &(term, page, weight) in &rows {
                let row = &self.row(term as usize)[stretch.clone()];
                add_row(&mut sums[page as usize][stretch.clone()], row, weight);
            }
        }
        sums
    }

    /// Σ of products of a page's bag and every other one.
    fn products(&self, page: usize) -> Vec<u64> {
        let mut sums = vec![0; self.pages()];
        for &(term, weight) in self.bags.row(page) {
            let (list, weight) = (self.lists.row(term as usize), u32::from(weight));
            if list.len() * WIDE_ROW_IF_ONE_IN >= self.pages() {
                for (sum, &other) in sums.iter_mut().zip(self.row(term as usize)) {
                    *sum += u64::from(u32::from(other) * weight);
                }
                continue;
            }
            for &(other, with) in list {
                sums[other as usize] += u64::from(u32::from(with) * weight);
            }
        }
        sums
    }
}

/// The terms that two bags share.
fn shared_terms(bags: &[Bag<'_>]) -> Ranks {
    let terms = bags.iter().flat_map(|bag| bag.terms);
    let mut sorted: Vec<u64> = terms.copied().collect();
    sorted.sort_unstable();
    let same = sorted.chunk_by(|one, two| one == two);
    let shared = same.filter(|same| same.len() > 1);
    Ranks::new(shared.map(|same| same[0]).collect())
}

fn add_list(sums: &mut [u16], list: &[(u32, u16)], weight: u16) {
    for &(other, with) in list {
        let sum = &mut sums[other as usize];
        *sum = sum.wrapping_add(with.min(weight));
    }
}

/// Σ min is never more than what a bag sums to, so that it fits two bytes: as
/// many sums as possible are added at a time.
fn add_row(sums: &mut [u16], row: &[u16], weight: u16) {
    for (sum, &other) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(other.min(weight));
    }
}

/// A collection as one similarity sees it.
pub struct SimilarityScores<'a>(pub &'a Collection, pub Similarity);

impl Scores for SimilarityScores<'_> {
    fn pages(&self) -> usize {
        self.0.pages()
    }

    /// Bags sum to the same, so that they stand by Jaccard as they do by Σ min.
    fn keys(&self, pages: Range<usize>) -> Vec<Vec<u64>> {
        match self.1 {
            Similarity::Jaccard => {
                let sums = self.0.minima(pages).into_iter();
                sums.map(|sums| sums.into_iter().map(u64::from).collect())
                    .collect()
            }
            Similarity::Cosine => pages.map(|page| self.cosine_keys(page)).collect(),
        }
    }
}

impl SimilarityScores<'_> {
    fn cosine_keys(&self, page: usize) -> Vec<u64> {
        let mut keys = self.0.products(page);
        for (key, &square) in keys.iter_mut().zip(&self.0.squares) {
            // The square of the cosine, but for the page's own norm, as an integer: equal cosines
            // have equal keys. It is below 2^64, as products are below the norms' product.
            let product = u128::from(*key);
            *key = (((product * product) << 32) / u128::from(square.max(1))) as u64;
        }
        keys
    }
}

/// What every bag that is not empty sums to.
fn common_total(bags: &[Bag<'_>]) -> Result<u32, UnequalSums> {
    let mut total = 0;
    for (number, bag) in bags.iter().enumerate() {
        let sum = bag.weights.iter().map(|&weight| u32::from(weight)).sum();
        if total == 0 {
            total = sum;
        }
        if sum > u32::from(u16::MAX) || sum != 0 && sum != total {
            return Err(UnequalSums { bag: number });
        }
    }
    Ok(total.max(1))
}

/// The square of a bag's Euclidean norm.
fn square(bag: &Bag<'_>) -> u64 {
    let squares = bag.weights.iter().map(|&weight| u64::from(weight).pow(2));
    squares.sum()
}

#[cfg(test)]
mod tests;
