//! Leader clustering of near duplicates in rank order, and field collapsing by site: a page joins
//! a hit of which it is a near duplicate, or else becomes a hit, one a site if wanted.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::options::SearchOptions;
use super::result::{FilterCounts, PageRef, ScoredPage};
use super::searcher::Searcher;
use crate::columns::{overlap_of, score, TOTAL};
use crate::index::TableError;

/// A page by its overlap, the highest first.
pub type RankedPage = (Reverse<u32>, PageRef);

/// Folds near duplicates into hits.
pub struct Folding<'a> {
    pub index: &'a Searcher,
    pub options: &'a SearchOptions,
}

impl Folding<'_> {
    /// The first hits among pages, which are in order of their rank.
    pub fn hits(
        &self,
        ranked: &[RankedPage],
        filtered: &mut FilterCounts,
    ) -> Result<Vec<ScoredPage>, TableError> {
        let mut hits: Vec<ScoredPage> = Vec::new();
        let mut sites = HashSet::new();
        for &(Reverse(overlap), page) in ranked {
            if let Some(hit) = self.duplicate_of(&hits, overlap, page)? {
                hits[hit].duplicates.push(page);
                continue;
            }
            // Duplicates of the last hit may still follow.
            let is_full = hits.len() >= self.options.k;
            let is_near = |hit: &ScoredPage| self.is_near(hit.overlap, overlap);
            if is_full && !hits.last().is_some_and(is_near) {
                break;
            }
            if self.options.one_per_site && !sites.insert(self.index.page_meta(page)?.site) {
                filtered.same_site += 1;
            } else if !is_full {
                hits.push(ScoredPage {
                    page,
                    overlap,
                    duplicates: Vec::new(),
                });
            }
        }
        Ok(hits)
    }

    /// The most by which the overlaps of a hit and of its near duplicate can differ. Overlap with
    /// the query differs at most by the weight that the two pages do not share.
    pub fn margin(&self) -> u32 {
        TOTAL - overlap_of(self.options.duplicate_score)
    }

    /// The hit of which a page is a near duplicate.
    fn duplicate_of(
        &self,
        hits: &[ScoredPage],
        overlap: u32,
        page: PageRef,
    ) -> Result<Option<usize>, TableError> {
        let near = hits
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, hit)| self.is_near(hit.overlap, overlap));
        for (number, hit) in near {
            if self.are_duplicates(hit.page, page)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn is_near(&self, above: u32, below: u32) -> bool {
        above - below <= self.margin()
    }

    /// Whether two pages are near duplicates. Bags are compared only if the sketches agree almost
    /// as expected of near duplicates: at most five standard deviations less.
    fn are_duplicates(&self, hit: PageRef, page: PageRef) -> Result<bool, TableError> {
        let (a, b) = (self.index.sketch(hit)?, self.index.sketch(page)?);
        let (m, p) = (a.len() as f64, self.options.duplicate_score);
        let most = m * (1.0 - p) + 5.0 * (m * p * (1.0 - p)).sqrt() + 1.0;
        let mut unequal = a.iter().zip(b).filter(|(a, b)| a != b);
        if unequal.nth(most as usize).is_some() {
            return Ok(false);
        }
        let overlap = self.index.bag(hit)?.overlap(&self.index.bag(page)?);
        Ok(score(overlap) > self.options.duplicate_score)
    }
}
