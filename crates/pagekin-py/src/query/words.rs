//! Questions in words: the rarest words of a text, and the fields of pages.

use pagekin_core::query::{
    Bm25f, Bm25fParams, FieldCounts, PhraseMatcher, QueryWords, WeightedTerm, WordPair,
};
use pagekin_core::text::{likeliest_term, TermMaker};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::searcher::PySearcher;
use super::values::{page_refs, PyPageRef, PyPageSelection};
use crate::errors::reading;
use crate::strategy::{self, PyStrategy};

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

fn makers<'s>(strategy: &'s PyStrategy, languages: &[Option<String>]) -> Vec<&'s TermMaker> {
    let languages = strategy::languages(languages).into_iter();
    languages
        .map(|language| strategy.0.terms.of(language))
        .collect()
}

/// The id of the term of a word in one of these languages, the one that most pages have. None for
/// a stop word.
#[pyfunction]
pub fn query_term(
    py: Python<'_>,
    searcher: &PySearcher,
    strategy: &PyStrategy,
    word: &str,
    languages: Vec<Option<String>>,
) -> PyResult<Option<u64>> {
    let makers = makers(strategy, &languages);
    let term = reading(py, || {
        let frequency = |term| searcher.0.frequency(term);
        likeliest_term(word.as_bytes(), &makers, frequency)
    })?;
    Ok((term != 0).then_some(term))
}

/// At most `most` terms of a text in one of these languages, the rarest.
#[pyfunction]
pub fn query_words(
    py: Python<'_>,
    searcher: &PySearcher,
    strategy: &PyStrategy,
    words: Vec<String>,
    languages: Vec<Option<String>>,
    most: usize,
) -> PyResult<PyQueryWords> {
    let makers = makers(strategy, &languages);
    let found = reading(py, || {
        QueryWords::new(&words, &makers, most, |term| searcher.0.frequency(term))
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
    let makers = &strategy.0.terms;
    let counts = reading(py, || FieldCounts::new(&searcher.0, makers, &pages, &terms))?;
    let bytes = |counts: &[u8]| PyBytes::new(py, counts);
    Ok((bytes(&counts.title), bytes(&counts.url)))
}

/// BM25F over an index: what it knows of each page is read once.
#[pyclass(name = "Bm25f", frozen, module = "pagekin._core")]
pub struct PyBm25f(Bm25f);

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Params {
    k1: f64,
    text_b: f64,
    title_b: f64,
    anchor_b: f64,
    title: f64,
    url: f64,
    anchor: f64,
    looked_up: usize,
}

#[pymethods]
impl PyBm25f {
    /// The constants of the formula by their names.
    #[new]
    fn new(py: Python<'_>, searcher: &PySearcher, params: &Bound<'_, PyAny>) -> PyResult<Self> {
        let params: Params = params.extract()?;
        let params = Bm25fParams {
            k1: params.k1,
            text_b: params.text_b,
            title_b: params.title_b,
            anchor_b: params.anchor_b,
            title: params.title,
            url: params.url,
            anchor: params.anchor,
            looked_up: params.looked_up,
        };
        Ok(Self(reading(py, || Bm25f::new(&searcher.0, params))?))
    }

    /// The score of every page that may be a hit, by row, as the bytes of 64-bit numbers; 0 for all
    /// others. Terms come with their weights.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        searcher: &PySearcher,
        strategy: &PyStrategy,
        selection: &PyPageSelection,
        terms: Vec<WeightedTerm>,
        stop_terms: Vec<WeightedTerm>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scores = reading(py, || {
            let (index, maker) = (&searcher.0, &strategy.0.terms);
            let mask = index.mask(&selection.0)?;
            self.0.scores(index, maker, &mask, &terms, &stop_terms)
        })?;
        let bytes = scores.iter().flat_map(|score| score.to_ne_bytes());
        Ok(PyBytes::new(py, &bytes.collect::<Vec<u8>>()))
    }
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
        let mut matcher = PhraseMatcher::new(&phrases);
        let mut marks = vec![false; pages.len() * phrases.len()];
        for (page, found) in pages.iter().zip(marks.chunks_mut(phrases.len().max(1))) {
            matcher.mark(&searcher.0.text(*page)?.unwrap_or_default().text, found);
            let title = searcher.0.page_meta(*page)?.title.unwrap_or_default();
            matcher.mark(title, found);
        }
        Ok(marks.into_iter().map(u8::from).collect::<Vec<u8>>())
    })?;
    Ok(PyBytes::new(py, &marks))
}
