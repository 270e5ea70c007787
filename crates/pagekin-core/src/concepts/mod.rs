//! Concepts: latent semantic analysis of the crawl itself (Deerwester et al. 1990).
//!
//! A truncated singular value decomposition of the sample's bags finds components, directions
//! along which terms occur together. Each is split into its positive and its negative half, and
//! each half is a concept. A page's concepts are non-negative weights like those of its words, so
//! that everything after bags treats them as terms.
//!
//! Everything is added up in one order, with nothing but + - × ÷ and square
//! roots: the same sample gives the same bits on every machine, with any number
//! of threads. Libraries of linear algebra promise neither (decision 7).

mod eigen;
mod hadamard;
mod learn;
mod loadings;
mod page_vectors;
mod panel;
mod project;
mod sparse;

pub use learn::{learn, Learning, MAX_TERMS};
pub use loadings::Loadings;
pub use page_vectors::page_vectors;
pub(crate) use panel::Panel;
pub(crate) use project::NO_ROW;
pub use project::{Concepts, LoadedBags, TermLoading};
