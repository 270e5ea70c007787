//! Concepts: learning them from bags, and what is made of them.

use arrow_array::RecordBatch;
use pagekin_core::columns::{BagTable, BagTableError};
use pagekin_core::concepts as core;
use pagekin_core::hash;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors;

/// How concepts are learnt: attributes of Python's `Concept`.
#[derive(FromPyObject)]
pub struct LearningArg {
    components: usize,
    mixed: usize,
    terms: usize,
    power: f64,
}

/// What was learnt: two tables.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct LearntConcepts {
    /// The loadings of terms.
    loadings: Py<PyAny>,
    /// The vectors of the sample's pages, if they were wanted.
    page_vectors: Py<PyAny>,
}

/// Learns from the bags of a sample; `cited` asks for page vectors as well.
#[pyfunction]
pub fn learn_concepts(
    py: Python<'_>,
    bags: Vec<PyRecordBatch>,
    learning: LearningArg,
    cited: bool,
    threads: usize,
) -> PyResult<LearntConcepts> {
    let batches: Vec<RecordBatch> = bags.into_iter().map(PyRecordBatch::into_inner).collect();
    let learning = core::Learning {
        components: learning.components,
        mixed: learning.mixed,
        terms: learning.terms,
        power: learning.power,
    };
    let (loadings, vectors) = errors::guarded(py, || -> Result<_, BagTableError> {
        let (mut pages, mut bags) = (Vec::new(), Vec::new());
        for batch in &batches {
            let table = BagTable::new(batch)?;
            pages.extend_from_slice(table.ids());
            for bag in table.bags() {
                bags.push(bag?);
            }
        }
        let loadings = core::learn(&bags, &learning, threads);
        let concepts = core::Concepts::new(&loadings, learning.power);
        let wanted = if cited { pages.len() } else { 0 };
        let vectors = core::page_vectors(&pages[..wanted], &bags, &concepts);
        Ok((loadings, vectors))
    })?
    .map_err(|_| wrong_columns())?;
    Ok(LearntConcepts {
        loadings: table(py, loadings)?,
        page_vectors: table(py, vectors)?,
    })
}

fn table(py: Python<'_>, rows: core::Loadings) -> PyResult<Py<PyAny>> {
    let batch = rows.into_batch().map_err(errors::arrow)?;
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
}

fn wrong_columns() -> PyErr {
    PyValueError::new_err("the batch has other columns than it should, or lists of other lengths")
}

/// Concepts, ready for the bags of a crawl.
#[pyclass(frozen, name = "Concepts", module = "pagekin._core")]
pub struct PyConcepts(pub core::Concepts);

#[pymethods]
impl PyConcepts {
    /// The concepts of these batches of loadings; weights are raised to `power`. Batches of
    /// page vectors say where pages point that others link to.
    #[new]
    #[pyo3(signature = (loadings, power, page_vectors=Vec::new()))]
    fn new(
        loadings: Vec<PyRecordBatch>,
        power: f64,
        page_vectors: Vec<PyRecordBatch>,
    ) -> PyResult<Self> {
        let concepts = core::Concepts::new(&rows(loadings)?, power);
        Ok(Self(concepts.with_page_vectors(&rows(page_vectors)?)))
    }

    /// How many concepts there are: two a component, mixed ones as well.
    fn __len__(&self) -> usize {
        2 * self.0.components()
    }
}

fn rows(batches: Vec<PyRecordBatch>) -> PyResult<core::Loadings> {
    let batches: Vec<_> = batches.into_iter().map(PyRecordBatch::into_inner).collect();
    core::Loadings::from_batches(&batches).ok_or_else(wrong_columns)
}

/// The term of a concept, by its number from 1 on.
#[pyfunction]
pub fn concept_term(number: u32) -> PyResult<u64> {
    if !(1..hash::MOST_CONCEPTS).contains(&number) {
        return Err(PyValueError::new_err("there is no concept of this number"));
    }
    Ok(hash::concept_term(number))
}

/// The number of a concept by its term; None for other terms.
#[pyfunction]
pub fn concept_number(term: u64) -> Option<u32> {
    hash::is_concept(term).then(|| hash::concept_number(term))
}
