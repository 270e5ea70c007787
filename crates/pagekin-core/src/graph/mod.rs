//! The link graph of the crawl: PageRank of pages and sites, and the minimal subgraph of each site.
//!
//! Pages are numbered in the order of their ids. The graph takes a few bytes a page and four a link.

mod links;
mod minimal;
mod rank;
mod roots;

pub use links::Inlinks;
pub use minimal::{arc_batch, minimal};
pub use rank::{fraction, is_settled, page_rank, share, teleport, MOST_ROUNDS};
pub use roots::highest;

/// Stands for a page that belongs to no site, and a site that has no root.
pub const NONE: u32 = u32::MAX;
