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

use std::cmp::Reverse;
use std::hint::black_box;
use std::sync::Arc;

use super::prepared::PreparedQuery;
use super::query_bag::QueryBag;
use super::result::PageRef;
use super::row_mask::IndexMask;
use super::searcher::Searcher;
use crate::columns::{Bag, TOTAL};
use crate::index::{
    ListBlock, PackedBag, Segment, TableError, UnverifiedPostings, WeightedPostings,
};
use crate::interrupt;
pub use accumulator::ScoreAccumulator;

/// Comparing a bag costs as much as adding this many weights.
const BAG_WORK: usize = 1_500;
/// Terms are added until the pending ones weigh this much, before a bag is compared.
const PENDING: u32 = TOTAL / 8;
/// About one page in this many has a light term.
const LIGHT_ONE_IN: usize = 16;
/// The lightest terms, which weigh at most this much together, are looked up last.
const LIGHT: u32 = TOTAL / 32;
/// Bytes that the processor fetches from memory at once.
const CACHE_LINE: usize = 64;

/// Weights of a column that are added in the time of one posting.
const COLUMN_WEIGHTS: usize = 16;

/// Terms in order with their weights.
type WeightedTerms = Vec<(u64, u16)>;

/// The pages that share something with a query; each is returned once.
pub struct MaxScore<'a> {
    index: &'a Searcher,
    query: PreparedQuery<'a>,
    /// Which pages are returned.
    mask: Arc<IndexMask>,
    /// The scores of the pages of each segment by their places: both of the first shard, both of
    /// the second, and so on.
    scores: &'a mut [ScoreAccumulator],
    /// Terms still to be added, the best value for work last.
    pending: Vec<PendingTerm<'a>>,
    /// Terms that were not looked up yet.
    light: WeightedTerms,
    /// The most that the scores of each segment can still grow by.
    bounds: Vec<u32>,
    /// The pages that were returned, by segment and place.
    returned: Vec<(usize, u32)>,
    /// The work of comparing a bag.
    bag_work: usize,
}

/// A term whose weights are still to be added in a segment.
struct PendingTerm<'a> {
    segment: usize,
    weight: u16,
    postings: UnverifiedPostings<'a>,
    /// The work of adding it, in postings.
    work: usize,
}

