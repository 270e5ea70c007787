//! Segments to raw bags, partition after partition.

use pagekin_core::bags as core;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::bags::{Failure, Superseded};
use crate::errors;
use crate::exchange::{Part, Place};
use crate::memory::Idle;
use crate::strategy::Strategy;
use crate::sweep::Chosen;

/// Merges partitions without the evidence of replaced captures. Every thread that does so keeps
/// its memory for the next one.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Merger {
    superseded: Py<Superseded>,
    strategy: Py<Strategy>,
    bits: u32,
    idle: Idle<core::Merged>,
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
    fn new(superseded: Py<Superseded>, strategy: Py<Strategy>, bits: u32) -> Self {
        Self {
            superseded,
            strategy,
            bits,
            idle: Idle::default(),
        }
    }

    /// Merges one partition: the raw bags and the counts of its terms go to places, the
    /// tables come back as batches.
    fn merge(
        &self,
        py: Python<'_>,
        segments: Vec<Part>,
        bags_to: Place,
        counts_to: Place,
    ) -> PyResult<Merged> {
        let (urls, count_ends, pages, links) = errors::guarded(py, || {
            self.merged(&segments, |merged| {
                bags_to.0.write(merged.bags().pack())?;
                let ends = counts_to
                    .0
                    .write(core::pack_term_counts(merged, self.bits))?;
                let tables = (core::page_batch(merged), core::link_batch(merged));
                Ok((merged.urls(), ends, tables.0, tables.1))
            })
        })??;
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

    /// Merges one partition: the raw bags of two choices of URLs and the frequencies
    /// of all terms go to three places. Returns how many URLs the partition has, and
    /// where each range of frequencies ends.
    fn merge_chosen(
        &self,
        py: Python<'_>,
        segments: Vec<Part>,
        chosen: (PyRef<'_, Chosen>, PyRef<'_, Chosen>),
        to: (Place, Place, Place),
    ) -> PyResult<(usize, Vec<u64>)> {
        let chosen = (&chosen.0 .0, &chosen.1 .0);
        Ok(errors::guarded(py, || {
            self.merged(&segments, |merged| {
                to.0 .0.write(merged.bags().only(chosen.0).pack())?;
                to.1 .0.write(merged.bags().only(chosen.1).pack())?;
                let ends = to.2 .0.write(core::pack_frequencies(merged, self.bits))?;
                Ok((merged.urls(), ends))
            })
        })??)
    }
}

impl Merger {
    /// Merges a partition and does something with it.
    fn merged<T>(
        &self,
        segments: &[Part],
        work: impl FnOnce(&core::Merged) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut merged = self.idle.take();
        let packed = segments
            .iter()
            .map(|part| part.read().map_err(Failure::from));
        let superseded = self.superseded.get().captures();
        merged.merge(packed, &superseded, &self.strategy.get().0)?;
        let done = work(&merged);
        self.idle.put(merged);
        done
    }
}
