//! The link graph of the crawl: PageRank of pages and sites, and the minimal
//! subgraph of each site.
//!
//! Pages are numbers: their places in the order of their ids. What is held in
//! memory is a few bytes a page and four a link.

mod links;
mod minimal;
mod rank;
mod roots;

pub use links::Inlinks;
pub use minimal::{arc_batch, minimal};
pub use rank::{everywhere, fraction, is_settled, page_rank, share, MOST_ROUNDS};
pub use roots::highest;

/// Stands for a page that belongs to no site, and a site that has no root.
pub const NONE: u32 = u32::MAX;
