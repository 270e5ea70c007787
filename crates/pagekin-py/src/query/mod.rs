//! Questions to an index.

mod explained;
mod searcher;
mod values;

use pagekin_core::text;
use pyo3::prelude::*;

pub use searcher::Searcher;
pub use values::{Answer, Options, QueryBag};

/// The words of a text, cut as those of a page are.
#[pyfunction]
pub fn words_of(py: Python<'_>, text: &str) -> Vec<String> {
    py.detach(|| text::words_of(text))
}
