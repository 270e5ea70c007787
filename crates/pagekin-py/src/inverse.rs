//! From H to I.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use pagekin_core::index;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::errors;
use crate::sealed::numbers;

/// The batch of I for one position: `values` are those of `rows`, which ascend.
#[pyfunction]
pub fn invert(py: Python<'_>, values: PyArray, rows: PyArray) -> PyResult<Py<PyAny>> {
    let (values, rows) = (numbers(&values)?, numbers(&rows)?);
    if values.len() != rows.len() {
        return Err(PyValueError::new_err("each row has one value"));
    }
    let inverse = errors::guarded(py, || index::invert(values.values(), rows.values()))?;
    let columns: [(&str, ArrayRef); 2] = [
        ("value", Arc::new(UInt32Array::from(inverse.values))),
        ("row", Arc::new(UInt32Array::from(inverse.rows))),
    ];
    let batch = RecordBatch::try_from_iter(columns).map_err(errors::arrow)?;
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
}
