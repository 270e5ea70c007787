//! The first stage of a build from an index: its pages to runs.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::Arc;

use pagekin_core::extract as core;
use pagekin_core::index::{StoredShard, VerifiedFile};
use pyo3::prelude::*;

use crate::errors;
use crate::extract::{settings, LimitsArg, PyExtractSummary, ShareArg};
use crate::index::PyVerifiedFile;
use crate::spill::StoreArg;
use crate::strategy::PyStrategy;

/// The pages of an index that threads share, and how far they have come.
#[pyclass(frozen, name = "StoredPages", module = "pagekin._core")]
pub struct PyStoredPages {
    pages: core::StoredPages,
    size: u64,
}

#[pymethods]
impl PyStoredPages {
    /// The tables that pages are made from.
    #[classattr]
    const TABLES: [&'static str; 5] = StoredShard::TABLES;

    /// The pages in files of tables of `size` bytes, without those of some URLs. Runs are
    /// numbered from `first_run` on. A share has some of the pages.
    #[new]
    #[pyo3(signature = (tables, size, without = HashSet::new(), first_run = 0, share = None))]
    fn new(
        py: Python<'_>,
        tables: HashMap<String, Vec<PyRef<'_, PyVerifiedFile>>>,
        size: u64,
        without: HashSet<String>,
        first_run: u32,
        share: Option<ShareArg>,
    ) -> PyResult<Self> {
        let count = tables.values().map(Vec::len).min().unwrap_or(0);
        let mut shards: Vec<HashMap<&str, Arc<VerifiedFile>>> = vec![HashMap::new(); count];
        for (name, files) in &tables {
            for (shard, file) in shards.iter_mut().zip(files) {
                shard.insert(name, Arc::clone(&file.0));
            }
        }
        let open = || shards.iter().map(StoredShard::open).collect();
        let shards = errors::reading(py, open)?;
        let share = share.map(core::Share::try_from).transpose()?;
        let pages = core::StoredPages::new(shards, without, first_run);
        let pages = pages.shared(share.unwrap_or_default());
        Ok(Self { pages, size })
    }

    /// Stored bytes read so far, about.
    #[getter]
    fn bytes(&self) -> u64 {
        (self.pages.done() * self.size as f64) as u64
    }

    /// Fails at the first page that no build writes.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        errors::reading(py, || self.pages.check())
    }

    /// Makes every thread stop soon.
    fn cancel(&self) {
        self.pages.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Works on the pages of an index until none is left.
#[pyfunction]
pub fn extract_stored(
    py: Python<'_>,
    pages: &PyStoredPages,
    strategy: &PyStrategy,
    store: StoreArg,
    bits: u32,
    run_bytes: usize,
    limits: LimitsArg,
) -> PyResult<PyExtractSummary> {
    let settings = settings(store.into(), bits, run_bytes, limits);
    let product = core::Product::Runs(&strategy.0);
    let done = errors::guarded(py, || {
        core::extract_stored(&pages.pages, product, &settings)
    })?;
    done.map(PyExtractSummary::from)
        .map_err(|error| match error {
            core::ExtractError::Io(error) => errors::io(error),
            core::ExtractError::Table(error) => errors::core(error),
        })
}
