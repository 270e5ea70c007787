//! Errors of the core as Python exceptions.

use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};

use arrow_schema::ArrowError;
use pagekin_core::columns::BagTableError;
use pagekin_core::index::TableError;
use pagekin_core::interrupt::{watched, Interrupted};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::interrupt::Stop;

create_exception!(
    pagekin._core,
    CoreError,
    PyException,
    "Data that the core itself wrote does not read back."
);

create_exception!(
    pagekin._core,
    CorePanic,
    PyException,
    "The core met a case that it does not handle: a defect, whatever the data are."
);

/// Runs work without the GIL. A bug becomes an exception that the command line can report,
/// not a panic, and work that is given up the exception that says so.
pub fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| {
        let stop = Stop::of_thread();
        let watched = || watched(stop.probe(), work);
        let done = catch_unwind(AssertUnwindSafe(watched));
        done.map(|done| done.map_err(|Interrupted| stop.error()))
    });
    done.map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        CorePanic::new_err(text.unwrap_or("unknown").to_owned())
    })?
}

/// Reads an index without the GIL.
pub fn reading<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, TableError> + Send,
) -> PyResult<T> {
    guarded(py, work)?.map_err(core)
}

/// An error of the core about what it wrote itself.
pub fn core(error: impl std::fmt::Display) -> PyErr {
    CoreError::new_err(error.to_string())
}

/// Batches of another table are the caller's fault, damaged bags are not.
pub fn bags(error: BagTableError) -> PyErr {
    match error {
        BagTableError::Column(_) => PyValueError::new_err(error.to_string()),
        BagTableError::Bag(_) => core(error),
    }
}

/// An error of Arrow: one of the disk, or of what the core wrote.
pub fn arrow(error: ArrowError) -> PyErr {
    match error {
        ArrowError::IoError(_, error) => io(error),
        error => core(error),
    }
}

/// An I/O error with its number, so that Python can recognise a full disk.
pub fn io(error: io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}
