//! Missing links of a site.

use std::sync::Arc;

use arrow_array::types::{UInt32Type, UInt8Type};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt32Array};
use pagekin_core::audit::{LinkSuggester, Mention, SiteLink, Suggestions};
use pagekin_core::columns::Ragged;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::arrow::{self, numbers};
use crate::errors::reading;
use crate::query::{page_refs, PyPageRef, PySearchOptions, PySearcher};

/// The number of a target that is not of the site.
const OUTSIDE: u32 = u32::MAX;

/// Suggestions for some pages of a site.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct SiteSuggestions {
    /// Missing links.
    links: Py<PyAny>,
    /// Pairs of near duplicates.
    duplicates: Py<PyAny>,
}

/// Finds links that the pages of a site ought to have.
#[pyclass(name = "LinkSuggester", frozen, module = "pagekin._core")]
pub struct PyLinkSuggester {
    suggester: LinkSuggester,
    pages: usize,
}

#[pymethods]
impl PyLinkSuggester {
    /// The pages of a site, ascending, with their titles as words. Links are a batch of source,
    /// target (numbers of pages; the largest number for others), first and last word, and whether
    /// it is in a template; by source.
    #[new]
    fn new(
        py: Python<'_>,
        searcher: &PySearcher,
        pages: Vec<PyPageRef>,
        links: PyRecordBatch,
        titles: Vec<Vec<String>>,
    ) -> PyResult<Self> {
        let links = site_links(&links.into_inner(), pages.len())?;
        let pages = page_refs(pages);
        if !pages.is_sorted() || titles.len() != pages.len() {
            return Err(PyValueError::new_err(
                "expected sorted pages with a title each",
            ));
        }
        let count = pages.len();
        let suggester = reading(py, || {
            LinkSuggester::new(&searcher.0, pages, links, &titles)
        })?;
        Ok(Self {
            suggester,
            pages: count,
        })
    }

    /// Up to `limit` missing links of each page from `start` to `end`, and their near duplicates.
    fn suggest(
        &self,
        py: Python<'_>,
        searcher: &PySearcher,
        start: usize,
        end: usize,
        options: &PySearchOptions,
        limit: usize,
    ) -> PyResult<SiteSuggestions> {
        let rows = start..end.min(self.pages);
        let found: Vec<(u32, Suggestions)> = reading(py, || {
            rows.map(|row| {
                let found = self
                    .suggester
                    .suggest(&searcher.0, row, &options.0, limit)?;
                Ok((row as u32, found))
            })
            .collect()
        })?;
        Ok(SiteSuggestions {
            links: arrow::batch(py, missing_links(&found))?,
            duplicates: arrow::batch(py, duplicates(&found))?,
        })
    }
}

fn site_links(batch: &RecordBatch, pages: usize) -> PyResult<Ragged<SiteLink>> {
    let column = |at| numbers::<UInt32Type>(batch.column(at));
    let (source, target) = (column(0)?.values(), column(1)?.values());
    let (first, last) = (column(2)?.values(), column(3)?.values());
    let template = numbers::<UInt8Type>(batch.column(4))?.values();
    let known = |page: u32| (page as usize) < pages;
    let targets = target.iter().all(|&page| page == OUTSIDE || known(page));

    let link = |at: usize| SiteLink {
        target: known(target[at]).then_some(target[at]),
        first: first[at],
        last: last[at],
        template: template[at] != 0,
    };
    let by_source = (0..source.len()).map(|at| (source[at] as usize, link(at)));
    let links = Ragged::from_sorted(pages, by_source).filter(|_| targets);
    links.ok_or_else(|| PyValueError::new_err("expected links between known pages, by source"))
}

fn missing_links(found: &[(u32, Suggestions)]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let all = || {
        found
            .iter()
            .flat_map(|(source, found)| found.links.iter().map(move |link| (*source, link)))
    };
    let mention = |value: fn(&Mention) -> u32| {
        let column = all().map(|(_, link)| link.mention.as_ref().map(value));
        Arc::new(UInt32Array::from_iter(column)) as ArrayRef
    };
    let named = all().map(|(_, link)| link.mention.as_ref().map_or(0.0, |found| found.probability));
    let columns: [(&str, ArrayRef); 7] = [
        (
            "source",
            Arc::new(UInt32Array::from_iter_values(all().map(|each| each.0))),
        ),
        (
            "target",
            Arc::new(UInt32Array::from_iter_values(
                all().map(|each| each.1.target),
            )),
        ),
        (
            "score",
            Arc::new(Float64Array::from_iter_values(
                all().map(|each| each.1.score),
            )),
        ),
        (
            "similarity",
            Arc::new(Float64Array::from_iter_values(
                all().map(|each| each.1.similarity),
            )),
        ),
        ("mention", Arc::new(Float64Array::from_iter_values(named))),
        ("first", mention(|found| found.words.start)),
        ("last", mention(|found| found.words.end)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}

fn duplicates(found: &[(u32, Suggestions)]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let all = || {
        found
            .iter()
            .flat_map(|(page, found)| found.duplicates.iter().map(move |other| (*page, *other)))
    };
    let columns: [(&str, ArrayRef); 2] = [
        (
            "page",
            Arc::new(UInt32Array::from_iter_values(all().map(|pair| pair.0))),
        ),
        (
            "other",
            Arc::new(UInt32Array::from_iter_values(all().map(|pair| pair.1))),
        ),
    ];
    RecordBatch::try_from_iter(columns)
}
