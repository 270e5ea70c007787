//! Postings: raw bags transposed, partition after partition.

use arrow_array::types::UInt32Type;
use pagekin_core::bags as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;

use crate::arrow;
use crate::spill::{guarded, locations, PartArg, SourceArg};

/// Transposes one partition's raw bags, whose pages are of these sites, into
/// postings, cut into ranges of terms in a file; returns where each range ends.
#[pyfunction]
pub fn pack_postings(
    py: Python<'_>,
    bags_in: SourceArg,
    site_of: PyArray,
    bits: u32,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    let site_of = arrow::numbers::<UInt32Type>(site_of.array())?.values();
    guarded(py, || {
        let mut raw = core::RawBags::default();
        raw.read(&bags_in.0.whole()?)?;
        Ok(to.0.write(core::pack_postings(&raw, site_of, bits)?)?)
    })
}

/// Merges one range of all partitions' postings; `firsts` are the numbers of the partitions' first
/// pages.
#[pyfunction]
pub fn merge_postings(
    py: Python<'_>,
    parts: Vec<PartArg>,
    firsts: Vec<u32>,
) -> PyResult<Py<PyAny>> {
    if parts.len() != firsts.len() {
        return Err(PyValueError::new_err("each part has one first page"));
    }
    let parts = locations(parts);
    let batch = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let parts: Vec<_> = firsts.into_iter().zip(parts).collect();
        Ok(core::posting_batch(core::merge_postings(&parts)?))
    })?;
    arrow::batch(py, batch)
}
