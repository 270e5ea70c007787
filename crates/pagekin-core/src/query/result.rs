//! What a search answers.

/// A page: its shard and its row in it. Pages in this order are in order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageRef {
    /// The shard.
    pub shard: u32,
    /// The row.
    pub row: u32,
}

/// A related page.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredPage {
    /// Which page.
    pub page: PageRef,
    /// Σ min of its bag and the query's.
    pub overlap: u32,
    /// Its near duplicates, and pages of the same text.
    pub duplicates: Vec<PageRef>,
}

/// How many pages that share something each filter left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FilterCounts {
    /// Below the minimum score.
    pub score: usize,
    /// On an excluded site.
    pub site: usize,
    /// Linked from the query page.
    pub linked: usize,
    /// On a site that has a better hit.
    pub same_site: usize,
}

/// The hits, best first; equals in order of their ids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResult {
    /// The hits.
    pub hits: Vec<ScoredPage>,
    /// Pages with the text of a page of the question.
    pub copies: Vec<PageRef>,
    /// What the filters left out.
    pub filtered: FilterCounts,
    /// How many pages were compared.
    pub compared: usize,
    /// Whether these are certainly the best: every page was a candidate.
    pub exact: bool,
}
