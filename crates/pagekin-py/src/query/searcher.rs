//! An index opened for questions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use pagekin_core::bags::{weigh_text, Text};
use pagekin_core::columns::OwnedBag;
use pagekin_core::index::{LinkWindow, Shard};
use pagekin_core::query::passages::SnippetMaker;
use pagekin_core::query::{
    AnswerTable, ConceptTerms, Explainer, IndexFiles, PageCondition, PageRef, QueryBag, Searcher,
    SketchParams, WeightedTerm, WordScores,
};
use pagekin_core::text::words_of;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::explanation::{PyExplanation, PyExplanationLimits, PyPageMeta, PySnippet};
use super::values::{
    page_refs, PyExclusions, PyLinkWindow, PyPageRef, PyPageSelection, PyQueryBag, PyScoredPage,
    PySearchOptions, PySearchResult,
};
use crate::arrow;
use crate::concepts::PyConcepts;
use crate::errors::reading;
use crate::index::PyVerifiedFile;
use crate::strategy::{self, PyStrategy};

/// An index opened for questions.
#[pyclass(name = "Searcher", frozen, module = "pagekin._core")]
pub struct PySearcher(pub(crate) Searcher);

#[pymethods]
impl PySearcher {
    /// The tables that it reads. All must be there but `holders`.
    #[classattr]
    #[pyo3(name = "TABLES")]
    fn tables() -> Vec<&'static str> {
        Searcher::tables().collect()
    }

    /// Indexes that are asked as one, each in these tables: for each its files, shard by shard.
    /// Pages with fewer inlinks than `min_inlinks` are left out of the inverted tables.
    #[new]
    fn new(
        py: Python<'_>,
        indexes: Vec<HashMap<String, Vec<PyRef<'_, PyVerifiedFile>>>>,
        positions: usize,
        seed: u64,
        min_inlinks: u32,
    ) -> PyResult<Self> {
        let sketching = SketchParams {
            positions,
            seed,
            min_inlinks,
        };
        let files = |files: Vec<PyRef<'_, PyVerifiedFile>>| {
            files.iter().map(|file| Arc::clone(&file.0)).collect()
        };
        let indexes = indexes.into_iter().map(|tables| {
            let tables = tables.into_iter();
            tables.map(|(name, listed)| (name, files(listed))).collect()
        });
        let indexes: Vec<IndexFiles> = indexes.collect();
        reading(py, || Searcher::open(&indexes, sketching)).map(Self)
    }

    /// Finds the page with this id.
    fn find(&self, py: Python<'_>, key: u64) -> PyResult<Option<PyPageRef>> {
        Ok(reading(py, || self.0.find(key))?.map(PyPageRef::from))
    }

    /// The id of a page.
    fn id(&self, py: Python<'_>, page: PyPageRef) -> PyResult<u64> {
        reading(py, || self.0.id(page.into()))
    }

    /// The bag of a page.
    fn bag(&self, py: Python<'_>, page: PyPageRef) -> PyResult<PyQueryBag> {
        let query = reading(py, || Ok(QueryBag::from(self.0.bag(page.into())?)))?;
        Ok(PyQueryBag(query))
    }

    /// The bag of a text (its words, those of its title, and the languages that it may be in) in a
    /// crawl of this many bags.
    #[pyo3(signature = (strategy, text, bags, concepts=None))]
    fn bag_of_text(
        &self,
        py: Python<'_>,
        strategy: &PyStrategy,
        text: (Vec<String>, Vec<String>, Vec<Option<String>>),
        bags: u64,
        concepts: Option<&PyConcepts>,
    ) -> PyResult<PyQueryBag> {
        let (words, title, languages) = text;
        let languages = strategy::languages(&languages);
        let text = Text {
            words: &words,
            title: &title,
            languages: &languages,
        };
        let concepts = concepts.map(|concepts| &concepts.0);
        reading(py, || {
            let weighed = weigh_text(&text, &strategy.0, bags, concepts, |term| {
                self.0.frequency(term)
            })?;
            let query = QueryBag::from(OwnedBag::from(weighed.bags.bag(0)));
            Ok(PyQueryBag(query))
        })
    }

    /// The pages most like a query.
    fn search(
        &self,
        py: Python<'_>,
        query: &PyQueryBag,
        options: &PySearchOptions,
    ) -> PyResult<PySearchResult> {
        let result = reading(py, || self.0.search(&query.0, &options.0))?;
        PySearchResult::new(py, result)
    }

    /// The best of some pages by fused scores: `share` of it is the score by words of each page.
    fn search_fused(
        &self,
        py: Python<'_>,
        query: &PyQueryBag,
        pages: Vec<(PyPageRef, f64)>,
        share: f64,
        options: &PySearchOptions,
    ) -> PyResult<PySearchResult> {
        let pages = pages.into_iter();
        let words = WordScores {
            pages: pages.map(|(page, score)| (page.into(), score)).collect(),
            share,
        };
        let result = reading(py, || self.0.search_fused(&query.0, &words, &options.0))?;
        PySearchResult::new(py, result)
    }

    /// Explains hits of a query that is made of the pages `like`, by the strategy and the concepts of
    /// the index.
    fn explain(
        &self,
        py: Python<'_>,
        model: (PyRef<'_, PyStrategy>, Option<PyRef<'_, PyConcepts>>),
        query: &PyQueryBag,
        like: Vec<PyPageRef>,
        hits: Vec<PyRef<'_, PyScoredPage>>,
        limits: &PyExplanationLimits,
    ) -> PyResult<Vec<PyExplanation>> {
        let like = page_refs(like);
        let makers = &model.0 .0.terms;
        let concepts = model.1.as_ref().map(|concepts| &concepts.0);
        let hits = hits.iter();
        let hits: Vec<_> = hits
            .map(|hit| (PageRef::from(hit.page), page_refs(hit.duplicates.clone())))
            .collect();
        let explained = reading(py, || {
            let mut explainer =
                Explainer::new(&self.0, &query.0, &like, concepts, makers, limits.0)?;
            let hits = hits.into_iter().map(|(page, duplicates)| {
                let urls = duplicates.into_iter();
                let urls = urls.map(|page| Ok(self.0.page_meta(page)?.url));
                let urls = urls.collect::<Result<Vec<_>, _>>()?;
                Ok((self.0.page_meta(page)?, urls, explainer.explain(page)?))
            });
            hits.collect::<Result<Vec<_>, _>>()
        })?;
        explained
            .into_iter()
            .map(|(page, urls, why)| PyExplanation::new(py, page, urls, why))
            .collect()
    }

    /// For each of some pages the passage that has most of some terms, which come with their
    /// weights. None for a page that was not fetched.
    fn snippets(
        &self,
        py: Python<'_>,
        strategy: &PyStrategy,
        pages: Vec<PyPageRef>,
        terms: Vec<WeightedTerm>,
    ) -> PyResult<Vec<Option<PySnippet>>> {
        let pages = page_refs(pages);
        let terms: Vec<(u64, f32)> = terms
            .into_iter()
            .map(|(term, weight)| (term, weight as f32))
            .collect();
        reading(py, || {
            let mut maker = SnippetMaker::new(&strategy.0.terms);
            let found = pages.iter().map(|&page| maker.of(&self.0, page, &terms));
            let found = found.map(|snippet| Ok(snippet?.map(PySnippet::from)));
            found.collect()
        })
    }

    /// For each concept of these numbers the terms that give it to the page, those first that
    /// contribute most.
    fn terms_for(
        &self,
        py: Python<'_>,
        concepts: &PyConcepts,
        numbers: Vec<u32>,
        page: PyPageRef,
        most: usize,
    ) -> PyResult<Vec<Vec<u64>>> {
        reading(py, || {
            let bag = self.0.bag(page.into())?;
            Ok(ConceptTerms::new(&concepts.0, None).terms(bag.bag(), &numbers, most))
        })
    }

    /// What is shown of a page.
    fn page_meta(&self, py: Python<'_>, page: PyPageRef) -> PyResult<PyPageMeta> {
        let page = reading(py, || self.0.page_meta(page.into()))?;
        Ok(page.into())
    }

    /// What linking pages call a page.
    fn link_text(&self, py: Python<'_>, page: PyPageRef) -> PyResult<Option<String>> {
        reading(py, || self.0.link_text(page.into()))
    }

    /// The words of a page's text from `start` to `end`, as far as there are any.
    fn words(
        &self,
        py: Python<'_>,
        page: PyPageRef,
        start: usize,
        end: usize,
    ) -> PyResult<Vec<String>> {
        reading(py, || {
            let text = self.0.text(page.into())?.unwrap_or_default().text;
            let words = words_of(&text).into_iter().skip(start);
            Ok(words.take(end.saturating_sub(start)).collect())
        })
    }

    /// The words of a page around links of these windows, anchors in brackets.
    fn quote(&self, py: Python<'_>, key: u64, windows: Vec<PyLinkWindow>) -> PyResult<String> {
        let windows: Vec<_> = windows.into_iter().map(LinkWindow::from).collect();
        reading(py, || self.0.quote(key, &windows))
    }

    /// The word to show for a term; a term that is a linking page shows its URL.
    fn word(&self, py: Python<'_>, term: u64) -> PyResult<Cow<'_, str>> {
        reading(py, || self.0.word(term))
    }

    /// For each row of each shard one byte: 1 if its page may be a hit.
    fn selected_rows<'py>(
        &self,
        py: Python<'py>,
        selection: &PyPageSelection,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mask = reading(py, || self.0.mask(&selection.0))?;
        let rows: Vec<u8> = mask.rows().map(u8::from).collect();
        Ok(PyBytes::new(py, &rows))
    }

    /// The names of a selection's conditions, each with the number of pages that meet it and those
    /// before it.
    fn count_selected(
        &self,
        py: Python<'_>,
        selection: &PyPageSelection,
    ) -> PyResult<Vec<(&'static str, usize)>> {
        let mask = reading(py, || self.0.mask(&selection.0))?;
        let names = selection.0.conditions.iter().map(PageCondition::name);
        Ok(names.zip(mask.remaining.iter().copied()).collect())
    }

    /// How many URLs, and how many crawled pages, are those of later captures in other indexes.
    fn count_replaced(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        reading(py, || self.0.count_replaced())
    }

    /// How many pages each shard has.
    fn rows(&self) -> Vec<usize> {
        self.0.shards().iter().map(Shard::rows).collect()
    }

    /// The answers of the pages in the rows `start` to `end` of a shard, as a batch.
    fn answers(
        &self,
        py: Python<'_>,
        shard: u32,
        start: u32,
        end: u32,
        options: &PySearchOptions,
        exclusions: &PyExclusions,
    ) -> PyResult<Py<PyAny>> {
        let answers = reading(py, || {
            AnswerTable::for_rows(&self.0, shard, start..end, &options.0, exclusions.0)
        })?;
        arrow::batch(py, answers.into_batch())
    }

    /// The answers of some pages, each among its own candidates, as a batch: the first page of a
    /// list is the query, the others are compared with it.
    fn answers_among(
        &self,
        py: Python<'_>,
        lists: Vec<Vec<PyPageRef>>,
        options: &PySearchOptions,
        exclusions: &PyExclusions,
    ) -> PyResult<Py<PyAny>> {
        let answers = reading(py, || {
            let lists: Vec<_> = lists.into_iter().map(page_refs).collect();
            AnswerTable::for_candidates(&self.0, &lists, &options.0, exclusions.0)
        })?;
        arrow::batch(py, answers.into_batch())
    }
}
