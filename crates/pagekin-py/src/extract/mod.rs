//! The first stage: sources to runs, the pages of an index to runs, and records read back.

mod read_back;
mod stored_pages;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pagekin_core::crawl::{CrawlError, Limits, Source};
use pagekin_core::extract as core;
use pagekin_core::pages::HoldOut;
use pagekin_core::spill::SpillStore;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors;
use crate::spill::{SourceArg, StoreArg};
use crate::strategy::PyStrategy;

pub use read_back::{read_record, PyArchivedRecord};
pub use stored_pages::{extract_stored, PyStoredPages};

/// Sources that threads share, and how far they have come.
#[pyclass(frozen, name = "Queue", module = "pagekin._core")]
pub struct PyQueue(pub core::Queue);

#[pymethods]
impl PyQueue {
    /// A queue of sources. Runs are numbered from `first_run` on. A share has every Nth record; the
    /// first share counts what all of them see.
    #[new]
    #[pyo3(signature = (sources, first_run = 0, share = None, hold_out = None))]
    fn new(
        sources: Vec<SourceFields>,
        first_run: u32,
        share: Option<ShareArg>,
        hold_out: Option<HoldOutArg>,
    ) -> PyResult<Self> {
        let queue = core::Queue::new(sources.into_iter().map(Source::from));
        let share = share.map(core::Share::try_from).transpose()?;
        let queue = queue
            .numbered_from(first_run)
            .shared(share.unwrap_or_default());
        Ok(Self(queue.holding_out(hold_out.map(HoldOut::from))))
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

/// A source: attributes of Python's `NamedSource`. A base URL makes the path a folder of HTML, a
/// name a pipe; the path `-` is standard input.
#[derive(FromPyObject)]
pub struct SourceFields {
    path: PathBuf,
    base_url: Option<String>,
    follow_links: bool,
    name: Option<String>,
}

impl From<SourceFields> for Source {
    fn from(source: SourceFields) -> Self {
        let SourceFields {
            path,
            base_url,
            follow_links,
            name,
        } = source;
        match (base_url, name) {
            (Some(base_url), _) => Self::Folder {
                root: path,
                base_url,
                follow_links,
            },
            (None, Some(name)) => Self::Pipe { path, name },
            (None, None) if path.as_os_str() == "-" => Self::Stdin,
            (None, None) => Self::File(path),
        }
    }
}

/// A share of the records of a source: place `place` of every `of` records.
#[derive(FromPyObject)]
pub struct ShareArg {
    place: u64,
    of: u64,
}

impl TryFrom<ShareArg> for core::Share {
    type Error = PyErr;

    fn try_from(ShareArg { place, of }: ShareArg) -> PyResult<Self> {
        match place < of {
            true => Ok(Self { place, of }),
            false => Err(PyValueError::new_err(format!("share {place} of {of}"))),
        }
    }
}

/// Maximum bytes of a record and of its body, and the last second that is read: attributes of Python's
/// `Limits`.
#[derive(FromPyObject)]
pub struct LimitsArg {
    record: u64,
    body: u64,
    as_of: Option<i64>,
}

/// Which evidence to leave out: attributes of Python's `HoldOut`.
#[derive(FromPyObject)]
pub struct HoldOutArg {
    share: Option<f64>,
    seed: u64,
}

impl From<HoldOutArg> for HoldOut {
    fn from(HoldOutArg { share, seed }: HoldOutArg) -> Self {
        share.map_or(Self::SeeAlso, |share| Self::Links { share, seed })
    }
}

/// A run: where it is, and where the block of each partition ends.
#[pyclass(frozen, get_all, module = "pagekin._core")]
#[derive(Clone)]
pub struct Run {
    place: SourceArg,
    ends: Vec<u64>,
}

/// A source that could not be read from an offset on, with the reason and advice.
#[pyclass(frozen, get_all, eq, module = "pagekin._core")]
#[derive(Clone, PartialEq)]
pub struct SourceFailure {
    source: String,
    offset: u64,
    reason: String,
    advice: String,
}

/// The work of one thread.
#[pyclass(frozen, get_all, name = "ExtractSummary", module = "pagekin._core")]
pub struct PyExtractSummary {
    runs: Vec<Run>,
    captures: u64,
    pages: u64,
    trees: u64,
    too_deep: u64,
    truncated: u64,
    links_left_out: u64,
    pages_cut: u64,
    /// Ids of pages that were left out of the evidence as related, and of how many pages.
    held_out_pairs: Vec<(u64, u64)>,
    held_out_pages: u64,
    /// Number of records that did not become a page, by reason.
    skips: BTreeMap<&'static str, u64>,
    failures: Vec<SourceFailure>,
}

/// Works on the queue until it is empty.
#[pyfunction]
pub fn extract(
    py: Python<'_>,
    queue: &PyQueue,
    strategy: &PyStrategy,
    store: StoreArg,
    bits: u32,
    run_bytes: usize,
    limits: LimitsArg,
) -> PyResult<PyExtractSummary> {
    let settings = settings(store.into(), bits, run_bytes, limits);
    let product = core::Product::Runs(&strategy.0);
    let done = errors::guarded(py, || core::extract(&queue.0, product, &settings))?;
    done.map(PyExtractSummary::from).map_err(errors::io)
}

/// Works on the queue until it is empty and drops the fragments, to measure everything but writing.
#[cfg(feature = "bench")]
#[pyfunction]
pub fn make_fragments(
    py: Python<'_>,
    queue: &PyQueue,
    strategy: &PyStrategy,
    bits: u32,
    run_bytes: usize,
    limits: LimitsArg,
) -> PyResult<PyExtractSummary> {
    let nowhere = SpillStore::with_memory(PathBuf::new(), u64::MAX);
    let settings = settings(nowhere, bits, run_bytes, limits);
    let product = core::Product::Nothing(&strategy.0);
    let done = errors::guarded(py, || core::extract(&queue.0, product, &settings))?;
    done.map(PyExtractSummary::from).map_err(errors::io)
}

pub fn settings(
    store: SpillStore,
    bits: u32,
    run_bytes: usize,
    limits: LimitsArg,
) -> core::Settings {
    core::Settings {
        store,
        bits,
        run_bytes,
        limits: limits.into(),
    }
}

impl From<LimitsArg> for Limits {
    fn from(limits: LimitsArg) -> Self {
        Self {
            record: limits.record,
            body: limits.body,
            as_of: limits.as_of,
            ..Self::default()
        }
    }
}

impl From<CrawlError> for SourceFailure {
    fn from(error: CrawlError) -> Self {
        Self {
            source: error.source,
            offset: error.offset,
            reason: error.reason,
            advice: error.advice,
        }
    }
}

impl From<core::ExtractSummary> for PyExtractSummary {
    fn from(done: core::ExtractSummary) -> Self {
        let runs = done.runs.into_iter().map(|run| Run {
            place: SourceArg(run.source),
            ends: run.ends,
        });
        let failures = done.failures.into_iter().map(SourceFailure::from);
        let skips = done.skips.iter();
        Self {
            runs: runs.collect(),
            captures: done.captures,
            pages: done.pages,
            trees: done.trees,
            too_deep: done.too_deep,
            truncated: done.truncated,
            links_left_out: done.links_left_out,
            pages_cut: done.pages_cut,
            held_out_pairs: done.held_out.pairs,
            held_out_pages: done.held_out.pages,
            skips: skips.map(|(skip, count)| (skip.text(), count)).collect(),
            failures: failures.collect(),
        }
    }
}
