//! Leader clustering of near duplicates in rank order, and field collapsing by site: a page joins
//! a hit of which it is a near duplicate or which has the same text, or else becomes a hit, one a
//! site if wanted. Pages with the text of a page of the question are no hits.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::columns::{overlap_of, score, TOTAL};
use crate::index::TableError;
use crate::interrupt;
use crate::query::options::SearchOptions;
use crate::query::result::{FilterCounts, PageRef, ScoredPage};
use crate::query::searcher::Searcher;
use crate::text::words_of;

/// A page by its overlap, the highest first.
pub type RankedPage = (Reverse<u32>, PageRef);

/// Hits with their duplicates, and the copies of the pages of the question.
#[derive(Debug, Default)]
pub struct FoldedPages {
    pub hits: Vec<ScoredPage>,
    pub copies: Vec<PageRef>,
}

/// Hashes of the words of hits, and the numbers of the hits.
type HitTexts = HashMap<u64, Vec<usize>>;

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
            interrupt::check();
            let digest = self.digest(page)?;
            if self.is_copy_of_question(page, digest)? {
                copies.push(page);
                continue;
            }
            let alike = digest.and_then(|digest| texts.get(&digest));
            let same_text = self.first_with_text(page, &hits, alike)?;
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
                if let Some(digest) = digest {
                    texts.entry(digest).or_default().push(hits.len());
                }
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

    /// A hash of the words of a page, if it has any and pages are folded.
    fn digest(&self, page: PageRef) -> Result<Option<u64>, TableError> {
        let (shard, row) = (self.index.shard(page), page.row as usize);
        if !self.folds() || shard.length(row)? == 0 {
            return Ok(None);
        }
        shard.digest(row).map(Some)
    }

    /// The first of these hits that has the words of a page.
    fn first_with_text(
        &self,
        page: PageRef,
        hits: &[ScoredPage],
        numbers: Option<&Vec<usize>>,
    ) -> Result<Option<usize>, TableError> {
        for &number in numbers.into_iter().flatten() {
            if self.have_same_words(hits[number].page, page)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether a page has the words of a page of the question. Bags do not tell: two pages that
    /// the same pages link to may have the same bag and different words.
    fn is_copy_of_question(&self, page: PageRef, digest: Option<u64>) -> Result<bool, TableError> {
        if digest.is_some() {
            for &asked in &self.options.exclude_pages {
                if self.digest(asked)? == digest && self.have_same_words(asked, page)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether two pages whose hashes are equal have the same words.
    fn have_same_words(&self, one: PageRef, other: PageRef) -> Result<bool, TableError> {
        let words = |page| Ok(self.index.text(page)?.map(|text| words_of(&text.text)));
        Ok(words(one)? == words(other)?)
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

    /// Whether two pages are near duplicates. Most pairs lose too much weight with the first terms.
    fn are_duplicates(&self, hit: PageRef, page: PageRef) -> Result<bool, TableError> {
        if hit.shard != page.shard {
            let (hit, page) = (self.index.bag(hit)?, self.index.bag(page)?);
            return Ok(self.is_duplicate(hit.bag().overlap(&page.bag())));
        }
        let (hit, page) = (self.index.packed_bag(hit)?, self.index.packed_bag(page)?);
        let least = overlap_of(self.options.duplicate_score);
        let overlap = hit.overlap_if_at_least(&page, least)?;
        Ok(overlap.is_some_and(|overlap| self.is_duplicate(overlap)))
    }

    fn is_duplicate(&self, overlap: u32) -> bool {
        score(overlap) > self.options.duplicate_score
    }
}
