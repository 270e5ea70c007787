//! Rows of packed tables.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pagekin_core::index::{packed_table, PackedTable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::{arrow, errors};

/// Rows of a table as they are stored.
#[pyfunction]
pub fn pack(py: Python<'_>, table: &str, rows: PyRecordBatch) -> PyResult<Py<PyAny>> {
    convert(py, table, rows, |table, rows| table.pack(rows))
}

/// Stored rows of a table as lists of numbers.
#[pyfunction]
pub fn unpack(py: Python<'_>, table: &str, rows: PyRecordBatch) -> PyResult<Py<PyAny>> {
    convert(py, table, rows, |table, rows| table.unpack(rows))
}

fn convert(
    py: Python<'_>,
    table: &str,
    rows: PyRecordBatch,
    work: impl FnOnce(&dyn PackedTable, &RecordBatch) -> Result<RecordBatch, ArrowError> + Send,
) -> PyResult<Py<PyAny>> {
    let rows = rows.into_inner();
    let packed = packed_table(table);
    let packed = packed.ok_or_else(|| PyValueError::new_err(format!("{table} is not packed")))?;
    arrow::batch(py, errors::guarded(py, || work(packed, &rows))?)
}
