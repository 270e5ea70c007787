//! All-pairs similarity of the bags of a directory's pages, over inverted lists.
//!
//! A term that many pages have is a dense row of weights for all pages instead: adding up a
//! whole row is quicker than looking up a large part of it.

use std::ops::Range;

use super::lookup::PrefixLookup;
use super::tally::Scores;

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
#[derive(Debug, Default)]
pub struct Collection {
    ends: Vec<usize>,
    terms: Vec<u32>,
    weights: Vec<u16>,
    norms: Vec<f64>,
    total: u32,
    /// Where each term's pages end.
    list_ends: Vec<usize>,
    list_pages: Vec<u32>,
    list_weights: Vec<u16>,
    /// The row of each term that has one.
    row_of: Vec<u32>,
    rows: Vec<u16>,
}

impl Collection {
    /// Bags that end at these places among the terms and weights.
    pub fn new(ends: &[usize], terms: &[u64], weights: &[u16]) -> Result<Self, UnequalSums> {
        let mut collection = Self {
            total: common_total(ends, weights)?,
            norms: norms(ends, weights),
            ..Self::default()
        };
        collection.number(ends, terms, weights);
        collection.list(ends.len());
        collection.densify(ends.len());
        Ok(collection)
    }

    /// How many bags there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
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
                let norm = self.norms[page].max(1.0);
                let pages = sums.iter().zip(&self.norms);
                pages
                    .map(|(&sum, other)| sum as f64 / (norm * other.max(1.0)))
                    .collect()
            }
        }
    }

    /// Keeps the terms that two bags share, under small numbers.
    fn number(&mut self, ends: &[usize], terms: &[u64], weights: &[u16]) {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        let shared: Vec<u64> = sorted
            .chunk_by(|one, two| one == two)
            .filter(|same| same.len() > 1)
            .map(|same| same[0])
            .collect();
        let lookup = PrefixLookup::new(&shared);
        let mut start = 0;
        for &end in ends {
            for at in start..end {
                if let Some(number) = lookup.find(terms[at]) {
                    self.terms.push(number);
                    self.weights.push(weights[at]);
                }
            }
            self.ends.push(self.terms.len());
            start = end;
        }
        self.row_of = vec![NO_ROW; shared.len()];
    }

    /// The pages of each term, in order.
    fn list(&mut self, pages: usize) {
        let mut next = vec![0; self.row_of.len() + 1];
        for &term in &self.terms {
            next[term as usize + 1] += 1;
        }
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        self.list_ends = next[1..].to_vec();
        self.list_pages = vec![0; self.terms.len()];
        self.list_weights = vec![0; self.terms.len()];
        for page in 0..pages {
            for at in self.bag(page) {
                let place = &mut next[self.terms[at] as usize];
                self.list_pages[*place] = page as u32;
                self.list_weights[*place] = self.weights[at];
                *place += 1;
            }
        }
    }

    fn densify(&mut self, pages: usize) {
        for term in 0..self.row_of.len() {
            let list = self.list_of(term);
            if list.len() * ROW_IF_ONE_IN < pages {
                continue;
            }
            let start = self.rows.len();
            self.row_of[term] = (start / pages) as u32;
            self.rows.resize(start + pages, 0);
            for at in list {
                self.rows[start + self.list_pages[at] as usize] = self.list_weights[at];
            }
        }
    }

    fn bag(&self, page: usize) -> Range<usize> {
        let start = if page == 0 { 0 } else { self.ends[page - 1] };
        start..self.ends[page]
    }

    fn list_of(&self, term: usize) -> Range<usize> {
        let start = if term == 0 {
            0
        } else {
            self.list_ends[term - 1]
        };
        start..self.list_ends[term]
    }

    /// The row of a term that has one.
    fn row(&self, term: usize) -> &[u16] {
        let pages = self.len();
        &self.rows[self.row_of[term] as usize * pages..][..pages]
    }

    /// Σ min of each of some pages' bags and every other one.
    fn minima(&self, pages: Range<usize>) -> Vec<Vec<u16>> {
        let mut sums = vec![vec![0; self.len()]; pages.len()];
        let mut rows = Vec::new();
        for (sums, page) in sums.iter_mut().zip(pages.clone()) {
            for at in self.bag(page) {
                let term = self.terms[at];
                if self.row_of[term as usize] == NO_ROW {
                    self.add_list(sums, term as usize, self.weights[at]);
                } else {
                    rows.push((term, (page - pages.start) as u32, self.weights[at]));
                }
            }
        }
        // By term, so that a stretch of its row is fetched once for all pages.
        rows.sort_unstable();
        for start in (0..self.len()).step_by(STRETCH) {
            let stretch = start..self.len().min(start + STRETCH);
            for &(term, page, weight) in &rows {
                let row = &self.row(term as usize)[stretch.clone()];
                add_row(&mut sums[page as usize][stretch.clone()], row, weight);
            }
        }
        sums
    }

    fn add_list(&self, sums: &mut [u16], term: usize, weight: u16) {
        let list = self.list_of(term);
        let pages = self.list_pages[list.clone()].iter();
        for (&other, &with) in pages.zip(&self.list_weights[list]) {
            let sum = &mut sums[other as usize];
            *sum = sum.wrapping_add(with.min(weight));
        }
    }

    /// Σ of products of a page's bag and every other one.
    fn products(&self, page: usize) -> Vec<u64> {
        let mut sums = vec![0; self.len()];
        for at in self.bag(page) {
            let (term, weight) = (self.terms[at] as usize, u32::from(self.weights[at]));
            let list = self.list_of(term);
            if list.len() * WIDE_ROW_IF_ONE_IN >= self.len() {
                for (sum, &other) in sums.iter_mut().zip(self.row(term)) {
                    *sum += u64::from(u32::from(other) * weight);
                }
                continue;
            }
            let pages = self.list_pages[list.clone()].iter();
            for (&other, &with) in pages.zip(&self.list_weights[list]) {
                sums[other as usize] += u64::from(u32::from(with) * weight);
            }
        }
        sums
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
    fn len(&self) -> usize {
        self.0.len()
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
        for (key, norm) in keys.iter_mut().zip(&self.0.norms) {
            // The bits of positive numbers stand in their order.
            *key = (*key as f64 / norm.max(1.0)).to_bits();
        }
        keys
    }
}

/// What every bag that is not empty sums to.
fn common_total(ends: &[usize], weights: &[u16]) -> Result<u32, UnequalSums> {
    let (mut total, mut start) = (0, 0);
    for (bag, &end) in ends.iter().enumerate() {
        let sum = weights[start..end]
            .iter()
            .map(|&weight| u32::from(weight))
            .sum();
        if total == 0 {
            total = sum;
        }
        if sum > u32::from(u16::MAX) || sum != 0 && sum != total {
            return Err(UnequalSums { bag });
        }
        start = end;
    }
    Ok(total.max(1))
}

fn norms(ends: &[usize], weights: &[u16]) -> Vec<f64> {
    let mut start = 0;
    let norm = |&end: &usize| {
        let squares = weights[start..end]
            .iter()
            .map(|&weight| u64::from(weight).pow(2));
        start = end;
        (squares.sum::<u64>() as f64).sqrt()
    };
    ends.iter().map(norm).collect()
}

#[cfg(test)]
mod tests;
