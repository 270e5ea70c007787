//! Where kernels read what others have written: files, and slots of the exchange.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use pagekin_core::exchange as core;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A folder for what stages hand on, and how many bytes of it may stay in memory.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Exchange(core::Exchange);

#[pymethods]
impl Exchange {
    #[new]
    fn new(folder: PathBuf, memory: u64) -> Self {
        Self(core::Exchange::with_room(folder, memory))
    }

    /// A place for something yet to be written, once.
    fn slot(&self, name: &str) -> Place {
        Place(self.0.place(name))
    }
}

/// A place of the exchange. What is in it is gone with the last who knows of it.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Slot(Arc<core::Slot>);

/// Where bytes are or will be: a path, or a slot.
pub struct Place(pub core::Place);

impl<'a, 'py> FromPyObject<'a, 'py> for Place {
    type Error = PyErr;

    fn extract(found: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(match found.cast::<Slot>() {
            Ok(slot) => core::Place::Slot(Arc::clone(&slot.get().0)),
            Err(_) => core::Place::File(found.extract()?),
        }))
    }
}

impl<'py> IntoPyObject<'py> for &Place {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(match &self.0 {
            core::Place::Slot(slot) => Bound::new(py, Slot(Arc::clone(slot)))?.into_any(),
            core::Place::File(path) => PyString::new(py, &path.to_string_lossy()).into_any(),
        })
    }
}

impl<'py> IntoPyObject<'py> for Place {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        (&self).into_pyobject(py)
    }
}

/// A part of what is at a place: from where, to where.
#[derive(FromPyObject)]
pub struct Part(Place, u64, u64);

impl Part {
    /// Its bytes.
    pub fn read(&self) -> io::Result<Cow<'_, [u8]>> {
        self.0 .0.part(self.1..self.2)
    }

    /// Its bytes from the ninth on, as many as the first eight say.
    pub fn read_beginning(&self) -> io::Result<Cow<'_, [u8]>> {
        let length = self.0 .0.part(self.1..self.1 + 8)?;
        let length = length.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let start = self.1 + 8;
        let end = start.saturating_add(u64::from_le_bytes(*length));
        self.0 .0.part(start..end.min(self.2))
    }
}

/// Where runs go: a folder, or the exchange.
#[derive(FromPyObject)]
pub enum Folder {
    #[pyo3(transparent)]
    Exchange(Py<Exchange>),
    #[pyo3(transparent)]
    Path(PathBuf),
}

impl From<Folder> for core::Exchange {
    fn from(folder: Folder) -> Self {
        match folder {
            Folder::Exchange(exchange) => exchange.get().0.clone(),
            Folder::Path(path) => core::Exchange::on_disk(path),
        }
    }
}
