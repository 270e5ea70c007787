//! One record of an archive, read back.

use std::path::PathBuf;

use pagekin_core::crawl::{self as core, Limits, RecordPlace, StoredRecord};
use pagekin_core::url;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::extract::{LimitsArg, SourceFailure};

/// Where a record is: a file, perhaps with an entry of it; a file that is the page of a URL; or its
/// stored bytes.
#[derive(FromPyObject)]
pub struct RecordArg {
    path: PathBuf,
    entry: Option<String>,
    page_url: Option<String>,
    content: Option<Vec<u8>>,
    offset: u64,
    length: Option<u64>,
}

impl RecordArg {
    fn into_parts(self) -> (StoredRecord, RecordPlace) {
        let place = RecordPlace {
            offset: self.offset,
            length: self.length,
        };
        let stored = match (self.content, self.page_url) {
            (Some(bytes), _) => StoredRecord::Bytes(self.path.display().to_string(), bytes),
            (None, Some(url)) => StoredRecord::Page(self.path, url),
            (None, None) => StoredRecord::File(self.path, self.entry),
        };
        (stored, place)
    }
}

/// A record as it was archived: its URL in canonical form, the lines of its HTTP header, its body
/// without encodings unless `encoded`, and of a revisit the URL and date that it refers to.
#[pyclass(frozen, get_all, name = "ArchivedRecord", module = "pagekin._core")]
pub struct PyArchivedRecord {
    url: Option<String>,
    date: Option<i64>,
    kind: &'static str,
    head: Py<PyBytes>,
    body: Py<PyBytes>,
    charset: Option<String>,
    encoded: bool,
    truncated: bool,
    refers_to: Option<(String, Option<i64>)>,
}

/// Reads a record; a fault of its file is returned as a failure.
#[pyfunction]
pub fn read_record(py: Python<'_>, record: RecordArg, limits: LimitsArg) -> PyResult<Py<PyAny>> {
    let limits = Limits::from(limits);
    let (stored, place) = record.into_parts();
    match errors::guarded(py, || core::read_back(&stored, place, &limits))? {
        Ok(found) => Ok(Py::new(py, archived(py, found))?.into_any()),
        Err(error) => Ok(Py::new(py, SourceFailure::from(error))?.into_any()),
    }
}

fn archived(py: Python<'_>, found: core::ArchivedRecord) -> PyArchivedRecord {
    PyArchivedRecord {
        url: url::canonical(&found.url),
        date: found.date,
        kind: found.kind.name(),
        head: PyBytes::new(py, &found.head).unbind(),
        body: PyBytes::new(py, &found.body).unbind(),
        charset: found.charset,
        encoded: found.encoded,
        truncated: found.truncated,
        refers_to: found.refers_to,
    }
}
