//! Leader clustering of near duplicates in rank order, and field collapsing by site: a page joins
//! a hit of which it is a near duplicate or which has the same text, or else becomes a hit, one a
//! site if wanted. Pages with the text of a page of the question are no hits.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::options::SearchOptions;
use super::result::{FilterCounts, PageRef, ScoredPage};
use super::searcher::Searcher;
use crate::columns::{overlap_of, score, TOTAL};
use crate::hash::StringHashers;
use crate::index::TableError;

/// A page by its overlap, the highest first.
pub type RankedPage = (Reverse<u32>, PageRef);

/// Hits with their duplicates, and the copies of the pages of the question.
#[derive(Debug, Default)]
pub struct FoldedPages {
    pub hits: Vec<ScoredPage>,
    pub copies: Vec<PageRef>,
}

/// Texts of hits, and the number of the hit.
type HitTexts<'a> = HashMap<&'a str, usize, StringHashers>;

/// Folds near duplicates into hits.
pub struct Folding<'a> {
    pub index: &'a Searcher,
    pub options: &'a SearchOptions,
    /// The most by which the ranks of a hit and of its near duplicate can differ.
    pub margin: u32,
}

impl<'a> Folding<'a> {
    /// Folding of pages that rank by their overlap with the query. Overlaps of near duplicates
    /// differ at most by the weight that the two pages do not share.
    pub fn new(index: &'a Searcher, options: &'a SearchOptions) -> Self {
        Self {
            index,
            options,
            margin: TOTAL - overlap_of(options.duplicate_score),
        }
    }

    /// The first hits among pages, which are in order of their rank.
    pub fn fold(
        &self,
        ranked: &[RankedPage],
        filtered: &mut FilterCounts,
    ) -> Result<FoldedPages, TableError> {
        let FoldedPages {
            mut hits,
            mut copies,
        } = FoldedPages::default();
        let mut sites = HashSet::new();
        let mut texts = HitTexts::default();
        for &(Reverse(overlap), page) in ranked {
            let text = self.text(page)?;
            if self.is_copy_of_question(text)? {
                copies.push(page);
                continue;
            }
            let same_text = text.and_then(|text| texts.get(text).copied());
            let duplicate_of = match same_text {
                None => self.duplicate_of(&hits, overlap, page)?,
                found => found,
            };
            if let Some(hit) = duplicate_of {
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
                texts.extend(text.map(|text| (text, hits.len())));
                hits.push(ScoredPage {
                    page,
                    overlap,
                    duplicates: Vec::new(),
                });
            }
        }
        Ok(FoldedPages { hits, copies })
    }

    fn folds(&self) -> bool {
        self.options.duplicate_score < 1.0
    }

    /// The words of a page, if it has any and pages are folded.
    fn text(&self, page: PageRef) -> Result<Option<&'a str>, TableError> {
        if !self.folds() {
            return Ok(None);
        }
        Ok(self.index.words(page)?.filter(|text| !text.is_empty()))
    }

    /// Whether a page has the text of a page of the question. Bags do not tell: two pages that
    /// the same pages link to may have the same bag and different texts.
    fn is_copy_of_question(&self, text: Option<&str>) -> Result<bool, TableError> {
        if text.is_some() {
            for &asked in &self.options.exclude_pages {
                if self.text(asked)? == text {
                    return Ok(true);
                }
            }
        }
        Ok(false)
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
        above - below <= self.margin
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
