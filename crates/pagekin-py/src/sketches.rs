//! The stage after bags: bags to sketches.

use pagekin_core::columns::BagTableError;
use pagekin_core::sketches::{sketch_batch, SketchError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors::{self, CoreError};

/// The sketches of a batch of bags, in the same order.
#[pyfunction]
pub fn sketch(py: Python<'_>, bags: PyRecordBatch, m: usize, seed: u64) -> PyResult<Py<PyAny>> {
    let bags = bags.into_inner();
    let sketches = errors::guarded(py, || sketch_batch(&bags, m, seed))?.map_err(exception)?;
    Ok(PyRecordBatch::new(sketches).into_pyarrow(py)?.unbind())
}

fn exception(error: SketchError) -> PyErr {
    match error {
        SketchError::Positions(_) | SketchError::Bags(BagTableError::Column(_)) => {
            PyValueError::new_err(error.to_string())
        }
        SketchError::Bags(BagTableError::Bag(_)) | SketchError::Arrow(_) => {
            CoreError::new_err(error.to_string())
        }
    }
}
