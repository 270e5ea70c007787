//! From H to I, and from bags to holders.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use pagekin_core::index::{self, Bag};
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

/// The holders of the terms of a range, gathered from bags.
#[pyclass(module = "pagekin._core")]
pub struct Holders {
    rows: u32,
    gathered: index::Holders,
}

#[pymethods]
impl Holders {
    /// None yet, of terms from `first` to `last`.
    #[new]
    fn new(first: u64, last: u64) -> Self {
        Self {
            rows: 0,
            gathered: index::Holders::new(first, last),
        }
    }

    /// Add the next bags of a shard, of which only those that are `named` count.
    fn add(&mut self, py: Python<'_>, bags: PyRecordBatch, named: Vec<bool>) -> PyResult<()> {
        let bags = bags.into_inner();
        let (ends, terms, weights) = lists(&bags).ok_or_else(|| {
            PyValueError::new_err("expected bags: id, terms and weights of one length")
        })?;
        errors::guarded(py, || {
            for (number, named) in named.into_iter().enumerate() {
                if named {
                    let own = ends[number] as usize..ends[number + 1] as usize;
                    let bag = Bag {
                        terms: &terms[own.clone()],
                        weights: &weights[own],
                    };
                    self.gathered.add(self.rows, &bag);
                }
                self.rows += 1;
            }
        })
    }

    /// The batch of these terms. Nothing is left of what was gathered.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let nothing = index::Holders::new(0, 0);
        let gathered = std::mem::replace(&mut self.gathered, nothing);
        let batch = errors::guarded(py, || gathered.into_batch())?.map_err(errors::arrow)?;
        Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
    }
}

/// Where each bag ends, the terms and the weights of a batch of bags.
fn lists(bags: &RecordBatch) -> Option<(&[i64], &[u64], &[u16])> {
    let terms = bags.column_by_name("terms")?.as_list_opt::<i64>()?;
    let weights = bags.column_by_name("weights")?.as_list_opt::<i64>()?;
    let same = terms.value_offsets() == weights.value_offsets();
    let values = terms.values().as_primitive_opt::<UInt64Type>()?.values();
    let heavy = weights.values().as_primitive_opt::<UInt16Type>()?.values();
    same.then_some((terms.value_offsets(), values, heavy))
}
