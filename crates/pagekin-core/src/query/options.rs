//! What a search is asked for.

use super::result::PageRef;

/// Which pages are wanted.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// The most hits.
    pub k: usize,
    /// Hits below this similarity are left out.
    pub min_score: f64,
    /// Pages whose sketch agrees in no more than this share of its positions are not compared.
    pub alpha: f64,
    /// Whether every bag is compared, instead of those that the sketches name.
    pub exact: bool,
    /// Whether only the best page of each site is wanted.
    pub one_per_site: bool,
    /// Pages more alike than this are near duplicates, and one hit.
    pub duplicate_score: f64,
    /// Pages that are not hits: those of the question.
    pub exclude_pages: Vec<PageRef>,
    /// Sites whose pages are not hits.
    pub exclude_sites: Vec<String>,
    /// Pages that one of these links to are not hits.
    pub exclude_links_from: Vec<u64>,
}
