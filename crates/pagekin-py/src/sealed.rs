//! Files of the index that Python has mapped, and the faults that are met in them.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::UInt32Array;
use pagekin_core::index::{Fault, MappedTable, SealedFile, Sums};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::buffer::AnyBufferProtocol;
use pyo3_arrow::PyArray;

use crate::errors;

/// A file of a table: name, bytes, and the checksums of its sectors.
pub type File = (String, AnyBufferProtocol, Option<PyArray>);

fn fault(error: Fault) -> PyErr {
    errors::CoreError::new_err(error.to_string())
}

/// Runs a question without the GIL.
pub fn asked<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    errors::guarded(py, work)?.map_err(fault)
}

/// The table in a file; `columns` are those that will be read, all if none is named.
pub fn mapped((name, bytes, sums): File, columns: &[&str]) -> PyResult<MappedTable> {
    let file = SealedFile {
        name,
        bytes: bytes.into_arrow_buffer().map_err(errors::arrow)?,
        sums: sums.map(|sums| sums_of(&sums)).transpose()?,
    };
    MappedTable::open(file, columns).map_err(fault)
}

fn sums_of(sums: &PyArray) -> PyResult<Sums> {
    Ok(Sums::new(numbers(sums)?.values().clone()))
}

/// An array of numbers of 32 bits.
pub fn numbers(array: &PyArray) -> PyResult<&UInt32Array> {
    let numbers = array.as_ref().as_primitive_opt::<UInt32Type>();
    numbers.ok_or_else(|| PyValueError::new_err("these are no numbers of 32 bits"))
}

/// A file of a table whose batches can be held against their checksums.
#[pyclass(frozen, module = "pagekin._core")]
pub struct SealedTable(MappedTable);

#[pymethods]
impl SealedTable {
    /// The table in these bytes.
    #[new]
    fn new(name: String, content: AnyBufferProtocol, sums: PyArray) -> PyResult<Self> {
        mapped((name, content, Some(sums)), &[]).map(Self)
    }

    /// Fails unless a batch is as it was written.
    fn check(&self, py: Python<'_>, batch: usize) -> PyResult<()> {
        asked(py, || self.0.check_batch(batch))
    }
}
