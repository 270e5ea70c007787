//! Files of an index that Python has mapped, and their checksums.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::UInt32Array;
use pagekin_core::index::{BlockChecksums, FileChecksums, MappedTable, VerifiedFile};
use pyo3::prelude::*;
use pyo3_arrow::buffer::AnyBufferProtocol;
use pyo3_arrow::PyArray;

use crate::{arrow, errors};

/// A mapped file whose blocks are compared with their checksums where they are read.
#[pyclass(name = "VerifiedFile", frozen, module = "pagekin._core")]
pub struct PyVerifiedFile(pub Arc<VerifiedFile>);

#[pymethods]
impl PyVerifiedFile {
    /// A file by name, its bytes, and the checksums of its blocks if it has any.
    #[new]
    fn new(name: String, content: AnyBufferProtocol, blocks: Option<PyArray>) -> PyResult<Self> {
        let bytes = content.into_arrow_buffer().map_err(errors::core)?;
        let checksums = match blocks {
            Some(blocks) => {
                let blocks = arrow::numbers::<UInt32Type>(blocks.array())?;
                BlockChecksums::new(blocks.values().clone())
            }
            None => BlockChecksums::none(bytes.len()),
        };
        let file = VerifiedFile::new(name, bytes, checksums);
        Ok(Self(Arc::new(file)))
    }
}

/// A table whose batches can be verified.
#[pyclass(name = "VerifiedTable", frozen, module = "pagekin._core")]
pub struct PyVerifiedTable(MappedTable);

#[pymethods]
impl PyVerifiedTable {
    /// The table in a file, whose batches may be compressed.
    #[new]
    #[pyo3(signature = (file, *, compressed=false))]
    fn new(py: Python<'_>, file: &PyVerifiedFile, compressed: bool) -> PyResult<Self> {
        let open = if compressed {
            MappedTable::open_compressed
        } else {
            MappedTable::open
        };
        errors::reading(py, || open(Arc::clone(&file.0), &[])).map(Self)
    }

    /// Fails unless a batch is as it was written.
    fn verify(&self, py: Python<'_>, batch: usize) -> PyResult<()> {
        errors::reading(py, || self.0.verify_batch(batch))
    }

    /// Fails unless every batch is as it was written.
    fn verify_all(&self, py: Python<'_>) -> PyResult<()> {
        let mut batches = 0..self.0.batch_count();
        errors::reading(py, || {
            batches.try_for_each(|batch| self.0.verify_batch(batch))
        })
    }
}

/// The checksum of a file, which is XXH3 with 128 bits in hexadecimal, and those of its blocks.
#[pyclass(name = "FileChecksums", frozen, get_all, module = "pagekin._core")]
pub struct PyFileChecksums {
    whole: String,
    blocks: Py<PyAny>,
}

/// Reads a file and computes its checksums.
#[pyfunction]
pub fn checksums(py: Python<'_>, path: PathBuf) -> PyResult<PyFileChecksums> {
    let found = py
        .detach(|| FileChecksums::compute(File::open(path)?))
        .map_err(errors::io)?;
    Ok(PyFileChecksums {
        whole: format!("{:032x}", found.whole),
        blocks: arrow::array(py, Arc::new(UInt32Array::from(found.blocks)))?,
    })
}
