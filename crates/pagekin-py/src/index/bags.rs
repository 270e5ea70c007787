//! Bags as they are stored: by the places of their terms.

use arrow_array::types::UInt64Type;
use arrow_array::UInt64Array;
use pagekin_core::columns::BagTable;
use pagekin_core::index::{BagPacker, TermCollector};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};
use std::sync::Arc;

use crate::arrow::{self, numbers};
use crate::errors;

/// Collects the distinct terms of a range from bags.
#[pyclass(name = "TermCollector", module = "pagekin._core")]
pub struct PyTermCollector(TermCollector);

#[pymethods]
impl PyTermCollector {
    /// No terms yet, of those from `first` to `last`.
    #[new]
    fn new(first: u64, last: u64) -> Self {
        Self(TermCollector::new(first, last))
    }

    /// Add the terms of bags.
    fn add(&mut self, py: Python<'_>, bags: PyRecordBatch) -> PyResult<()> {
        let bags = bags.into_inner();
        let bags = BagTable::new(&bags).map_err(errors::bags)?;
        errors::guarded(py, || {
            bags.bags().try_for_each(|bag| {
                self.0.add(&bag?);
                Ok(())
            })
        })?
        .map_err(errors::bags)
    }

    /// The terms, ascending. The collector is empty afterwards.
    fn terms(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let collector = std::mem::replace(&mut self.0, TermCollector::new(0, 0));
        let terms = errors::guarded(py, || collector.into_terms())?;
        arrow::array(py, Arc::new(UInt64Array::from(terms)))
    }
}

/// Packs and unpacks the bags of a shard by its terms.
#[pyclass(name = "BagPacker", frozen, module = "pagekin._core")]
pub struct PyBagPacker(BagPacker);

#[pymethods]
impl PyBagPacker {
    /// For a shard with these terms, which ascend.
    #[new]
    fn new(py: Python<'_>, terms: PyArray) -> PyResult<Self> {
        let terms = numbers::<UInt64Type>(terms.array())?.values().to_vec();
        Ok(Self(errors::guarded(py, || BagPacker::new(terms))?))
    }

    /// Rows of bags as they are stored.
    fn pack(&self, py: Python<'_>, rows: PyRecordBatch) -> PyResult<Py<PyAny>> {
        let rows = rows.into_inner();
        arrow::batch(py, errors::guarded(py, || self.0.pack(&rows))?)
    }

    /// Stored rows as bags.
    fn unpack(&self, py: Python<'_>, rows: PyRecordBatch) -> PyResult<Py<PyAny>> {
        let rows = rows.into_inner();
        arrow::batch(py, errors::guarded(py, || self.0.unpack(&rows))?)
    }
}
