//! MaxScore (Turtle and Flood 1995), term at a time over weighted inverted lists.
//!
//! The smaller weights of the terms are added up page by page, those terms first that weigh
//! most for the work they make. The weight of the pending terms bounds what any score can
//! still grow by. Once few pages can still reach the threshold, their bags are compared and
//! the long lists of light terms are never read. The result is exact.
//!
//! Unlike Lucene's, it goes term at a time, the bound of a term is its weight in the query, and
//! survivors are completed by random access to their bags, as in Fagin's combined algorithm.

mod accumulator;
mod dense;

use std::cmp::Reverse;
use std::hint::black_box;
use std::sync::Arc;

use super::prepared::PreparedQuery;
use super::result::PageRef;
use super::row_mask::IndexMask;
use super::searcher::Searcher;
use crate::columns::{Bag, TOTAL};
use crate::index::{TableError, UnverifiedPostings};
pub use accumulator::ScoreAccumulator;
use dense::is_frequent;
pub use dense::DenseTerms;

/// Comparing a bag costs as much as adding this many weights.
const BAG_WORK: usize = 1_500;
/// Terms are added until the pending ones weigh this much, before a bag is compared.
const PENDING: u32 = TOTAL / 8;
/// About one page in this many has a light term.
const LIGHT_ONE_IN: usize = 16;
/// The lightest terms, which weigh at most this much together, are looked up last.
const LIGHT: u32 = TOTAL / 32;
/// Terms of a bag that lie in one page of memory.
const MEMORY_PAGE: usize = 512;

/// Terms in order with their weights.
type WeightedTerms = Vec<(u64, u16)>;

/// The pages that share something with a query; each is returned once.
pub struct MaxScore<'a> {
    index: &'a Searcher,
    query: &'a PreparedQuery,
    /// Which pages are returned.
    mask: Arc<IndexMask>,
    scores: &'a mut [ScoreAccumulator],
    /// Terms still to be added, the best value for work last.
    pending: Vec<PendingTerm<'a>>,
    /// Terms that were not looked up yet.
    light: WeightedTerms,
    /// The most that the scores of each shard can still grow by.
    bounds: Vec<u32>,
    returned: Vec<PageRef>,
    /// The work of comparing a bag.
    bag_work: usize,
}

/// A term whose weights are still to be added in a shard.
struct PendingTerm<'a> {
    shard: usize,
    term: u64,
    weight: u16,
    postings: UnverifiedPostings<'a>,
    /// The work of adding it, in weights added one by one.
    work: usize,
}

impl<'a> MaxScore<'a> {
    /// Searches an index that has inverted lists. `scores` may hold anything.
    pub fn new(
        index: &'a Searcher,
        query: &'a PreparedQuery,
        mask: Arc<IndexMask>,
        scores: &'a mut [ScoreAccumulator],
    ) -> Result<Self, TableError> {
        for (shard, scores) in index.shards().iter().zip(scores.iter_mut()) {
            scores.reset(shard.rows());
        }
        let (heavy, light) = split_by_weight(query.bag());
        let mut search = Self {
            index,
            query,
            mask,
            bounds: vec![0; scores.len()],
            scores,
            pending: Vec::new(),
            light,
            returned: Vec::new(),
            bag_work: BAG_WORK,
        };
        search.look_up(&heavy)?;
        Ok(search)
    }

    /// Finds the lists of these terms, which ascend.
    fn look_up(&mut self, entries: &[(u64, u16)]) -> Result<(), TableError> {
        let terms: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        let pending = &mut self.pending;
        for (number, shard) in self.index.shards().iter().enumerate() {
            shard.find_postings(&terms, |at, postings| {
                pending.push(PendingTerm {
                    shard: number,
                    term: terms[at],
                    weight: entries[at].1,
                    postings,
                    work: work(postings.len(), shard.rows()),
                });
            })?;
        }
        pending.sort_unstable_by_key(|term| {
            Reverse(term.work * 256 / usize::from(term.weight.max(1)))
        });
        let light: u32 = self.light.iter().map(|entry| u32::from(entry.1)).sum();
        self.bounds.fill(light);
        for term in &self.pending {
            self.bounds[term.shard] += u32::from(term.weight);
        }
        Ok(())
    }

    /// Whether the scores are the overlaps.
    fn is_complete(&self) -> bool {
        self.pending.is_empty() && self.light.is_empty()
    }

    /// About `wanted` pages that are likely the best, with their overlaps; none if all pages
    /// were returned.
    pub fn likely_best(&mut self, wanted: usize) -> Result<Vec<(u32, PageRef)>, TableError> {
        self.add_terms(PENDING)?;
        self.clear_others();
        let mut least = self.score_of_rank(wanted);
        let reaching = self.count_reaching(|_| least);
        if reaching == 0 || reaching * self.bag_work > self.pending_work() {
            self.add_terms(0)?;
            self.clear_others();
            least = self.score_of_rank(wanted);
        }
        self.take(|_| least)
    }

    /// A score that about this many pages reach.
    fn score_of_rank(&self, wanted: usize) -> u32 {
        let tops = self.scores.iter().flat_map(ScoreAccumulator::tops);
        let mut scores: Vec<u16> = tops.copied().collect();
        if scores.len() < wanted {
            let all = self.scores.iter().flat_map(ScoreAccumulator::scores);
            scores = all.copied().collect();
        }
        match scores.len().checked_sub(wanted) {
            Some(lower) if wanted > 0 => (*scores.select_nth_unstable(lower).1).max(1).into(),
            _ => 1,
        }
    }

