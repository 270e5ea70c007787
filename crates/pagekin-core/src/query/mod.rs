//! Questions to an index: which pages are most like this one, and why?

mod bag;
mod candidates;
mod common;
mod count;
mod fetch;
mod holders;
mod options;
mod precompute;
mod search;
mod searcher;
mod sums;
mod why;

pub use bag::QueryBag;
pub use options::{Answer, Hit, LeftOut, Options, Place};
pub use precompute::{Answers, Excluded};
pub use searcher::Searcher;
pub use why::{About, Citation, Most, Reasons, Why};
