//! Questions to an index.

mod explanation;
mod searcher;
mod values;
mod words;

use pagekin_core::text;
use pyo3::prelude::*;

pub use explanation::{
    PyCitingPage, PyExplanation, PyExplanationLimits, PyPageMeta, PyRemainder, PySharedConcept,
    PySharedTerm,
};
pub use searcher::PySearcher;
pub use values::{
    page_refs, PyExclusions, PyFilterCounts, PyLinkWindow, PyPageRef, PyPageSelection,
    PyPreparedQuery, PyScoredPage, PySearchOptions, PySearchResult,
};
pub use words::{field_counts, phrases, query_words, PyBm25f, PyQueryWords};

/// The words of a text, cut as those of a page are.
#[pyfunction]
pub fn words_of(py: Python<'_>, text: &str) -> Vec<String> {
    py.detach(|| text::words_of(text))
}
