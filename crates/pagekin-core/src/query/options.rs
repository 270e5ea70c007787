//! What a search is asked for.

use super::result::PageRef;

/// Which pages may be hits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PageSelection {
    /// Those that were fetched.
    Crawled,
    /// Those that are only linked to.
    Uncrawled,
    /// Both.
    #[default]
    All,
}

impl PageSelection {
    /// Whether a page may be a hit.
    pub fn admits(self, crawled: bool) -> bool {
        match self {
            Self::Crawled => crawled,
            Self::Uncrawled => !crawled,
            Self::All => true,
        }
    }
}

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
