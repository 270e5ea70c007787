//! The checksums of files.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::UInt32Array;
use pagekin_core::index;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;

use crate::errors;

/// The checksum of a file, which is XXH3 with 128 bits in hexadecimal, and
/// those of its sectors.
#[pyfunction]
pub fn checksums(py: Python<'_>, path: PathBuf) -> PyResult<(String, Py<PyAny>)> {
    let (whole, sums) = py
        .detach(|| index::checksums(File::open(path)?))
        .map_err(errors::io)?;
    let sums = PyArray::from_array_ref(Arc::new(UInt32Array::from(sums)));
    let sums = sums.to_pyarrow(py)?.unbind();
    Ok((format!("{whole:032x}"), sums))
}
