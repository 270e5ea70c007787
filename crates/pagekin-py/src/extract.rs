//! The first stage: sources to runs.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pagekin_core::crawl::{Limits, Source};
use pagekin_core::extract as core;
use pagekin_core::spill::SpillStore;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors;
use crate::spill::{SourceArg, StoreArg};
use crate::strategy::PyStrategy;

/// Sources that threads share, and how far they have come.
#[pyclass(frozen, name = "Queue", module = "pagekin._core")]
pub struct PyQueue(pub core::Queue);

#[pymethods]
impl PyQueue {
    /// A queue of sources: (path, base URL, name). A base URL makes the path a
    /// folder of HTML, a name a pipe; the path `-` is standard input. Runs are
    /// numbered from `first_run` on. A share (place, of) has every Nth record, N being `of`; the
    /// first share counts what all of them see.
    #[new]
    #[pyo3(signature = (sources, first_run = 0, share = (0, 1)))]
    fn new(
        sources: Vec<(PathBuf, Option<String>, Option<String>)>,
        first_run: u32,
        share: (u64, u64),
    ) -> PyResult<Self> {
        let (place, of) = share;
        if place >= of {
            return Err(PyValueError::new_err(format!("share {place} of {of}")));
        }
        let queue = core::Queue::new(sources.into_iter().map(source));
        let share = core::Share { place, of };
        Ok(Self(queue.numbered_from(first_run).shared(share)))
    }

    /// Stored bytes read so far.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Makes every thread stop soon.
    fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

fn source((path, base_url, name): (PathBuf, Option<String>, Option<String>)) -> Source {
    match (base_url, name) {
        (Some(base_url), _) => Source::Folder {
            root: path,
            base_url,
        },
        (None, Some(name)) => Source::Pipe { path, name },
        (None, None) if path.as_os_str() == "-" => Source::Stdin,
        (None, None) => Source::File(path),
    }
}

/// What one thread has done.
#[pyclass(frozen, get_all, name = "Extracted", module = "pagekin._core")]
pub struct PyExtracted {
    /// Where each run is and its blocks end.
    runs: Vec<(SourceArg, Vec<u64>)>,
    captures: u64,
    pages: u64,
    trees: u64,
    too_deep: u64,
    truncated: u64,
    links_left_out: u64,
    /// How many records became no page, by reason.
    skips: Vec<(&'static str, u64)>,
    /// Files that could not be read: source, offset, reason, advice.
    failures: Vec<(String, u64, String, String)>,
}

/// Works on the queue until it is empty. Limits are bytes: record, body.
#[pyfunction]
pub fn extract(
    py: Python<'_>,
    queue: &PyQueue,
    strategy: &PyStrategy,
    store: StoreArg,
    bits: u32,
    run_bytes: usize,
    limits: (u64, u64),
) -> PyResult<PyExtracted> {
    let settings = settings(store.into(), bits, run_bytes, limits);
    let product = core::Product::Runs(&strategy.0);
    let done = errors::guarded(py, || core::extract(&queue.0, product, &settings))?;
    done.map(PyExtracted::from).map_err(errors::io)
}

/// Works on the queue until it is empty and drops the fragments: what all but
/// writing takes. Limits are bytes: record, body.
#[cfg(feature = "bench")]
#[pyfunction]
pub fn make_fragments(
    py: Python<'_>,
    queue: &PyQueue,
    strategy: &PyStrategy,
    bits: u32,
    run_bytes: usize,
    limits: (u64, u64),
) -> PyResult<PyExtracted> {
    let nowhere = SpillStore::with_memory(PathBuf::new(), u64::MAX);
    let settings = settings(nowhere, bits, run_bytes, limits);
    let product = core::Product::Nothing(&strategy.0);
    let done = errors::guarded(py, || core::extract(&queue.0, product, &settings))?;
    done.map(PyExtracted::from).map_err(errors::io)
}

pub fn settings(
    store: SpillStore,
    bits: u32,
    run_bytes: usize,
    limits: (u64, u64),
) -> core::Settings {
    let limits = Limits {
        record: limits.0,
        body: limits.1,
        ..Limits::default()
    };
    core::Settings {
        store,
        bits,
        run_bytes,
        limits,
    }
}

impl From<core::Extracted> for PyExtracted {
    fn from(done: core::Extracted) -> Self {
        let runs = done.runs.into_iter();
        let skips = done.skips.iter();
        let failures = done.failures.into_iter();
        Self {
            runs: runs.map(|run| (SourceArg(run.source), run.ends)).collect(),
            captures: done.captures,
            pages: done.pages,
            trees: done.trees,
            too_deep: done.too_deep,
            truncated: done.truncated,
            links_left_out: done.links_left_out,
            skips: skips.map(|(skip, count)| (skip.text(), count)).collect(),
            failures: failures
                .map(|error| (error.source, error.offset, error.reason, error.advice))
                .collect(),
        }
    }
}
