//! What a search is asked for.

use super::result::PageRef;
use super::selection::PageSelection;

/// Which pages are wanted.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// The most hits.
    pub k: usize,
    /// Which pages may be hits.
    pub pages: PageSelection,
    /// Hits below this similarity are left out.
    pub min_score: f64,
    /// Pages whose sketch agrees in no more than this share of its positions are not compared.
    pub alpha: f64,
    /// Whether every bag is compared, instead of those that the sketches name.
    pub exact: bool,
    /// Whether only the best page of each site is wanted.
    pub one_per_site: bool,
    /// Pages more alike than this are near duplicates, and one hit; so are pages of the same text.
    /// At 1 every page is a hit of its own.
    pub duplicate_score: f64,
    /// Pages that are not hits, nor are pages of the same text: those of the question.
    pub exclude_pages: Vec<PageRef>,
    /// Sites whose pages are not hits.
    pub exclude_sites: Vec<String>,
    /// Pages that one of these links to are not hits.
    pub exclude_links_from: Vec<u64>,
}
