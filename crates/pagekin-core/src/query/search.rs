//! One search: by MaxScore where the index has inverted lists, else by candidates of equal sketch
//! positions. Candidates are re-ranked by their bags until a binomial stopping rule says that
//! the pages left are hardly ever among the best.

pub(super) mod candidates;
pub(super) mod folding;
mod fusion;
pub(super) mod matches;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use super::maxscore::MaxScore;
use super::options::SearchOptions;
use super::prepared::PreparedQuery;
use super::query_bag::QueryBag;
use super::result::{FilterCounts, PageRef, ScoredPage, SearchResult};
use super::row_mask::IndexMask;
use super::search::candidates::Candidates;
use super::search::folding::{Folding, RankedPage};
use super::search::matches::{binomial_cdf, count_equal, count_matches};
use super::searcher::{SearchBuffers, Searcher};
use crate::columns::{overlap_of, score};
use crate::index::TableError;
use crate::interrupt;

pub use fusion::WordScores;

/// Re-ranking stops when a page as good as the last hit would be missed less often than this.
const MISS_RATE: f64 = 0.003;
/// At most this many pages are scanned where the sketches cannot decide.
const FALLBACK_SCAN_LIMIT: usize = 1 << 18;
/// Pages that may be hits are compared one by one if they are at most this many,
const FEW: usize = 4_096;
/// and at most one page in this many.
const ONE_IN: usize = 64;
/// For more hits than this every page is compared.
const MANY: usize = 1_000;

/// A search under way.
pub struct Search<'a> {
    index: &'a Searcher,
    query: PreparedQuery<'a>,
    options: &'a SearchOptions,
    /// Which pages may be hits.
    mask: Arc<IndexMask>,
    folding: Folding<'a>,
    min_overlap: u32,
    excluded: HashSet<PageRef>,
    /// Every page that may be a hit.
    ranked: Vec<RankedPage>,
    /// The best overlaps, the lowest of them on top.
    best: BinaryHeap<Reverse<u32>>,
    filtered: FilterCounts,
    compared: usize,
}

impl<'a> Search<'a> {
    /// A search for the pages most like a query.
    pub fn new(
        index: &'a Searcher,
        query: &'a QueryBag,
        options: &'a SearchOptions,
    ) -> Result<Self, TableError> {
        Ok(Self {
            index,
            query: PreparedQuery::new(index, query),
            options,
            mask: index.mask(&options.pages)?,
            folding: Folding::new(index, options),
            min_overlap: overlap_of(options.min_score).max(1),
            excluded: options.exclude_pages.iter().copied().collect(),
            ranked: Vec::new(),
            best: BinaryHeap::new(),
            filtered: FilterCounts::default(),
            compared: 0,
        })
    }

    /// Runs the search. `buffers` may hold anything.
    pub fn run(mut self, buffers: &mut SearchBuffers) -> Result<SearchResult, TableError> {
        if self.query.bag().is_empty() {
            return self.result(true);
        }
        let scans = self.options.exact || self.index.is_mixed();
        if scans || self.options.k > MANY || self.is_selective() {
            self.scan()?;
            return self.result(true);
        }
        if self.index.has_postings() && self.options.alpha == 0.0 {
            let mask = Arc::clone(&self.mask);
            let pages = MaxScore::new(self.index, self.query.bag(), mask, &mut buffers.scores)?;
            return self.by_postings(pages);
        }
        self.by_sketch(&mut buffers.counts)
    }

    /// Whether so few pages may be hits that comparing them all is the quickest.
    fn is_selective(&self) -> bool {
        let few = FEW.min(self.index.pages() / ONE_IN);
        self.mask.admitted <= few && self.options.alpha == 0.0
    }

    /// The best of these pages.
    pub fn among(mut self, pages: &[PageRef]) -> Result<SearchResult, TableError> {
        if !self.query.bag().is_empty() {
            for &page in pages {
                self.compare(page, 0)?;
            }
        }
        self.result(false)
    }

    /// The best of the pages that share something: first likely ones, then whatever may be as
    /// good as the last hit, or a near duplicate of it.
    fn by_postings(mut self, mut pages: MaxScore<'_>) -> Result<SearchResult, TableError> {
        let mut wanted = 2 * self.options.k + 10;
        let mut settled = u32::MAX;
        loop {
            let result = self.result(self.index.lists_every_page())?;
            let threshold = self.threshold(&result.hits);
            let found = match threshold {
                Some(threshold) if threshold >= settled => return Ok(result),
                Some(threshold) => pages.at_least(threshold)?,
                None => pages.likely_best(wanted)?,
            };
            if threshold.is_none() && found.is_empty() {
                return Ok(result);
            }
            settled = threshold.unwrap_or(settled);
            wanted *= 4;
            self.compared += found.len();
            for (overlap, page) in found {
                self.consider(page, overlap)?;
            }
        }
    }

    /// The least overlap that matters to these hits, if there are enough.
    fn threshold(&self, hits: &[ScoredPage]) -> Option<u32> {
        let last = hits.last().filter(|_| hits.len() >= self.options.k)?;
        Some(last.overlap.saturating_sub(self.folding.margin).max(1))
    }

    fn by_sketch(mut self, counts: &mut [Vec<u16>]) -> Result<SearchResult, TableError> {
        self.count_agreement(counts)?;
        for (shard, counts) in counts.iter_mut().enumerate() {
            self.mask.shard(shard).clear_others(counts);
        }
        let mut candidates = Candidates::new(counts, self.fewest_matches());
        let mut wanted = self.options.k;
        loop {
            let sure = self.rerank(&mut candidates, wanted)?;
            if !sure && self.options.alpha == 0.0 && self.mask.admitted <= FALLBACK_SCAN_LIMIT {
                self.scan()?;
                return self.result(true);
            }
            let result = self.result(false)?;
            if !sure || self.is_settled(&result, &mut candidates, wanted) {
                return Ok(result);
            }
            wanted = wanted * 2 + 10;
        }
    }

