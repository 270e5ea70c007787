//! Questions in words: the rarest words of a text, and the fields of pages.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, UInt32Array};
use pagekin_core::query::{FieldCounts, FieldLengths, PhraseMatcher, QueryWords, WordPair};
use pagekin_core::text::words_of;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::searcher::PySearcher;
use super::values::{page_refs, PyPageRef};
use crate::arrow;
use crate::errors::reading;
use crate::strategy::PyStrategy;

/// The words of a text that pages are looked up by. A pair is two adjacent words, and the places
/// of their terms.
#[pyclass(name = "QueryWords", frozen, get_all, module = "pagekin._core")]
pub struct PyQueryWords {
    terms: Vec<u64>,
    words: Vec<String>,
    frequencies: Vec<u32>,
    known: usize,
    stop_terms: Vec<u64>,
    pairs: Vec<(String, Option<usize>, Option<usize>)>,
}

impl From<QueryWords> for PyQueryWords {
    fn from(words: QueryWords) -> Self {
        let pair = |pair: WordPair| (pair.words, pair.first, pair.second);
        Self {
            terms: words.terms,
            words: words.words,
            frequencies: words.frequencies,
            known: words.known,
            stop_terms: words.stop_terms,
            pairs: words.pairs.into_iter().map(pair).collect(),
        }
    }
}

/// At most `most` terms of a text, the rarest.
#[pyfunction]
pub fn query_words(
    py: Python<'_>,
    searcher: &PySearcher,
    strategy: &PyStrategy,
    words: Vec<String>,
    most: usize,
) -> PyResult<PyQueryWords> {
    let found = reading(py, || {
        QueryWords::new(&words, &strategy.0.terms, most, |term| {
            searcher.0.lexicon().frequency(term)
        })
    })?;
    Ok(found.into())
}

/// How often the titles and the URLs of pages have terms: bytes, for each page one a term.
#[pyfunction]
pub fn field_counts<'py>(
    py: Python<'py>,
    searcher: &PySearcher,
    strategy: &PyStrategy,
    pages: Vec<PyPageRef>,
    terms: Vec<u64>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let pages = page_refs(pages);
    let maker = &strategy.0.terms;
    let counts = reading(py, || FieldCounts::new(&searcher.0, maker, &pages, &terms))?;
    let bytes = |counts: &[u8]| PyBytes::new(py, counts);
    Ok((bytes(&counts.title), bytes(&counts.url)))
}

/// The length of each field of every page, as a batch: `text` and `title` in bytes, `inlinks`,
/// and whether it was `crawled`.
#[pyfunction]
pub fn field_lengths(py: Python<'_>, searcher: &PySearcher) -> PyResult<Py<PyAny>> {
    let lengths = reading(py, || FieldLengths::read(&searcher.0))?;
    let columns: [(&str, ArrayRef); 4] = [
        ("text", Arc::new(UInt32Array::from(lengths.text))),
        ("title", Arc::new(UInt32Array::from(lengths.title))),
        ("inlinks", Arc::new(UInt32Array::from(lengths.inlinks))),
        ("crawled", Arc::new(BooleanArray::from(lengths.crawled))),
    ];
    arrow::batch(py, RecordBatch::try_from_iter(columns))
}

/// Which phrases (words with single spaces between them) pages have in their title or text:
/// bytes of 0 or 1, for each page one a phrase.
#[pyfunction]
pub fn phrases<'py>(
    py: Python<'py>,
    searcher: &PySearcher,
    pages: Vec<PyPageRef>,
    phrases: Vec<String>,
) -> PyResult<Bound<'py, PyBytes>> {
    let pages = page_refs(pages);
    let marks = reading(py, || {
        let matcher = PhraseMatcher::new(&phrases);
        let mut marks = vec![false; pages.len() * phrases.len()];
        for (page, found) in pages.iter().zip(marks.chunks_mut(phrases.len().max(1))) {
            matcher.mark(searcher.0.words(*page)?.unwrap_or_default(), found);
            let title = searcher.0.page_meta(*page)?.title.unwrap_or_default();
            matcher.mark(&words_of(title).join(" "), found);
        }
        Ok(marks.into_iter().map(u8::from).collect::<Vec<u8>>())
    })?;
    Ok(PyBytes::new(py, &marks))
}
