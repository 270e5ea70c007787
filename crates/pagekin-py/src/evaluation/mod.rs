//! Directories, similarities and the pairs on which they agree.

mod page_store;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use pagekin_core::evaluation as core;
use pagekin_core::evaluation::{Relation, Scores, SimilarityScores, Tally};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::PyRecordBatch;

use crate::arrow::{self, numbers};
use crate::errors;

pub use page_store::{cocitations, cut_run, keep_pages};

/// Classes by their paths and pages by their classes.
#[pyclass(name = "Family", frozen, module = "pagekin._core")]
pub struct PyFamily(core::Family);

#[pymethods]
impl PyFamily {
    /// Paths are numbers of names from the top down; `pages` has the
    /// classes of each page.
    #[new]
    fn new(paths: Vec<Vec<u32>>, pages: Vec<Vec<u32>>) -> PyResult<Self> {
        core::Family::new(paths, &pages)
            .map(Self)
            .ok_or_else(|| PyValueError::new_err("a page has no class, or one that is not there"))
    }

    fn __len__(&self) -> usize {
        self.0.pages()
    }

    /// The relation of every page to this one, a byte each: 0 same class, 1 sibling,
    /// 2 cousin, 3 unrelated.
    fn relations<'py>(&self, py: Python<'py>, page: usize) -> PyResult<Bound<'py, PyBytes>> {
        within(page, self.0.pages())?;
        let mut relations = Vec::new();
        self.0.relations(page, &mut relations);
        let bytes: Vec<u8> = relations.into_iter().map(number).collect();
        Ok(PyBytes::new(py, &bytes))
    }
}

fn number(relation: Relation) -> u8 {
    match relation {
        Relation::Same => 0,
        Relation::Sibling => 1,
        Relation::Cousin => 2,
        Relation::Unrelated => 3,
    }
}

/// The bags of a directory's pages, ready to be compared with each other.
#[pyclass(name = "Collection", frozen, module = "pagekin._core")]
pub struct PyCollection(core::Collection);

#[pymethods]
impl PyCollection {
    /// The bags in batches of the bag table, one after another.
    #[new]
    fn new(py: Python<'_>, batches: Vec<PyRecordBatch>) -> PyResult<Self> {
        let batches = arrow::batches(batches);
        let found = errors::guarded(py, || {
            let (_, bags) = arrow::bags(&batches)?;
            Ok(core::Collection::new(&bags))
        })?;
        found.map_err(errors::bags)?.map(Self).map_err(|unequal| {
            let bag = unequal.bag;
            PyValueError::new_err(format!("bag {bag} has another sum than the others"))
        })
    }

    fn __len__(&self) -> usize {
        self.0.pages()
    }

    /// The similarity of one page to all.
    fn similarities(&self, page: usize, similarity: &str) -> PyResult<Vec<f64>> {
        within(page, self.0.pages())?;
        Ok(self.0.similarities(page, named(similarity)?))
    }

    /// Counts for the query pages `first..last`.
    fn tally(
        &self,
        py: Python<'_>,
        family: &PyFamily,
        similarity: &str,
        ks: Vec<usize>,
        first: usize,
        last: usize,
    ) -> PyResult<Py<PyAny>> {
        let scores = SimilarityScores(&self.0, named(similarity)?);
        counted(py, &scores, family, &ks, first..last)
    }
}

/// Answers of another system: for each query page some pages with scores.
#[pyclass(name = "Ranking", frozen, module = "pagekin._core")]
pub struct PyRanking(core::Ranking);

#[pymethods]
impl PyRanking {
    /// A ranking among `pages` pages: rows (query, other, score) of a batch,
    /// in order of query pages.
    #[new]
    fn new(pages: usize, rows: PyRecordBatch) -> PyResult<Self> {
        let rows = rows.into_inner();
        if rows.num_columns() != 3 {
            return Err(PyValueError::new_err("the batch has other columns"));
        }
        let [queries, others] = [0, 1].map(|at| numbers::<UInt32Type>(rows.column(at)));
        let (queries, others) = (queries?, others?);
        let scores = numbers::<Float64Type>(rows.column(2))?;
        let rows = queries.values().iter().zip(others.values());
        let rows = rows.zip(scores.values());
        core::Ranking::new(
            pages,
            rows.map(|((&query, &other), &score)| (query, other, score)),
        )
        .map(Self)
        .ok_or_else(|| PyValueError::new_err("the rows are not in order, or a page is not there"))
    }

    fn __len__(&self) -> usize {
        self.0.pages()
    }

    /// Counts for the query pages `first..last`.
    fn tally(
        &self,
        py: Python<'_>,
        family: &PyFamily,
        ks: Vec<usize>,
        first: usize,
        last: usize,
    ) -> PyResult<Py<PyAny>> {
        counted(py, &self.0, family, &ks, first..last)
    }
}

fn named(similarity: &str) -> PyResult<core::Similarity> {
    match similarity {
        "jaccard" => Ok(core::Similarity::Jaccard),
        "cosine" => Ok(core::Similarity::Cosine),
        name => Err(PyValueError::new_err(format!("no similarity {name}"))),
    }
}

fn within(page: usize, count: usize) -> PyResult<()> {
    if page < count {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("page {page} of {count}")))
}

fn counted(
    py: Python<'_>,
    scores: &(impl Scores + Sync),
    family: &PyFamily,
    ks: &[usize],
    queries: Range<usize>,
) -> PyResult<Py<PyAny>> {
    if family.0.pages() != scores.pages() || queries.end > scores.pages() {
        return Err(PyValueError::new_err(
            "the pages are not those of the directory",
        ));
    }
    let tallies = errors::guarded(py, || core::tally(scores, &family.0, ks, queries))?;
    arrow::batch(py, tally_batch(&tallies, ks))
}

/// One row per query page.
fn tally_batch(tallies: &[Tally], ks: &[usize]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let whole = |of: &dyn Fn(&Tally) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(tallies.iter().map(of)))
    };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    let orderings = ["sibling", "cousin", "unrelated", "whole"];
    for (place, ordering) in orderings.iter().enumerate() {
        let mut add = |kind: &str, column| columns.push((format!("{ordering}_{kind}"), column));
        add("concordant", whole(&|tally| tally.concordant[place]));
        add("discordant", whole(&|tally| tally.discordant[place]));
        add("tied", whole(&|tally| tally.tied[place]));
    }
    columns.push(("same".into(), whole(&|tally| tally.same)));
    columns.push(("orthogonal".into(), whole(&|tally| tally.orthogonal)));
    for (place, k) in ks.iter().enumerate() {
        let hits = tallies.iter().map(|tally| tally.hits[place]);
        let hits: ArrayRef = Arc::new(Float64Array::from_iter_values(hits));
        columns.push((format!("hits_{k}"), hits));
    }
    RecordBatch::try_from_iter(columns)
}
