//! Questions to an index.

mod explanation;
mod searcher;
mod values;
mod words;

use pagekin_core::query::passages;
use pagekin_core::text;
use pyo3::prelude::*;

pub use explanation::{
    PyCitingPage, PyExplanation, PyExplanationLimits, PyPageMeta, PyRemainder, PySharedConcept,
    PySharedTerm, PySnippet,
};
pub use searcher::PySearcher;
pub use values::{
    page_refs, PyExclusions, PyFilterCounts, PyLinkWindow, PyPageRef, PyPageSelection, PyQueryBag,
    PyScoredPage, PySearchOptions, PySearchResult,
};
pub use words::{field_counts, phrases, query_term, query_words, PyBm25f, PyQueryWords};

/// How many words a text has, and a hash of them.
#[pyfunction]
pub fn word_digest(py: Python<'_>, text: &str) -> (u32, u64) {
    let found = py.detach(|| text::WordDigest::of_text(text));
    (found.words, found.digest)
}

/// The words of a text, cut as those of a page are.
#[pyfunction]
pub fn words_of(py: Python<'_>, text: &str) -> Vec<String> {
    py.detach(|| text::words_of(text))
}

/// The sentences of a text, line by line.
#[pyfunction]
pub fn sentences(py: Python<'_>, text: &str) -> Vec<String> {
    py.detach(|| passages::sentences_of(text).map(str::to_owned).collect())
}

/// The language of a text by its words. None if it cannot be told.
#[pyfunction]
pub fn detect_language(py: Python<'_>, words: Vec<String>) -> Option<String> {
    let found = py.detach(|| {
        let sample: Vec<&str> = text::sample(&words).map(String::as_str).collect();
        text::detect_language(&sample, None)
    });
    found.map(|language| language.code().to_owned())
}

/// The code of the language that a tag such as `pt-BR` names. None if it is not known.
#[pyfunction]
pub fn language_named(tag: &str) -> Option<String> {
    text::Language::named(tag).map(|language| language.code().to_owned())
}

/// Whether a word is in the stop list of a language.
#[pyfunction]
pub fn is_stop_word(word: &str, language: &str) -> bool {
    let language = text::Language::named(language);
    language.is_some_and(|language| text::is_stop_word(word, language))
}
