//! The link graph.

use std::sync::Arc;

use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, Float64Array, StringArray, UInt32Array, UInt64Array};
use pagekin_core::{graph, hash};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::arrow::{self, numbers};
use crate::errors;

fn ranks(py: Python<'_>, ranks: Vec<f64>) -> PyResult<Py<PyAny>> {
    arrow::array(py, Arc::new(Float64Array::from(ranks)))
}

/// The ids of names: those of sites, or canonical URLs.
#[pyfunction]
pub fn url_ids(py: Python<'_>, names: PyArray) -> PyResult<Py<PyAny>> {
    let names = names
        .array()
        .as_any()
        .downcast_ref::<StringArray>()
        .ok_or_else(|| PyValueError::new_err("expected strings"))?;
    let ids = errors::guarded(py, || {
        UInt64Array::from_iter_values(names.iter().map(|name| hash::url_id(name.unwrap_or(""))))
    })?;
    arrow::array(py, Arc::new(ids))
}

/// Who links to whom in a crawl, pages being known by their places.
#[pyclass(name = "LinkGraph", frozen, module = "pagekin._core")]
pub struct PyLinkGraph(graph::Inlinks);

#[pymethods]
impl PyLinkGraph {
    /// The links between pages with these ids, in order; links are batches of
    /// targets and sources, sorted.
    #[new]
    fn new(py: Python<'_>, ids: PyArray, links: Vec<PyRecordBatch>) -> PyResult<Self> {
        let ids = numbers::<UInt64Type>(ids.array())?;
        let links = arrow::batches(links);
        let columns = links
            .iter()
            .map(|batch| {
                let [target, source] = [0, 1].map(|at| numbers::<UInt64Type>(batch.column(at)));
                Ok((target?, source?))
            })
            .collect::<PyResult<Vec<_>>>()?;
        let pairs = columns.iter().flat_map(|(target, source)| {
            let (target, source) = (target.values().iter(), source.values().iter());
            target.copied().zip(source.copied())
        });
        let inlinks = errors::guarded(py, || {
            graph::Inlinks::of_pages(ids.values().to_vec(), pairs)
        })?;
        let unsorted = || PyValueError::new_err("the links are not in order of their targets");
        inlinks.map(Self).ok_or_else(unsorted)
    }

    /// How many links there are; several of one page to another are one.
    fn __len__(&self) -> usize {
        self.0.sources.values().len()
    }

    /// The PageRank of every page.
    fn page_ranks(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        ranks(py, errors::guarded(py, || graph::page_rank(&self.0))?)
    }

    /// The PageRank of every site, over the links between sites.
    fn site_ranks(&self, py: Python<'_>, site_of: PyArray, sites: usize) -> PyResult<Py<PyAny>> {
        let site_of = numbers::<UInt32Type>(site_of.array())?.values();
        let found = errors::guarded(py, || {
            let graph = self.0.of_sites(site_of, sites)?;
            Some(graph::page_rank(&graph))
        })?;
        let unknown = || PyValueError::new_err("a page is of a site that is not there");
        ranks(py, found.ok_or_else(unknown)?)
    }

    /// The page of highest rank of each site, of those that link within it if
    /// there are any.
    fn highest(
        &self,
        py: Python<'_>,
        site_of: PyArray,
        ranks: PyArray,
        sites: usize,
    ) -> PyResult<Py<PyAny>> {
        let site_of = numbers::<UInt32Type>(site_of.array())?.values();
        let ranks = numbers::<Float64Type>(ranks.array())?.values();
        let roots = errors::guarded(py, || graph::highest(&self.0, site_of, ranks, sites))?;
        arrow::array(py, Arc::new(UInt32Array::from(roots)))
    }

    /// The minimal subgraph of every site as one row a page: the targets of
    /// its arcs. 0xffffffff stands for no site and no root.
    fn minimal(&self, py: Python<'_>, site_of: PyArray, roots: PyArray) -> PyResult<Py<PyAny>> {
        let site_of = numbers::<UInt32Type>(site_of.array())?.values();
        let roots = numbers::<UInt32Type>(roots.array())?.values();
        let arcs = errors::guarded(py, || graph::minimal(&self.0, site_of, roots))?;
        arrow::batch(py, graph::arc_batch(arcs))
    }
}

/// The rule of PageRank, for a graph that no single machine holds. Ranks are integers; see the core.
#[pyclass(name = "PageRank", frozen, module = "pagekin._core")]
pub struct PyPageRank;

#[pymethods]
impl PyPageRank {
    /// Maximum number of rounds that are ever needed.
    #[classattr]
    const MAX_ROUNDS: usize = graph::MAX_ROUNDS;

    /// What each node gives along one of its links.
    #[staticmethod]
    fn shares(py: Python<'_>, ranks: PyArray, links: PyArray) -> PyResult<Py<PyAny>> {
        let ranks = numbers::<UInt64Type>(ranks.array())?.values();
        let links = numbers::<UInt64Type>(links.array())?.values();
        let shares = errors::guarded(py, || {
            let nodes = ranks.iter().zip(links);
            UInt64Array::from_iter_values(nodes.map(|(&rank, &links)| graph::share(rank, links)))
        })?;
        arrow::array(py, Arc::new(shares))
    }

    /// The rank that each of N nodes gets by teleportation if `given` units went along links.
    #[staticmethod]
    fn teleport(given: u64, nodes: u64) -> u64 {
        graph::teleport(given, nodes)
    }

    /// Whether the ranks are final: `change` is by how much they changed together.
    #[staticmethod]
    fn is_settled(change: u64) -> bool {
        graph::is_settled(change)
    }

    /// Ranks as fractions of all.
    #[staticmethod]
    fn fractions(py: Python<'_>, found: PyArray) -> PyResult<Py<PyAny>> {
        let found = numbers::<UInt64Type>(found.array())?.values();
        let fractions = errors::guarded(py, || found.iter().map(|&one| graph::fraction(one)))?;
        ranks(py, fractions.collect())
    }
}
