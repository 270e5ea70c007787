//! Many strategies from pages that are parsed once.

use std::path::PathBuf;

use pagekin_core::evaluation;
use pagekin_core::extract::{self, Product};
use pagekin_core::fragments::{write_run, CaptureList};
use pagekin_core::pages::{unpack_block, PageBlock};
use pagekin_core::spill::{SpillError, SpillSource, SpillStore, SpillWriter};
use pyo3::prelude::*;

use crate::arrow;
use crate::bags::{PySupersededCaptures, UrlSet};
use crate::errors;
use crate::extract::{settings, LimitsArg, PyExtractSummary, PyQueue};
use crate::spill::{guarded, SourceArg};
use crate::strategy::PyStrategy;

/// Works on the queue until it is empty and keeps the pages.
#[pyfunction]
pub fn keep_pages(
    py: Python<'_>,
    queue: &PyQueue,
    folder: PathBuf,
    run_bytes: usize,
    limits: LimitsArg,
) -> PyResult<PyExtractSummary> {
    let settings = settings(SpillStore::on_disk(folder), 0, run_bytes, limits);
    let done = errors::guarded(py, || {
        extract::extract(&queue.0, Product::Blocks, &settings)
    })?;
    done.map(PyExtractSummary::from).map_err(errors::io)
}

/// Cuts the run of one file of kept pages; returns where its blocks end.
#[pyfunction]
pub fn cut_run(
    py: Python<'_>,
    pages: PathBuf,
    strategy: &PyStrategy,
    number: u32,
    bits: u32,
    to: SourceArg,
) -> PyResult<Vec<u64>> {
    guarded(py, || {
        let (block, files) = read_pages(pages)?;
        let mut out = SpillWriter::new(&to.0);
        let evidence = (&block, &CaptureList::default());
        write_run(evidence, &strategy.0, &files, number, bits, &mut out)?;
        Ok(out.finish()?)
    })
}

fn read_pages(path: PathBuf) -> Result<(PageBlock, Vec<String>), SpillError> {
    Ok(unpack_block(&SpillSource::Path(path).whole()?)?)
}

/// How often each two of some URLs are linked to side by side by one file of kept pages: a batch of
/// the places of both, and how many pages link to them.
#[pyfunction]
pub fn cocitations(
    py: Python<'_>,
    pages: PathBuf,
    number: u32,
    superseded: &PySupersededCaptures,
    urls: &UrlSet,
) -> PyResult<Py<PyAny>> {
    let found = guarded(py, || {
        let (block, _) = read_pages(pages)?;
        let replaced = superseded.captures();
        let live = |page| !replaced.contains(number, page);
        Ok(evaluation::cocitations(&block, &urls.0, live))
    })?;
    arrow::batch(py, evaluation::cocitation_batch(&found))
}
