//! Files between kernels, in memory or on disk.

use std::path::PathBuf;
use std::sync::Arc;

use pagekin_core::spill as core;
use pagekin_core::spill::SpillError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors;

/// A folder for data between stages, and the number of bytes that may stay in memory.
#[pyclass(frozen, name = "SpillStore", module = "pagekin._core")]
pub struct PySpillStore(core::SpillStore);

#[pymethods]
impl PySpillStore {
    #[new]
    fn new(folder: PathBuf, memory: u64) -> Self {
        Self(core::SpillStore::with_memory(folder, memory))
    }

    /// A file of the store that is yet to be written, once.
    fn file(&self, name: &str) -> SourceArg {
        SourceArg(self.0.file(name))
    }
}

/// A file of the store, in memory or on disk. It is removed with its last owner.
#[pyclass(frozen, name = "SpillFile", module = "pagekin._core")]
pub struct PySpillFile(Arc<core::SpillFile>);

/// Where bytes are or will be: a path, or a file of the store.
#[derive(Clone)]
pub struct SourceArg(pub core::SpillSource);

impl<'a, 'py> FromPyObject<'a, 'py> for SourceArg {
    type Error = PyErr;

    fn extract(found: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(match found.cast::<PySpillFile>() {
            Ok(file) => core::SpillSource::File(Arc::clone(&file.get().0)),
            Err(_) => core::SpillSource::Path(found.extract()?),
        }))
    }
}

impl<'py> IntoPyObject<'py> for SourceArg {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(match self.0 {
            core::SpillSource::File(file) => Bound::new(py, PySpillFile(file))?.into_any(),
            core::SpillSource::Path(path) => PyString::new(py, &path.to_string_lossy()).into_any(),
        })
    }
}

/// A part of a source: attributes of Python's `FilePart`.
#[derive(FromPyObject)]
pub struct PartArg {
    place: SourceArg,
    start: u64,
    end: u64,
}

impl From<PartArg> for core::PartLocation {
    fn from(part: PartArg) -> Self {
        Self {
            source: part.place.0,
            range: part.start..part.end,
        }
    }
}

/// Where parts are.
pub fn locations(parts: Vec<PartArg>) -> Vec<core::PartLocation> {
    parts.into_iter().map(core::PartLocation::from).collect()
}

/// Where runs go: a folder, or the store.
#[derive(FromPyObject)]
pub enum StoreArg {
    #[pyo3(transparent)]
    Store(Py<PySpillStore>),
    #[pyo3(transparent)]
    Folder(PathBuf),
}

impl From<StoreArg> for core::SpillStore {
    fn from(store: StoreArg) -> Self {
        match store {
            StoreArg::Store(store) => store.get().0.clone(),
            StoreArg::Folder(path) => Self::on_disk(path),
        }
    }
}

/// Does work without the GIL, and translates its failure.
pub fn guarded<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, SpillError> + Send,
) -> PyResult<T> {
    errors::guarded(py, work)?.map_err(|error| match error {
        SpillError::Io(error) => errors::io(error),
        error => errors::core(error),
    })
}
