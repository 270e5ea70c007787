//! The later stages: segments to bags.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use pagekin_core::bags as core;
use pagekin_core::fragments::CaptureColumns;
use pagekin_core::spill::Parts;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors;
use crate::spill::{guarded, locations, PartArg, SourceArg};

/// The captures that later ones replace.
#[pyclass(frozen, name = "Superseded", module = "pagekin._core")]
#[derive(Default)]
pub struct PySuperseded(pub RwLock<core::Superseded>);

#[pymethods]
impl PySuperseded {
    /// No captures yet.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.captures().len()
    }

    /// Adds captures (run, page).
    fn add(&self, captures: Vec<(u32, u32)>) {
        let mut inner = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (run, page) in captures {
            inner.insert(run, page);
        }
    }
}

impl PySuperseded {
    /// The captures.
    pub fn captures(&self) -> RwLockReadGuard<'_, core::Superseded> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many URLs the blocks of one partition speak of, and which captures (run, page) are
/// replaced.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct CaptureCensus {
    urls: usize,
    replaced: Vec<(u32, u32)>,
}

/// Counts a partition's URLs and finds the captures that later ones replace.
#[pyfunction]
pub fn superseded(py: Python<'_>, blocks: Vec<PartArg>) -> PyResult<CaptureCensus> {
    let blocks = locations(blocks);
    guarded(py, || {
        let captures = blocks.iter().map(CaptureColumns::read_part);
        let captures = captures.collect::<Result<Vec<_>, _>>()?;
        Ok(CaptureCensus {
            urls: core::distinct_urls(&captures),
            replaced: core::superseded(&captures),
        })
    })
}

/// Merges one range of all partitions' term counts into a batch of the
/// lexicon; the frequencies alone go to a file, for weighing.
#[pyfunction]
pub fn merge_lexicon(py: Python<'_>, parts: Vec<PartArg>, to: SourceArg) -> PyResult<Py<PyAny>> {
    let parts = locations(parts);
    let batch = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let lexicon = core::merge_lexicon(&parts.collect::<Result<Vec<_>, _>>()?)?;
        to.0.write(Parts::single(0, |out| lexicon.write(out)))?;
        Ok(core::lexicon_batch(lexicon))
    })?;
    Ok(PyRecordBatch::new(batch.map_err(errors::arrow)?)
        .into_pyarrow(py)?
        .unbind())
}

/// The terms of one partition's raw bags, cut into ranges in a file; returns
/// where each range ends.
#[pyfunction]
pub fn pack_terms(
    py: Python<'_>,
    bags_in: SourceArg,
    bits: u32,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    guarded(py, || {
        let mut raw = core::RawBags::default();
        raw.read(&bags_in.0.whole()?)?;
        Ok(to.0.write(core::pack_terms(raw.terms(), bits))?)
    })
}

/// One range's frequencies cut down to the terms that each partition has, in a
/// file; returns where each answer ends.
#[pyfunction]
pub fn answer_terms(
    py: Python<'_>,
    wanted: Vec<PartArg>,
    frequencies: SourceArg,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    let wanted = locations(wanted);
    guarded(py, || {
        let range = core::LexiconRange::read(&frequencies.0.whole()?)?;
        let mut answers = Parts::default();
        for part in wanted {
            let answer = core::frequencies_of(&part.read()?, &range)?;
            answers.put(|out| answer.write(out));
        }
        Ok(to.0.write(answers)?)
    })
}
