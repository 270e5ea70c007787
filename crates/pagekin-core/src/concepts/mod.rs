//! Concepts: what pages are about, learnt from the crawl itself.
//!
//! A truncated singular value decomposition of the sample's bags finds
//! components, directions along which terms go together (Deerwester and others
//! 1990); each is split into its positive and its negative half, and a half is a
//! concept. A page's concepts are non-negative weights like those of its words,
//! so that everything after bags treats them as terms.
//!
//! Everything is added up in one order, with nothing but + - × ÷ and square
//! roots: the same sample gives the same bits on every machine, with any number
//! of threads. Libraries of linear algebra promise neither (decision 7).

mod bearings;
mod eigen;
mod here;
mod learn;
mod mixed;
mod panel;
mod project;
mod sparse;
mod table;

pub use bearings::bearings;
pub use here::Here;
pub use learn::{learn, Learning, Loadings, MOST_TERMS};
pub use project::Concepts;
pub(crate) use project::NO_ROW;