    /// Counts the positions of each page's sketch that agree with that of the query.
    fn count_agreement(&self, counts: &mut [Vec<u16>]) -> Result<(), TableError> {
        let sketching = self.index.sketching();
        let sketch = sketching.sketch(self.query.bag().bag());
        for (number, (shard, counts)) in self.index.shards().iter().zip(counts).enumerate() {
            if self.index.has_postings() {
                let all = self.index.sketches(number)?;
                count_equal(shard, &sketch, all, sketching.min_inlinks, counts)?;
            } else {
                count_matches(shard, &sketch, counts)?;
            }
        }
        Ok(())
    }

    /// Whether no page that was not compared is likely to be a hit, now that `wanted` pages are
    /// sure. Near duplicates and pages of one site become one hit, so the last hit may rank far
    /// behind the last of these pages. If there are fewer pages than wanted, the rest were already
    /// found unlikely to reach the minimum score.
    fn is_settled(
        &self,
        result: &SearchResult,
        candidates: &mut Candidates<'_>,
        wanted: usize,
    ) -> bool {
        let next = candidates.next_count();
        let last = result.hits.get(self.options.k.saturating_sub(1));
        last.is_some_and(|hit| self.is_unlikely(next.unwrap_or(0).into(), hit.overlap))
            || self.ranked.len() < wanted
    }

    fn positions(&self) -> usize {
        self.index.sketching().positions
    }

    /// How many positions a page must share to be a candidate.
    fn fewest_matches(&self) -> u16 {
        (self.options.alpha * self.positions() as f64).floor() as u16 + 1
    }

    /// Compares candidates, the likeliest first, until `wanted` hits are sure. Returns whether
    /// they are.
    fn rerank(
        &mut self,
        candidates: &mut Candidates<'_>,
        wanted: usize,
    ) -> Result<bool, TableError> {
        self.best = self.ranked.iter().map(|ranked| ranked.0).collect();
        while self.best.len() > wanted {
            self.best.pop();
        }
        while let Some(count) = candidates.next_count() {
            if self.is_sure(usize::from(count), wanted) {
                return Ok(true);
            }
            for page in candidates.take() {
                self.compare(page, wanted)?;
            }
        }
        // Candidates beyond their bound are given up: scanning for them makes answers 1.4 times as
        // slow in an index of 215,000 pages, and found nothing (bench/NOTES.md).
        Ok(self.is_sure(0, wanted))
    }

    /// Whether pages that share at most this many positions are hardly ever hits.
    fn is_sure(&self, matches: usize, wanted: usize) -> bool {
        let last = match self.best.peek() {
            Some(Reverse(last)) if self.best.len() >= wanted => *last,
            _ => self.min_overlap,
        };
        self.is_unlikely(matches, last)
    }

    fn is_unlikely(&self, matches: usize, overlap: u32) -> bool {
        binomial_cdf(matches, self.positions(), score(overlap)) < MISS_RATE
    }

    fn compare(&mut self, page: PageRef, wanted: usize) -> Result<(), TableError> {
        if !self.mask.admits(page) {
            return Ok(());
        }
        interrupt::check_now_and_then(self.compared);
        let overlap = self.query.overlap(page)?;
        self.compared += 1;
        if self.consider(page, overlap)? {
            self.best.push(Reverse(overlap));
            if self.best.len() > wanted {
                self.best.pop();
            }
        }
        Ok(())
    }

    /// Ranks a page if the filters let it pass. Returns whether they do.
    fn consider(&mut self, page: PageRef, overlap: u32) -> Result<bool, TableError> {
        if overlap == 0 || self.excluded.contains(&page) || !self.passes(page, overlap)? {
            return Ok(false);
        }
        self.ranked.push((Reverse(overlap), page));
        Ok(true)
    }

    fn passes(&mut self, page: PageRef, overlap: u32) -> Result<bool, TableError> {
        let options = self.options;
        if overlap < self.min_overlap {
            self.filtered.score += 1;
            return Ok(false);
        }
        if !options.exclude_sites.is_empty() {
            let site = self.index.page_meta(page)?.site;
            if options.exclude_sites.iter().any(|other| other == site) {
                self.filtered.site += 1;
                return Ok(false);
            }
        }
        for &source in &options.exclude_links_from {
            if self.index.is_link(source, self.index.id(page)?)? {
                self.filtered.linked += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares every page that may be a hit.
    fn scan(&mut self) -> Result<(), TableError> {
        self.ranked.clear();
        self.filtered = FilterCounts::default();
        self.compared = 0;
        for (shard, table) in (0..).zip(self.index.shards()) {
            for row in 0..table.rows() as u32 {
                self.compare(PageRef { shard, row }, 0)?;
            }
            self.drop_worst();
        }
        Ok(())
    }

    /// Keeps memory bounded however many pages share something.
    fn drop_worst(&mut self) {
        let most = self.options.k.saturating_mul(2).max(FALLBACK_SCAN_LIMIT);
        if self.ranked.len() > most {
            self.ranked.select_nth_unstable(most);
            self.ranked.truncate(most);
        }
    }

    fn result(&mut self, exact: bool) -> Result<SearchResult, TableError> {
        self.ranked.sort_unstable();
        self.index.order_ties(&mut self.ranked)?;
        let mut filtered = self.filtered;
        let folded = self.folding.fold(&self.ranked, &mut filtered)?;
        Ok(SearchResult {
            hits: folded.hits,
            copies: folded.copies,
            filtered,
            compared: self.compared,
            exact,
        })
    }
}

#[cfg(test)]
mod tests;
