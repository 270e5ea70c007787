//! Errors of the core as Python exceptions.

use std::io;

use pagekin_core::exchange::Damage;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::PyErr;

create_exception!(
    pagekin._core,
    CoreError,
    PyException,
    "Data that the core itself wrote does not read back."
);

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
