//! Writing the texts of pages.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pagekin_core::index::TextWriter;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors;

/// Writes a file of the table of texts in small compressed batches.
#[pyclass(name = "TextWriter", frozen, module = "pagekin._core")]
pub struct PyTextWriter(Mutex<Option<TextWriter<BufWriter<File>>>>);

#[pymethods]
impl PyTextWriter {
    /// Creates the file.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let file = BufWriter::new(File::create(path).map_err(errors::io)?);
        let writer = TextWriter::new(file).map_err(errors::core)?;
        Ok(Self(Mutex::new(Some(writer))))
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
        py.detach(|| self.writer().take().map_or(Ok(()), TextWriter::finish))
            .map_err(errors::arrow)
    }
}

impl PyTextWriter {
    fn writer(&self) -> std::sync::MutexGuard<'_, Option<TextWriter<BufWriter<File>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
