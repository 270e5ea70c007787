//! Writing compressed tables.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pagekin_core::index::CompressedWriter;
use pyo3::prelude::*;
use pyo3_arrow::{PyRecordBatch, PySchema};

use crate::errors;

type Writer = CompressedWriter<BufWriter<File>>;

/// Writes a file of a table in small compressed batches.
#[pyclass(name = "CompressedWriter", frozen, module = "pagekin._core")]
pub struct PyCompressedWriter(Mutex<Option<Writer>>);

#[pymethods]
impl PyCompressedWriter {
    /// Creates the file of a table with these columns, so many rows a batch, at a level of
    /// Zstandard.
    #[new]
    fn new(path: PathBuf, schema: PySchema, rows: usize, level: i32) -> PyResult<Self> {
        let file = BufWriter::new(File::create(path).map_err(errors::io)?);
        let writer = CompressedWriter::new(file, schema.into_inner(), rows, level);
        Ok(Self(Mutex::new(Some(writer.map_err(errors::core)?))))
    }

    /// Adds rows.
    fn write(&self, py: Python<'_>, batch: PyRecordBatch) -> PyResult<()> {
        let batch = batch.into_inner();
        py.detach(|| match &mut *self.writer() {
            Some(writer) => writer.write(&batch),
            None => Ok(()),
        })
        .map_err(errors::arrow)
    }

    /// Writes the last rows and the footer.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            self.writer()
                .take()
                .map_or(Ok(()), CompressedWriter::finish)
        })
        .map_err(errors::arrow)
    }
}

impl PyCompressedWriter {
    fn writer(&self) -> MutexGuard<'_, Option<Writer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
