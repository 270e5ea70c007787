//! Fragment blocks to raw bags, partition after partition.

use pagekin_core::bags as core;
use pagekin_core::spill::{PartLocation, Parts, SpillError};
use pyo3::prelude::*;

use super::addresses::PyAliases;
use super::pool::ObjectPool;
use super::{PySupersededCaptures, PyTemplates, UrlSet};
use crate::arrow;
use crate::spill::{guarded, locations, PartArg, SourceArg};
use crate::strategy::PyStrategy;

/// Merges partitions without the evidence of replaced captures and of templates. Threads reuse their
/// memory for the next partition.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Merger {
    superseded: Py<PySupersededCaptures>,
    templates: Py<PyTemplates>,
    aliases: Py<PyAliases>,
    strategy: Py<PyStrategy>,
    bits: u32,
    idle: ObjectPool<core::MergedPartition>,
}

/// A merged partition.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct MergedTables {
    urls: usize,
    /// URLs whose ids are those of others.
    urls_left_out: usize,
    pages: Py<PyAny>,
    texts: Py<PyAny>,
    layouts: Py<PyAny>,
    standby: Py<PyAny>,
    links: Py<PyAny>,
    captures: Py<PyAny>,
    /// Where each range of term counts ends.
    count_ends: Vec<u64>,
}

/// URLs whose raw bags are written, and the file that they go to.
#[pyclass(frozen, module = "pagekin._core")]
pub struct BagSelection {
    urls: Py<UrlSet>,
    to: SourceArg,
}

#[pymethods]
impl BagSelection {
    /// The bags of these URLs, for this file.
    #[new]
    fn new(urls: Py<UrlSet>, to: SourceArg) -> Self {
        Self { urls, to }
    }
}

/// How many URLs a partition has, and where each range of its frequencies ends.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct PartitionCounts {
    urls: usize,
    count_ends: Vec<u64>,
}

#[pymethods]
impl Merger {
    /// A merger by a strategy, for a lexicon of `2^bits` ranges.
    #[new]
    fn new(
        superseded: Py<PySupersededCaptures>,
        templates: Py<PyTemplates>,
        aliases: Py<PyAliases>,
        strategy: Py<PyStrategy>,
        bits: u32,
    ) -> Self {
        Self {
            superseded,
            templates,
            aliases,
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
    ) -> PyResult<MergedTables> {
        let blocks = locations(blocks);
        let (urls, urls_left_out, count_ends, batches) = guarded(py, || {
            self.merged(&blocks, |merged| {
                bags_to.0.write(packed(merged.bags()))?;
                let counts = core::pack_term_counts(merged, self.bits);
                let ends = counts_to.0.write(counts)?;
                let batches = [
                    core::page_batch,
                    core::text_batch,
                    core::layout_batch,
                    core::standby_batch,
                    core::link_batch,
                    core::capture_batch,
                ];
                let urls = (merged.urls(), merged.urls_left_out());
                Ok((urls.0, urls.1, ends, batches.map(|batch| batch(merged))))
            })
        })?;
        let [pages, texts, layouts, standby, links, captures] = batches;
        Ok(MergedTables {
            urls,
            urls_left_out,
            pages: arrow::batch(py, pages)?,
            texts: arrow::batch(py, texts)?,
            layouts: arrow::batch(py, layouts)?,
            standby: arrow::batch(py, standby)?,
            links: arrow::batch(py, links)?,
            captures: arrow::batch(py, captures)?,
            count_ends,
        })
    }

    /// How many URLs a partition has: those of replaced captures do not count.
    fn count_urls(&self, py: Python<'_>, blocks: Vec<PartArg>) -> PyResult<usize> {
        let blocks = locations(blocks);
        guarded(py, || {
            let superseded = self.superseded.get().captures();
            core::count_urls(&blocks, self.facts(&superseded))
        })
    }

    /// Merges one partition: the raw bags of each selection and the frequencies of all terms go to
    /// files.
    fn merge_only(
        &self,
        py: Python<'_>,
        blocks: Vec<PartArg>,
        selections: Vec<Py<BagSelection>>,
        counts_to: SourceArg,
    ) -> PyResult<PartitionCounts> {
        let blocks = locations(blocks);
        guarded(py, || {
            self.merged(&blocks, |merged| {
                for selection in selections.iter().map(Py::get) {
                    let bags = merged.bags().only(&selection.urls.get().0);
                    selection.to.0.write(packed(&bags))?;
                }
                let counts = core::pack_frequencies(merged, self.bits);
                Ok(PartitionCounts {
                    urls: merged.urls(),
                    count_ends: counts_to.0.write(counts)?,
                })
            })
        })
    }
}

fn packed(bags: &core::RawBags) -> Parts {
    Parts::single(0, |out| bags.write(out))
}

impl Merger {
    fn facts<'a>(&'a self, superseded: &'a core::SupersededCaptures) -> core::CrawlFacts<'a> {
        core::CrawlFacts {
            superseded,
            templates: &self.templates.get().0,
            aliases: &self.aliases.get().0,
        }
    }

    /// Merges a partition and does something with it.
    fn merged<T>(
        &self,
        blocks: &[PartLocation],
        work: impl FnOnce(&core::MergedPartition) -> Result<T, SpillError>,
    ) -> Result<T, SpillError> {
        let mut merged = self.idle.take();
        let superseded = self.superseded.get().captures();
        merged.merge(blocks, self.facts(&superseded), &self.strategy.get().0)?;
        let done = work(&merged);
        self.idle.put(merged);
        done
    }
}
