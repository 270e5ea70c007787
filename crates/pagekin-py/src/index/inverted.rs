//! Inverted sketches, and inverted lists of bags.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use pagekin_core::columns::{BagTable, BagTableError};
use pagekin_core::index::{self, WeightedPostingsBuilder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use super::verified::numbers;
use crate::errors;

/// The inverted sketches of one position: `values` are those of `rows`, which ascend.
#[pyfunction]
pub fn invert(py: Python<'_>, values: PyArray, rows: PyArray) -> PyResult<Py<PyAny>> {
    let (values, rows) = (numbers(&values)?, numbers(&rows)?);
    if values.len() != rows.len() {
        return Err(PyValueError::new_err("each row has one value"));
    }
    let inverted = errors::guarded(py, || index::invert(values.values(), rows.values()))?;
    let columns: [(&str, ArrayRef); 2] = [
        ("value", Arc::new(UInt32Array::from(inverted.values))),
        ("row", Arc::new(UInt32Array::from(inverted.rows))),
    ];
    let batch = RecordBatch::try_from_iter(columns).map_err(errors::arrow)?;
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
}

/// Builds the inverted lists of the terms of a range from bags.
#[pyclass(name = "WeightedPostingsBuilder", module = "pagekin._core")]
pub struct PyWeightedPostingsBuilder {
    rows: u32,
    builder: WeightedPostingsBuilder,
}

#[pymethods]
impl PyWeightedPostingsBuilder {
    /// No lists yet, of terms from `first` to `last`.
    #[new]
    fn new(first: u64, last: u64) -> Self {
        Self {
            rows: 0,
            builder: WeightedPostingsBuilder::new(first, last),
        }
    }

    /// Add the next bags of a shard, of which only those that `listed` says are listed.
    fn add(&mut self, py: Python<'_>, bags: PyRecordBatch, listed: Vec<bool>) -> PyResult<()> {
        let bags = bags.into_inner();
        let bags = BagTable::new(&bags).map_err(wrong_bags)?;
        errors::guarded(py, || {
            for (bag, listed) in bags.bags().zip(listed) {
                if listed {
                    self.builder.add(self.rows, &bag?);
                }
                self.rows += 1;
            }
            Ok(())
        })?
        .map_err(wrong_bags)
    }

    /// The lists as a batch. The builder is empty afterwards.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let empty = WeightedPostingsBuilder::new(0, 0);
        let builder = std::mem::replace(&mut self.builder, empty);
        let batch = errors::guarded(py, || builder.into_batch())?.map_err(errors::arrow)?;
        Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
    }
}

fn wrong_bags(_: BagTableError) -> PyErr {
    PyValueError::new_err("expected bags: id, terms and weights of one length")
}
