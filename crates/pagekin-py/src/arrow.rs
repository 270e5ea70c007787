//! Arrow arrays and tables across the border, without a copy.

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch};
use arrow_schema::ArrowError;
use pagekin_core::columns::{Bag, BagTable, BagTableError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::errors;

/// A column of numbers without nulls.
pub fn numbers<T: ArrowPrimitiveType>(array: &ArrayRef) -> PyResult<&PrimitiveArray<T>> {
    array
        .as_primitive_opt::<T>()
        .filter(|found| found.null_count() == 0)
        .ok_or_else(|| PyValueError::new_err(format!("expected {} without nulls", T::DATA_TYPE)))
}

/// An array for Python.
pub fn array(py: Python<'_>, array: ArrayRef) -> PyResult<Py<PyAny>> {
    Ok(PyArray::from_array_ref(array).to_pyarrow(py)?.unbind())
}

/// A batch for Python.
pub fn batch(py: Python<'_>, batch: Result<RecordBatch, ArrowError>) -> PyResult<Py<PyAny>> {
    let batch = PyRecordBatch::new(batch.map_err(errors::core)?);
    Ok(batch.into_pyarrow(py)?.unbind())
}

/// The batches that Python has given.
pub fn batches(given: Vec<PyRecordBatch>) -> Vec<RecordBatch> {
    given.into_iter().map(PyRecordBatch::into_inner).collect()
}

/// The bags of batches of the bag table, one after another, and the ids of their pages.
pub fn bags(batches: &[RecordBatch]) -> Result<(Vec<u64>, Vec<Bag<'_>>), BagTableError> {
    let (mut ids, mut bags) = (Vec::new(), Vec::new());
    for batch in batches {
        let table = BagTable::new(batch)?;
        ids.extend_from_slice(table.ids());
        for bag in table.bags() {
            bags.push(bag?);
        }
    }
    Ok((ids, bags))
}
