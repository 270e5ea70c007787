//! The later stages: fragment blocks to bags.

mod addresses;
mod merge;
mod pool;
mod weigh;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use pagekin_core::bags as core;
use pagekin_core::fragments::CaptureColumns;
use pagekin_core::spill::Parts;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::arrow;
use crate::spill::{guarded, locations, PartArg, SourceArg};
pub use addresses::{merge_addresses, move_links, pack_addresses, PyAddressRange, PyAliases};
pub use merge::{BagSelection, MergedTables, Merger, PartitionCounts};
pub use weigh::Weigher;

/// A set of URLs whose bags are selected.
#[pyclass(frozen, module = "pagekin._core")]
pub struct UrlSet(pub Vec<u64>);

#[pymethods]
impl UrlSet {
    /// The URLs with these ids.
    #[new]
    fn new(mut ids: Vec<u64>) -> Self {
        ids.sort_unstable();
        Self(ids)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// The captures that later ones replace.
#[pyclass(frozen, name = "SupersededCaptures", module = "pagekin._core")]
#[derive(Default)]
pub struct PySupersededCaptures(pub RwLock<core::SupersededCaptures>);

#[pymethods]
impl PySupersededCaptures {
    /// No captures yet.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.captures().count()
    }

    /// Adds captures: a batch of runs and pages.
    fn add(&self, captures: PyRecordBatch) -> PyResult<()> {
        let captures = captures.into_inner();
        let runs = arrow::numbers::<UInt32Type>(captures.column(0))?;
        let pages = arrow::numbers::<UInt32Type>(captures.column(1))?;
        let mut inner = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (&run, &page) in runs.values().iter().zip(pages.values()) {
            inner.insert(run, page);
        }
        Ok(())
    }
}

impl PySupersededCaptures {
    /// The captures.
    pub fn captures(&self) -> RwLockReadGuard<'_, core::SupersededCaptures> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pagelets that are templates.
#[pyclass(frozen, name = "Templates", module = "pagekin._core")]
#[derive(Default)]
pub struct PyTemplates(pub core::Templates);

#[pymethods]
impl PyTemplates {
    /// The pagelets with these keys, from any number of ranges.
    #[new]
    fn new(keys: Vec<PyArray>) -> PyResult<Self> {
        let mut all = Vec::new();
        for range in keys {
            let range = arrow::numbers::<UInt64Type>(range.array())?;
            all.extend_from_slice(range.values());
        }
        Ok(Self(core::Templates::new(all)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// Counts on how many pages of a partition each pagelet stands, cut into ranges in a file; returns
/// where each range ends.
#[pyfunction]
pub fn count_pagelets(
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
        let counts = core::pack_pagelet_counts(&captures, &superseded.captures(), bits);
        Ok(to.0.write(counts)?)
    })
}

/// Merges one range of all partitions' counts: the keys of the pagelets on at least `min_pages`
/// pages.
#[pyfunction]
pub fn merge_pagelets(py: Python<'_>, parts: Vec<PartArg>, min_pages: u32) -> PyResult<Py<PyAny>> {
    let parts = locations(parts);
    let keys = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Ok(core::merge_pagelet_counts(&parts, min_pages)?)
    })?;
    arrow::array(py, Arc::new(UInt64Array::from(keys)))
}

/// The number of URLs in the blocks of one partition, and the captures that are replaced: a batch of
/// runs and pages.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct CaptureCensus {
    urls: usize,
    replaced: Py<PyAny>,
}

/// Counts a partition's URLs and finds the captures that later ones replace.
#[pyfunction]
pub fn superseded(py: Python<'_>, blocks: Vec<PartArg>) -> PyResult<CaptureCensus> {
    let blocks = locations(blocks);
    let (urls, replaced) = guarded(py, || {
        let captures = blocks.iter().map(CaptureColumns::read_part);
        let captures = captures.collect::<Result<Vec<_>, _>>()?;
        let replaced = core::superseded(&captures);
        Ok((core::distinct_urls(&captures), replaced))
    })?;
    Ok(CaptureCensus {
        urls,
        replaced: capture_batch(py, replaced)?,
    })
}

/// The captures of some URLs in one partition: a batch of runs and pages.
#[pyfunction]
pub fn captures_of(py: Python<'_>, blocks: Vec<PartArg>, urls: &UrlSet) -> PyResult<Py<PyAny>> {
    let blocks = locations(blocks);
    let found = guarded(py, || {
        let captures = blocks.iter().map(CaptureColumns::read_part);
        let captures = captures.collect::<Result<Vec<_>, _>>()?;
        Ok(core::captures_of(&captures, &urls.0))
    })?;
    capture_batch(py, found)
}

fn capture_batch(py: Python<'_>, captures: Vec<(u32, u32)>) -> PyResult<Py<PyAny>> {
    let (runs, pages): (Vec<u32>, Vec<u32>) = captures.into_iter().unzip();
    let columns = [("run", runs), ("page", pages)];
    let batch = RecordBatch::try_from_iter(columns.map(|(name, column)| {
        let column = UInt32Array::from(column);
        (name, Arc::new(column) as ArrayRef)
    }));
    arrow::batch(py, batch)
}

/// Merges one range of all partitions' term counts into a batch of the
/// lexicon; the frequencies alone go to a file, for weighing. They are those of a model if its
/// lexicon in this range is given.
#[pyfunction]
#[pyo3(signature = (parts, to, model=None))]
pub fn merge_lexicon(
    py: Python<'_>,
    parts: Vec<PartArg>,
    to: SourceArg,
    model: Option<Vec<PyRecordBatch>>,
) -> PyResult<Py<PyAny>> {
    let parts = locations(parts);
    let model = model.map(|batches| {
        let wrong = "the lexicon of the model has other columns, or its terms are out of order";
        let range = core::LexiconRange::of_model(&arrow::batches(batches));
        range.ok_or_else(|| PyValueError::new_err(wrong))
    });
    let model = model.transpose()?;
    let batch = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let mut lexicon = core::merge_lexicon(&parts.collect::<Result<Vec<_>, _>>()?)?;
        if let Some(model) = &model {
            lexicon = lexicon.by_model(model);
        }
        to.0.write(Parts::single(0, |out| lexicon.write(out)))?;
        Ok(core::lexicon_batch(lexicon))
    })?;
    arrow::batch(py, batch)
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