    /// Every page that was not returned yet and whose overlap is at least `threshold`, with its
    /// overlap; perhaps others.
    pub fn at_least(&mut self, threshold: u32) -> Result<Vec<(u32, PageRef)>, TableError> {
        loop {
            self.clear_others();
            let bounds = self.bounds.clone();
            let least = |shard: usize| threshold.saturating_sub(bounds[shard]).max(1);
            // A page of which nothing was added yet has no score to be found by.
            let has_score = bounds.iter().all(|&bound| bound < threshold);
            let is_cheap = || self.count_reaching(least) * self.bag_work <= self.half_the_work();
            if self.is_complete() || (has_score && is_cheap()) {
                return self.take(least);
            }
            let most = bounds.iter().copied().max();
            self.add_terms(most.unwrap_or(0) / 2)?;
        }
    }

    /// Returns the pages whose scores are at least `least` in their shard.
    fn take(&mut self, least: impl Fn(usize) -> u32) -> Result<Vec<(u32, PageRef)>, TableError> {
        let mut pages = Vec::new();
        for (shard, scores) in self.scores.iter().enumerate() {
            for (row, score) in scores.at_least(least(shard)) {
                let shard = shard as u32;
                pages.push((score.into(), PageRef { shard, row }));
            }
        }
        if !self.is_complete() {
            let bags = pages.iter().map(|page| self.index.bag(page.1));
            let bags = bags.collect::<Result<Vec<_>, _>>()?;
            prefetch(&bags);
            for (page, bag) in pages.iter_mut().zip(&bags) {
                page.0 = self.query.overlap(bag);
            }
        }
        self.returned.extend(pages.iter().map(|page| page.1));
        Ok(pages)
    }

    /// Pages that were returned, and those that are not selected, have no score any more.
    fn clear_others(&mut self) {
        for page in &self.returned {
            self.scores[page.shard as usize].clear_row(page.row);
        }
        if self.is_complete() {
            self.returned.clear();
        }
        for (shard, scores) in self.scores.iter_mut().enumerate() {
            self.mask.shard(shard).clear_others(scores.scores_mut());
            scores.update_tops();
        }
    }

    /// How many pages have scores of at least `least` in their shard.
    fn count_reaching(&self, least: impl Fn(usize) -> u32) -> usize {
        let shards = self.scores.iter().enumerate();
        shards
            .map(|(shard, scores)| scores.at_least(least(shard)).count())
            .sum()
    }

    /// About the work of adding all terms.
    fn pending_work(&self) -> usize {
        let pending: usize = self.pending.iter().map(|term| term.work).sum();
        pending + self.light.len() * self.index.pages() / LIGHT_ONE_IN
    }

    /// About the work of adding terms until the pending ones weigh half as much.
    fn half_the_work(&self) -> usize {
        let mut weight = self.bounds.iter().sum::<u32>() / 2;
        let terms = self.pending.iter().rev().take_while(|term| {
            let wanted = weight > 0;
            weight = weight.saturating_sub(term.weight.into());
            wanted
        });
        let work = terms.map(|term| term.work).sum();
        if weight > 0 {
            self.pending_work()
        } else {
            work
        }
    }

    /// Adds terms until no score can grow by more than `bound`.
    fn add_terms(&mut self, bound: u32) -> Result<(), TableError> {
        let terms = self.next_terms(bound)?;
        terms.iter().for_each(|term| term.postings.prefetch());
        let mut dense = vec![Vec::new(); self.scores.len()];
        for term in terms {
            let rows = self.index.shards()[term.shard].rows();
            let postings = term.postings.verify()?;
            let vectors = self.index.dense_terms(term.shard);
            match vectors.vector(term.term, postings, rows) {
                Some(weights) => dense[term.shard].push((term.weight, weights)),
                None => self.scores[term.shard]
                    .add(term.weight, postings)
                    .ok_or_else(|| term.postings.row_error())?,
            }
        }
        for (scores, dense) in self.scores.iter_mut().zip(dense) {
            scores.add_dense(&dense);
        }
        Ok(())
    }

    /// Takes pending terms until no score can grow by more than `bound` through the rest.
    fn next_terms(&mut self, bound: u32) -> Result<Vec<PendingTerm<'a>>, TableError> {
        let mut terms = Vec::new();
        while self.bounds.iter().any(|&weight| weight > bound) {
            match self.pending.pop() {
                Some(term) => {
                    self.bounds[term.shard] -= u32::from(term.weight);
                    terms.push(term);
                }
                None => {
                    let light = std::mem::take(&mut self.light);
                    self.look_up(&light)?;
                }
            }
        }
        Ok(terms)
    }
}

/// The heavy terms of a bag and the light ones, both in order.
fn split_by_weight(bag: Bag<'_>) -> (WeightedTerms, WeightedTerms) {
    let mut weights = bag.weights.to_vec();
    weights.sort_unstable();
    let mut sum = 0;
    let lightest = weights.iter().find(|&&weight| {
        sum += u32::from(weight);
        sum > LIGHT
    });
    let heavy = lightest.copied().unwrap_or(0);
    let entries = bag.terms.iter().copied().zip(bag.weights.iter().copied());
    entries.partition(|entry| entry.1 >= heavy)
}

/// The work of adding a term with this many postings.
fn work(postings: usize, rows: usize) -> usize {
    if is_frequent(postings, rows) {
        rows / 16
    } else {
        postings
    }
}

/// Prefetches bags, in each page of memory that they take: the processor then waits for many
/// of them at a time.
fn prefetch(bags: &[Bag<'_>]) {
    for bag in bags {
        black_box(bag.weights.first().copied());
        let terms = bag.terms.iter().step_by(MEMORY_PAGE);
        black_box(terms.fold(0, |all, term| all ^ term));
    }
}

#[cfg(test)]
mod tests;