impl<'a> MaxScore<'a> {
    /// Searches an index that has inverted lists. `scores` may hold anything.
    pub fn new(
        index: &'a Searcher,
        query: &'a QueryBag,
        mask: Arc<IndexMask>,
        scores: &'a mut [ScoreAccumulator],
    ) -> Result<Self, TableError> {
        for (segment, scores) in scores.iter_mut().enumerate() {
            let mask = mask.segment(segment);
            scores.reset(if mask.admitted() > 0 { mask.rows() } else { 0 });
        }
        let (heavy, light) = split_by_weight(query.bag());
        let mut search = Self {
            index,
            query: PreparedQuery::new(index, query),
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

    /// Finds the postings of these terms, which ascend.
    fn look_up(&mut self, entries: &[(u64, u16)]) -> Result<(), TableError> {
        let terms: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        let pending = &mut self.pending;
        for (number, shard) in self.index.shards().iter().enumerate() {
            let segments = Segment::ALL.into_iter();
            let has_pages = |&segment: &Segment| {
                let mask = self.mask.segment(2 * number + segment as usize);
                mask.admitted() > 0
            };
            let segments: Vec<Segment> = segments.filter(has_pages).collect();
            shard.find_postings(&segments, &terms, |at, segment, postings| {
                pending.push(PendingTerm {
                    segment: 2 * number + segment as usize,
                    weight: entries[at].1,
                    postings,
                    work: work(postings),
                });
            })?;
        }
        pending.sort_unstable_by_key(|term| {
            Reverse(term.work * 256 / usize::from(term.weight.max(1)))
        });
        let light: u32 = self.light.iter().map(|entry| u32::from(entry.1)).sum();
        self.bounds.fill(light);
        for term in &self.pending {
            self.bounds[term.segment] += u32::from(term.weight);
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
            let least = |segment: usize| threshold.saturating_sub(bounds[segment]).max(1);
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

    /// Returns the pages whose scores are at least `least` in their segment.
    fn take(&mut self, least: impl Fn(usize) -> u32) -> Result<Vec<(u32, PageRef)>, TableError> {
        let mut pages = Vec::new();
        for (number, scores) in self.scores.iter().enumerate() {
            let (shard, segment) = (number / 2, Segment::ALL[number % 2]);
            let rows = self.index.shards()[shard].segment_rows(segment)?;
            for (place, score) in scores.at_least(least(number)) {
                let (shard, row) = (shard as u32, rows[place as usize]);
                pages.push((score.into(), PageRef { shard, row }));
                self.returned.push((number, place));
            }
        }
        if !self.is_complete() {
            let bags = pages.iter().map(|page| self.index.packed_bag(page.1));
            let bags = bags.collect::<Result<Vec<_>, _>>()?;
            prefetch(&bags);
            for (round, (page, bag)) in pages.iter_mut().zip(&bags).enumerate() {
                interrupt::check_now_and_then(round);
                page.0 = self.query.overlap_with(page.1, bag)?;
            }
        }
        Ok(pages)
    }

    /// Pages that were returned, and those that are not selected, have no score any more.
    fn clear_others(&mut self) {
        for &(segment, place) in &self.returned {
            self.scores[segment].clear(place);
        }
        if self.is_complete() {
            self.returned.clear();
        }
        for (segment, scores) in self.scores.iter_mut().enumerate() {
            self.mask.segment(segment).clear_others(scores.scores_mut());
            scores.update_tops();
        }
    }

    /// How many pages have scores of at least `least` in their segment.
    fn count_reaching(&self, least: impl Fn(usize) -> u32) -> usize {
        let segments = self.scores.iter().enumerate();
        segments
            .map(|(segment, scores)| scores.at_least(least(segment)).count())
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
        let (mut columns, mut block) = (vec![Vec::new(); self.scores.len()], ListBlock::default());
        for term in &terms {
            interrupt::check();
            let scores = &mut self.scores[term.segment];
            match term.postings.verify()? {
                WeightedPostings::Column(weights) => {
                    columns[term.segment].push((term.weight, weights));
                }
                WeightedPostings::List(list) => scores
                    .add(term.weight, list, &mut block)
                    .ok_or_else(|| term.postings.broken())?,
            }
        }
        for (segment, columns) in columns.iter_mut().enumerate() {
            let added = self.scores[segment].add_columns(columns);
            let of_segment = || terms.iter().find(|term| term.segment == segment);
            if let (None, Some(term)) = (added, of_segment()) {
                return Err(term.postings.broken());
            }
        }
        Ok(())
    }

    /// Takes pending terms until no score can grow by more than `bound` through the rest.
    fn next_terms(&mut self, bound: u32) -> Result<Vec<PendingTerm<'a>>, TableError> {
        let mut terms = Vec::new();
        while self.bounds.iter().any(|&weight| weight > bound) {
            match self.pending.pop() {
                Some(term) => {
                    self.bounds[term.segment] -= u32::from(term.weight);
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

/// The work of adding a term.
fn work(postings: UnverifiedPostings<'_>) -> usize {
    if postings.is_column() {
        postings.len() / COLUMN_WEIGHTS
    } else {
        postings.len()
    }
}

/// Prefetches bags: the processor then waits for many of them at a time.
fn prefetch(bags: &[PackedBag<'_>]) {
    for bag in bags {
        let lines = bag.bytes().iter().step_by(CACHE_LINE);
        black_box(lines.fold(0, |all, byte| all ^ byte));
    }
}

#[cfg(test)]
mod tests;
