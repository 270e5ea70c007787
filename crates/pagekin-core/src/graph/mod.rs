//! The link graph of the crawl: PageRank of pages and sites, and the minimal subgraph of each site.
//!
//! Pages are numbered in the order of their ids. The graph takes a few bytes a page and four a link.

mod links;
mod minimal;
mod rank;
mod roots;

pub use links::Inlinks;
pub use minimal::{arc_batch, minimal};
pub use rank::{fraction, is_settled, page_rank, share, teleport, MAX_ROUNDS};
pub use roots::highest;

/// The site of a page without a site, and the root of a site without a root.
pub const NONE: u32 = u32::MAX;
