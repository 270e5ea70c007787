//! The link graph and the postings.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, PrimitiveArray, RecordBatch, StringArray, UInt32Array,
    UInt64Array,
};
use pagekin_core::{bags, graph, hash};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyRecordBatch};

use crate::errors;
use crate::spill::{guarded, locations, PartArg, SourceArg};

fn column<T: ArrowPrimitiveType>(array: &ArrayRef) -> PyResult<&PrimitiveArray<T>> {
    array
        .as_any()
        .downcast_ref::<PrimitiveArray<T>>()
        .filter(|found| found.null_count() == 0)
        .ok_or_else(|| PyValueError::new_err(format!("expected {} without nulls", T::DATA_TYPE)))
}

fn ranks(py: Python<'_>, ranks: Vec<f64>) -> PyResult<Py<PyAny>> {
    python_array(py, Arc::new(Float64Array::from(ranks)))
}

fn python_array(py: Python<'_>, array: ArrayRef) -> PyResult<Py<PyAny>> {
    let found = PyArray::from_array_ref(array).to_pyarrow(py)?.unbind();
    Ok(found)
}

fn table(py: Python<'_>, batch: RecordBatch) -> PyResult<Py<PyAny>> {
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
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
    python_array(py, Arc::new(ids))
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
        let ids = column::<UInt64Type>(ids.array())?;
        let links: Vec<RecordBatch> = links.into_iter().map(PyRecordBatch::into_inner).collect();
        let columns = links
            .iter()
            .map(|batch| {
                let [target, source] = [0, 1].map(|at| column::<UInt64Type>(batch.column(at)));
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
        Ok(Self(inlinks))
    }

    /// How many links there are; several of one page to another are one.
    fn __len__(&self) -> usize {
        self.0.sources.len()
    }

    /// The PageRank of every page.
    fn page_ranks(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        ranks(py, errors::guarded(py, || graph::page_rank(&self.0))?)
    }

    /// The PageRank of every site, over the links between sites.
    fn site_ranks(&self, py: Python<'_>, site_of: PyArray, sites: usize) -> PyResult<Py<PyAny>> {
        let site_of = column::<UInt32Type>(site_of.array())?.values();
        let found = errors::guarded(py, || graph::page_rank(&self.0.of_sites(site_of, sites)))?;
        ranks(py, found)
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
        let site_of = column::<UInt32Type>(site_of.array())?.values();
        let ranks = column::<Float64Type>(ranks.array())?.values();
        let roots = errors::guarded(py, || graph::highest(&self.0, site_of, ranks, sites))?;
        python_array(py, Arc::new(UInt32Array::from(roots)))
    }

    /// The minimal subgraph of every site as one row a page: the targets of
    /// its arcs. 0xffffffff stands for no site and no root.
    fn minimal(&self, py: Python<'_>, site_of: PyArray, roots: PyArray) -> PyResult<Py<PyAny>> {
        let site_of = column::<UInt32Type>(site_of.array())?.values();
        let roots = column::<UInt32Type>(roots.array())?.values();
        let arcs = errors::guarded(py, || graph::minimal(&self.0, site_of, roots))?;
        table(py, graph::arc_batch(arcs).map_err(errors::arrow)?)
    }
}

/// The rule of PageRank, for a graph that is in no one's memory. Ranks are
/// whole numbers; see the core.
#[pyclass(name = "PageRank", frozen, module = "pagekin._core")]
pub struct PyPageRank;

#[pymethods]
impl PyPageRank {
    /// More rounds than this are never needed.
    #[classattr]
    const MOST_ROUNDS: usize = graph::MOST_ROUNDS;

    /// What each node gives along one of its links.
    #[staticmethod]
    fn shares(py: Python<'_>, ranks: PyArray, links: PyArray) -> PyResult<Py<PyAny>> {
        let ranks = column::<UInt64Type>(ranks.array())?.values();
        let links = column::<UInt64Type>(links.array())?.values();
        let shares = errors::guarded(py, || {
            let nodes = ranks.iter().zip(links);
            UInt64Array::from_iter_values(nodes.map(|(&rank, &links)| graph::share(rank, links)))
        })?;
        python_array(py, Arc::new(shares))
    }

    /// The rank that each of `nodes` nodes gets without links to it.
    #[staticmethod]
    fn everywhere(given: u64, nodes: u64) -> u64 {
        graph::everywhere(given, nodes)
    }

    /// Whether ranks that changed by `change` in total are final.
    #[staticmethod]
    fn is_settled(change: u64) -> bool {
        graph::is_settled(change)
    }

    /// Ranks as fractions of all.
    #[staticmethod]
    fn fractions(py: Python<'_>, found: PyArray) -> PyResult<Py<PyAny>> {
        let found = column::<UInt64Type>(found.array())?.values();
        let fractions = errors::guarded(py, || found.iter().map(|&one| graph::fraction(one)))?;
        ranks(py, fractions.collect())
    }
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
    let site_of = column::<UInt32Type>(site_of.array())?.values();
    guarded(py, || {
        let mut raw = bags::RawBags::default();
        raw.read(&bags_in.0.whole()?)?;
        Ok(to.0.write(bags::pack_postings(&raw, site_of, bits)?)?)
    })
}

/// Merges one range of all partitions' postings; each part comes with the
/// place of its partition's first page.
#[pyfunction]
pub fn merge_postings(py: Python<'_>, parts: Vec<(u32, PartArg)>) -> PyResult<Py<PyAny>> {
    let (bases, parts): (Vec<u32>, Vec<PartArg>) = parts.into_iter().unzip();
    let parts = locations(parts);
    let batch = guarded(py, || {
        let parts = parts.iter().map(|part| part.read());
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let parts: Vec<_> = bases.into_iter().zip(parts).collect();
        Ok(bags::posting_batch(bags::merge_postings(&parts)?))
    })?;
    table(py, batch.map_err(errors::arrow)?)
}
