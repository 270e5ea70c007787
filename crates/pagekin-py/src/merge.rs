//! Fragment blocks to raw bags, partition after partition.

use pagekin_core::bags as core;
use pagekin_core::spill::{PartLocation, Parts, SpillError};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::bags::PySuperseded;
use crate::errors;
use crate::memory::ObjectPool;
use crate::spill::{guarded, locations, PartArg, SourceArg};
use crate::strategy::PyStrategy;
use crate::sweep::UrlSet;

/// Merges partitions without the evidence of replaced captures. Every thread that does so keeps
/// its memory for the next one.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Merger {
    superseded: Py<PySuperseded>,
    strategy: Py<PyStrategy>,
    bits: u32,
    idle: ObjectPool<core::MergedPartition>,
}

/// A merged partition.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct Merged {
    urls: usize,
    pages: Py<PyAny>,
    links: Py<PyAny>,
    /// Where each range of term counts ends.
    count_ends: Vec<u64>,
}

#[pymethods]
impl Merger {
    /// A merger by a strategy, for a lexicon of `2^bits` ranges.
    #[new]
    fn new(superseded: Py<PySuperseded>, strategy: Py<PyStrategy>, bits: u32) -> Self {
        Self {
            superseded,
            strategy,
            bits,
            idle: ObjectPool::default(),
        }
    }

    /// Merges one partition: the raw bags and the counts of its terms go to files, the
    /// tables come back as batches.
    fn merge(
        &self,
        py: Python<'_>,
        blocks: Vec<PartArg>,
        bags_to: SourceArg,
        counts_to: SourceArg,
    ) -> PyResult<Merged> {
        let blocks = locations(blocks);
        let (urls, count_ends, pages, links) = guarded(py, || {
            self.merged(&blocks, |merged| {
                bags_to.0.write(packed(merged.bags()))?;
                let counts = core::pack_term_counts(merged, self.bits);
                let ends = counts_to.0.write(counts)?;
                let tables = (core::page_batch(merged), core::link_batch(merged));
                Ok((merged.urls(), ends, tables.0, tables.1))
            })
        })?;
        let to_python = |batch| -> PyResult<Py<PyAny>> {
            Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
        };
        Ok(Merged {
            urls,
            pages: to_python(pages.map_err(errors::arrow)?)?,
            links: to_python(links.map_err(errors::arrow)?)?,
            count_ends,
        })
    }

    /// Merges one partition: the raw bags of two sets of URLs and the frequencies
    /// of all terms go to three files. Returns how many URLs the partition has, and
    /// where each range of frequencies ends.
    fn merge_only(
        &self,
        py: Python<'_>,
        blocks: Vec<PartArg>,
        only: (PyRef<'_, UrlSet>, PyRef<'_, UrlSet>),
        to: (SourceArg, SourceArg, SourceArg),
    ) -> PyResult<(usize, Vec<u64>)> {
        let only = (&only.0 .0, &only.1 .0);
        let blocks = locations(blocks);
        guarded(py, || {
            self.merged(&blocks, |merged| {
                to.0 .0.write(packed(&merged.bags().only(only.0)))?;
                to.1 .0.write(packed(&merged.bags().only(only.1)))?;
                let ends = to.2 .0.write(core::pack_frequencies(merged, self.bits))?;
                Ok((merged.urls(), ends))
            })
        })
    }
}

fn packed(bags: &core::RawBags) -> Parts {
    Parts::single(0, |out| bags.write(out))
}

impl Merger {
    /// Merges a partition and does something with it.
    fn merged<T>(
        &self,
        blocks: &[PartLocation],
        work: impl FnOnce(&core::MergedPartition) -> Result<T, SpillError>,
    ) -> Result<T, SpillError> {
        let mut merged = self.idle.take();
        let superseded = self.superseded.get().captures();
        merged.merge(blocks, &superseded, &self.strategy.get().0)?;
        let done = work(&merged);
        self.idle.put(merged);
        done
    }
}
