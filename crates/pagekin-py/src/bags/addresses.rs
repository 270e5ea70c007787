//! Which addresses are one page, and the links that move because of it.

use std::sync::Arc;

use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use pagekin_core::bags as core;
use pagekin_core::fragments::{CaptureColumns, FragmentBlock, MovedLinks};
use pagekin_core::spill::SpillWriter;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use super::{capture_batch, PySupersededCaptures};
use crate::arrow;
use crate::spill::{guarded, locations, PartArg, SourceArg};

/// Other addresses of pages.
#[pyclass(frozen, name = "Aliases", module = "pagekin._core")]
#[derive(Default)]
pub struct PyAliases(pub core::Aliases);

#[pymethods]
impl PyAliases {
    /// The addresses of batches: ids of addresses and of their pages.
    #[new]
    fn new(ranges: Vec<PyRecordBatch>) -> PyResult<Self> {
        let mut all = Vec::new();
        for range in ranges {
            let range = range.into_inner();
            let ids = arrow::numbers::<UInt64Type>(range.column(0))?;
            let pages = arrow::numbers::<UInt64Type>(range.column(1))?;
            all.extend(
                ids.values()
                    .iter()
                    .copied()
                    .zip(pages.values().iter().copied()),
            );
        }
        Ok(Self(core::Aliases::new(all)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The table of them, in order of the addresses' ids.
    fn table(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (ids, pages) = self.0.columns();
        alias_batch(py, ids.to_vec(), pages.to_vec())
    }
}

/// The result for a range of addresses: batches of aliases, and of captures that are folded.
#[pyclass(frozen, get_all, name = "AddressRange", module = "pagekin._core")]
pub struct PyAddressRange {
    aliases: Py<PyAny>,
    folded: Py<PyAny>,
}

/// Packs the addresses that a partition knows, cut into ranges in a file; returns where each range
/// ends.
#[pyfunction]
pub fn pack_addresses(
    py: Python<'_>,
    blocks: Vec<PartArg>,
    superseded: &PySupersededCaptures,
    bits: u32,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    let blocks = locations(blocks);
    guarded(py, || {
        let captures = blocks.iter().map(CaptureColumns::read_part);
        let captures = captures.collect::<Result<Vec<_>, _>>()?;
        let packed = core::pack_addresses(&captures, &superseded.captures(), bits);
        Ok(to.0.write(packed)?)
    })
}

/// Decides which addresses of one range of all partitions are one page.
#[pyfunction]
pub fn merge_addresses(py: Python<'_>, parts: Vec<PartArg>) -> PyResult<PyAddressRange> {
    let parts = locations(parts);
    let range = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Ok(core::merge_addresses(&parts)?)
    })?;
    let (ids, pages) = range.aliases.into_iter().unzip();
    Ok(PyAddressRange {
        aliases: alias_batch(py, ids, pages)?,
        folded: capture_batch(py, range.folded)?,
    })
}

/// Takes the links to other addresses of pages out of a partition, for the `2^bits` partitions of
/// their pages; returns where the block of each ends.
#[pyfunction]
pub fn move_links(
    py: Python<'_>,
    blocks: Vec<PartArg>,
    superseded: &PySupersededCaptures,
    aliases: &PyAliases,
    bits: u32,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    let blocks = locations(blocks);
    guarded(py, || {
        let captures = superseded.captures();
        let mut moved = MovedLinks::new(bits);
        let mut block = FragmentBlock::default();
        for part in &blocks {
            block.read_part(part)?;
            let run = block.captures.run();
            let is_live = |page| !captures.contains(run, page);
            moved.add(&block, |id| aliases.0.page_of(id), is_live);
        }
        let mut out = SpillWriter::new(&to.0);
        moved.write(&mut out)?;
        Ok(out.finish()?)
    })
}

fn alias_batch(py: Python<'_>, ids: Vec<u64>, pages: Vec<u64>) -> PyResult<Py<PyAny>> {
    let columns = [("id", ids), ("page", pages)];
    let batch = RecordBatch::try_from_iter(columns.map(|(name, column)| {
        let column = UInt64Array::from(column);
        (name, Arc::new(column) as ArrayRef)
    }));
    arrow::batch(py, batch)
}
