//! Concepts: learning them from bags, and what is made of them.

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt64Type};
use arrow_array::RecordBatch;
use pagekin_core::concepts as core;
use pagekin_core::hash;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors;

/// Learns from the bags of a sample: the loadings of terms, and if `cited` the bearings of the sample's
/// pages. `learning` is the number of components, of mixed ones and of terms, and the power of weights.
#[pyfunction]
pub fn learn_concepts(
    py: Python<'_>,
    bags: Vec<PyRecordBatch>,
    learning: (usize, usize, usize, f64),
    cited: bool,
    threads: usize,
) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
    let batches: Vec<RecordBatch> = bags.into_iter().map(PyRecordBatch::into_inner).collect();
    let (components, mixed, terms, power) = learning;
    let learning = core::Learning {
        components,
        mixed,
        terms,
        power,
    };
    let (loadings, bearings) = errors::guarded(py, || -> PyResult<_> {
        let (mut pages, mut bags) = (Vec::new(), Vec::new());
        for batch in &batches {
            pages.extend_from_slice(pages_of(batch).ok_or_else(wrong_columns)?);
            bags.extend(bags_of(batch).ok_or_else(wrong_columns)?);
        }
        let loadings = core::learn(&bags, &learning, threads);
        let concepts = core::Concepts::new(&loadings, power);
        let wanted = if cited { pages.len() } else { 0 };
        let bearings = core::bearings(&pages[..wanted], &bags, &concepts);
        Ok((loadings, bearings))
    })??;
    Ok((table(py, loadings)?, table(py, bearings)?))
}

fn table(py: Python<'_>, rows: core::Loadings) -> PyResult<Py<PyAny>> {
    let batch = rows.into_batch().map_err(errors::arrow)?;
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
}

/// The ids of a batch's pages.
fn pages_of(batch: &RecordBatch) -> Option<&[u64]> {
    let ids = batch.column_by_name("id")?;
    Some(ids.as_primitive_opt::<UInt64Type>()?.values())
}

fn wrong_columns() -> PyErr {
    PyValueError::new_err("the batch has other columns than it should, or lists of other lengths")
}

/// The terms and weights of each bag of a batch.
fn bags_of(batch: &RecordBatch) -> Option<Vec<(&[u64], &[u16])>> {
    let terms = batch.column_by_name("terms")?.as_list_opt::<i64>()?;
    let weights = batch.column_by_name("weights")?.as_list_opt::<i64>()?;
    if terms.offsets() != weights.offsets() {
        return None;
    }
    let term = terms.values().as_primitive_opt::<UInt64Type>()?.values();
    let weight = weights.values().as_primitive_opt::<UInt16Type>()?.values();
    let bags = terms.offsets().windows(2).map(|ends| {
        let range = ends[0] as usize..ends[1] as usize;
        (&term[range.clone()], &weight[range])
    });
    Some(bags.collect())
}

/// Concepts, ready for the bags of a crawl.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Concepts(pub core::Concepts);

#[pymethods]
impl Concepts {
    /// The concepts of these batches of loadings; weights are raised to `power`. Batches of
    /// bearings tell of pages that others link to.
    #[new]
    #[pyo3(signature = (loadings, power, bearings=Vec::new()))]
    fn new(
        loadings: Vec<PyRecordBatch>,
        power: f64,
        bearings: Vec<PyRecordBatch>,
    ) -> PyResult<Self> {
        let concepts = core::Concepts::new(&rows(loadings)?, power);
        Ok(Self(concepts.with_bearings(&rows(bearings)?)))
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
