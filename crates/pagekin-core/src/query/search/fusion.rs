//! Linear fusion of two scores (a weighted CombSUM, Fox and Shaw 1994): how well a page has
//! the words of a question, and how similar the bags are. Pages rank by share · words + (1 - share) · similarity.

use super::Search;
use crate::columns::score;
use crate::index::TableError;
use crate::interrupt;
use crate::query::{PageRef, SearchResult};

/// Near duplicates have nearly the same words, so their ranks differ by at most a twentieth.
const NEAR: u32 = u32::MAX / 20;

/// Scores of pages by words, from 0 to 1, and their share of the fused score.
#[derive(Debug, Clone)]
pub struct WordScores {
    /// Pages that may be hits, and the score of each.
    pub pages: Vec<(PageRef, f64)>,
    /// The share of words in the score, from 0 to 1.
    pub share: f64,
}

impl Search<'_> {
    /// The best of these pages by the fused score. The overlaps of the hits are those of the bags.
    pub fn fused(mut self, words: &WordScores) -> Result<SearchResult, TableError> {
        self.folding.margin = NEAR;
        self.min_overlap = rank(self.options.min_score).max(1);
        for &(page, by_words) in &words.pages {
            if self.mask.admits(page) {
                interrupt::check_now_and_then(self.compared);
                let similarity = score(self.query.overlap(page)?);
                let fused = words.share * by_words + (1.0 - words.share) * similarity;
                self.compared += 1;
                self.consider(page, rank(fused))?;
            }
        }
        let mut result = self.result(false)?;
        for hit in &mut result.hits {
            hit.overlap = self.query.overlap(hit.page)?;
        }
        Ok(result)
    }
}

/// A score as an integer that ranks pages.
fn rank(score: f64) -> u32 {
    (score.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32
}
