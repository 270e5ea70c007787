//! What is asked for, and what comes back.

/// A page: its shard and its row in it. Pages in this order are in order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The shard.
    pub shard: u32,
    /// The row.
    pub row: u32,
}

/// Which pages are wanted.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many hits at the most.
    pub k: usize,
    /// Hits below this similarity are left out.
    pub min_score: f64,
    /// Pages whose sketch agrees in no more than this share of its positions are not looked at.
    pub alpha: f64,
    /// Whether every bag is compared, instead of those that the sketches name.
    pub exact: bool,
    /// Whether only the best page of each site is wanted.
    pub one_a_site: bool,
    /// Pages more alike than this are one hit.
    pub mirror: f64,
    /// Pages that are no hits: those asked about.
    pub without: Vec<Place>,
    /// Sites whose pages are no hits.
    pub without_sites: Vec<String>,
    /// Pages that one of these links to are no hits.
    pub without_links_from: Vec<u64>,
}

/// A related page.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Which page.
    pub place: Place,
    /// Σ min of its bag and the query's.
    pub overlap: u32,
    /// Pages that are nearly the same.
    pub mirrors: Vec<Place>,
}

/// How many pages that share something were left out, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Below the least score.
    pub score: usize,
    /// Of a site that is not wanted.
    pub site: usize,
    /// Linked from the query page.
    pub linked: usize,
    /// Of a site that has a better hit.
    pub same_site: usize,
}

/// The hits, best first; equals in order of their ids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The hits.
    pub hits: Vec<Hit>,
    /// What was left out.
    pub left_out: LeftOut,
    /// How many pages were looked at whose overlaps are known.
    pub compared: usize,
    /// Whether these are certainly the best: every bag was compared.
    pub exact: bool,
}
