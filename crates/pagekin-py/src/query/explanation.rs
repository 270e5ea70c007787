//! Hits as they are shown, with their reasons: all of an answer in one call.

use pagekin_core::index::PageMeta;
use pagekin_core::query::passages::Snippet;
use pagekin_core::query::{Explanation, ExplanationLimits, Remainder};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// What is shown of a page.
#[pyclass(name = "PageMeta", frozen, get_all, module = "pagekin._core")]
pub struct PyPageMeta {
    url: String,
    site: String,
    title: Option<String>,
    crawled: bool,
    language: Option<String>,
    date: Option<i64>,
}

impl From<PageMeta<'_>> for PyPageMeta {
    fn from(page: PageMeta<'_>) -> Self {
        Self {
            url: page.url.to_owned(),
            site: page.site.to_owned(),
            title: page.title.map(str::to_owned),
            crawled: page.crawled,
            language: page.language.map(str::to_owned),
            date: page.date,
        }
    }
}

/// A term that two pages have, and the smaller weight.
#[pyclass(name = "SharedTerm", frozen, get_all, module = "pagekin._core")]
pub struct PySharedTerm {
    word: Py<PyString>,
    weight: u32,
}

/// A concept that two pages have, the smaller weight, and the words that give it to them.
#[pyclass(name = "SharedConcept", frozen, get_all, module = "pagekin._core")]
pub struct PySharedConcept {
    number: u32,
    weight: u32,
    words: Py<PyList>,
}

/// What is not listed: how many, and their weight together.
#[pyclass(name = "Remainder", frozen, get_all, module = "pagekin._core")]
#[derive(Clone, Copy)]
pub struct PyRemainder {
    count: usize,
    weight: u32,
}

impl From<Remainder> for PyRemainder {
    fn from(others: Remainder) -> Self {
        Self {
            count: others.count,
            weight: others.weight,
        }
    }
}

/// A page that links to two others, and the words around both links.
#[pyclass(name = "CitingPage", frozen, get_all, module = "pagekin._core")]
pub struct PyCitingPage {
    url: Py<PyString>,
    quote: Py<PyString>,
}

/// A part of a page, and where it has the words looked for: from and to, in characters.
#[pyclass(name = "Snippet", frozen, get_all, module = "pagekin._core")]
pub struct PySnippet {
    text: String,
    marks: Vec<(usize, usize)>,
}

impl From<Snippet> for PySnippet {
    fn from(snippet: Snippet) -> Self {
        let marks = snippet.marks.iter();
        Self {
            marks: marks.map(|mark| (mark.start, mark.end)).collect(),
            text: snippet.text,
        }
    }
}

/// A hit and its near duplicates, and why it is similar.
#[pyclass(name = "Explanation", frozen, get_all, module = "pagekin._core")]
pub struct PyExplanation {
    page: Py<PyPageMeta>,
    duplicates: Vec<String>,
    terms: Vec<Py<PySharedTerm>>,
    other_terms: PyRemainder,
    concepts: Vec<Py<PySharedConcept>>,
    other_concepts: PyRemainder,
    citations: Vec<Py<PyCitingPage>>,
    snippet: Option<Py<PySnippet>>,
}

impl PyExplanation {
    pub fn new(
        py: Python<'_>,
        page: PageMeta<'_>,
        duplicates: Vec<&str>,
        why: Explanation<'_>,
    ) -> PyResult<Self> {
        let text = |text: &str| PyString::new(py, text).unbind();
        let terms = why.terms.iter().map(|term| PySharedTerm {
            word: text(&term.word),
            weight: term.weight,
        });
        let concepts = why.concepts.into_iter().map(|concept| {
            let words = PyList::new(py, &concept.words)?;
            let concept = PySharedConcept {
                number: concept.number,
                weight: concept.weight,
                words: words.unbind(),
            };
            Py::new(py, concept)
        });
        let citations = why.citations.iter().map(|citing| PyCitingPage {
            url: text(&citing.url),
            quote: text(&citing.quote),
        });
        let snippet = why.snippet.map(|found| Py::new(py, PySnippet::from(found)));
        Ok(Self {
            page: Py::new(py, PyPageMeta::from(page))?,
            duplicates: duplicates.into_iter().map(str::to_owned).collect(),
            terms: objects(py, terms)?,
            other_terms: why.other_terms.into(),
            concepts: concepts.collect::<PyResult<_>>()?,
            other_concepts: why.other_concepts.into(),
            citations: objects(py, citations)?,
            snippet: snippet.transpose()?,
        })
    }
}

fn objects<T: pyo3::PyClass + Into<PyClassInitializer<T>>>(
    py: Python<'_>,
    values: impl Iterator<Item = T>,
) -> PyResult<Vec<Py<T>>> {
    values.map(|value| Py::new(py, value)).collect()
}

/// How many reasons of each kind are listed.
#[pyclass(name = "ExplanationLimits", frozen, module = "pagekin._core")]
pub struct PyExplanationLimits(pub ExplanationLimits);

#[pymethods]
impl PyExplanationLimits {
    /// Terms and concepts of a hit, words of a concept, pages that link to both, and words that a
    /// snippet is made of.
    #[new]
    #[pyo3(signature = (*, terms, concepts, concept_words, citations, snippet_words))]
    fn new(
        terms: usize,
        concepts: usize,
        concept_words: usize,
        citations: usize,
        snippet_words: usize,
    ) -> Self {
        Self(ExplanationLimits {
            terms,
            concepts,
            concept_words,
            citations,
            snippet_words,
        })
    }
}
