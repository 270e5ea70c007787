//! Errors of the core as Python exceptions.

use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};

use pagekin_core::exchange::Damage;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;

create_exception!(
    pagekin._core,
    CoreError,
    PyException,
    "Data that the core itself wrote does not read back."
);

/// Does work without the GIL. A fault of our own becomes an exception that the
/// command line can tell, not a panic that it cannot.
pub fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            CoreError::new_err(format!(
                "a fault of the core: {}",
                text.unwrap_or("unknown")
            ))
        })
}

pub fn damage(error: Damage) -> PyErr {
    CoreError::new_err(error.to_string())
}

pub fn arrow(error: impl std::fmt::Display) -> PyErr {
    CoreError::new_err(error.to_string())
}

/// An I/O error with its number, so that Python tells a full disk from the rest.
pub fn io(error: io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}
