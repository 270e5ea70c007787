//! Sketches of bags, and inverted sketches.

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use pagekin_core::index;
use pagekin_core::sketches::{sketch_batch, SketchError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::arrow::{self, numbers};
use crate::errors;

/// The sketches of a batch of bags, in the same order.
#[pyfunction]
pub fn sketch(py: Python<'_>, bags: PyRecordBatch, m: usize, seed: u64) -> PyResult<Py<PyAny>> {
    let bags = bags.into_inner();
    match errors::guarded(py, || sketch_batch(&bags, m, seed))? {
        Ok(sketches) => arrow::batch(py, Ok(sketches)),
        Err(SketchError::Bags(error)) => Err(errors::bags(error)),
        Err(error @ SketchError::Positions(_)) => Err(PyValueError::new_err(error.to_string())),
        Err(error @ SketchError::Arrow(_)) => Err(errors::core(error)),
    }
}

/// The inverted sketches of one position: `values` are those of `rows`, which ascend.
#[pyfunction]
pub fn invert(py: Python<'_>, values: PyArray, rows: PyArray) -> PyResult<Py<PyAny>> {
    let values = numbers::<UInt32Type>(values.array())?;
    let rows = numbers::<UInt32Type>(rows.array())?;
    if values.len() != rows.len() {
        return Err(PyValueError::new_err("each row has one value"));
    }
    let inverted = errors::guarded(py, || index::invert(values.values(), rows.values()))?;
    let columns: [(&str, ArrayRef); 2] = [
        ("value", Arc::new(UInt32Array::from(inverted.values))),
        ("row", Arc::new(UInt32Array::from(inverted.rows))),
    ];
    arrow::batch(py, RecordBatch::try_from_iter(columns))
}
