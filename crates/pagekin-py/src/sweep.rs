//! Many strategies from pages that are parsed once.

use std::path::PathBuf;

use pagekin_core::evaluation;
use pagekin_core::exchange::{write_run, Exchange, PartWriter};
use pagekin_core::extract::{self, Product};
use pagekin_core::pages::unpack_block;
use pyo3::prelude::*;

use crate::bags::{Failure, Superseded};
use crate::errors;
use crate::exchange::Place;
use crate::extract::{settings, Extracted, Queue};
use crate::strategy::Strategy;

/// Works on the queue until it is empty and keeps the pages. Limits are bytes:
/// record, body.
#[pyfunction]
pub fn keep_pages(
    py: Python<'_>,
    queue: &Queue,
    folder: PathBuf,
    run_bytes: usize,
    limits: (u64, u64),
) -> PyResult<Extracted> {
    let settings = settings(Exchange::on_disk(folder), 0, run_bytes, limits);
    let done = errors::guarded(py, || {
        extract::extract(&queue.0, Product::Blocks, &settings)
    })?;
    done.map(Extracted::from).map_err(errors::io)
}

/// Cuts the run of one file of kept pages; returns where its segments end.
#[pyfunction]
pub fn cut_run(
    py: Python<'_>,
    pages: PathBuf,
    strategy: &Strategy,
    number: u32,
    bits: u32,
    to: Place,
) -> PyResult<Vec<u64>> {
    Ok(errors::guarded(py, || -> Result<_, Failure> {
        let (block, files) = unpack_block(&std::fs::read(pages)?)?;
        let mut out = PartWriter::new(&to.0);
        write_run(&block, &strategy.0, &files, number, bits, &mut out)?;
        Ok(out.finish()?)
    })??)
}

/// URLs whose bags are wanted.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Chosen(pub Vec<u64>);

#[pymethods]
impl Chosen {
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

/// How often each two of the chosen URLs are linked to side by side by one
/// file of kept pages: (place, place, linking pages).
#[pyfunction]
pub fn cocitations(
    py: Python<'_>,
    pages: PathBuf,
    number: u32,
    superseded: &Superseded,
    chosen: &Chosen,
) -> PyResult<Vec<(u32, u32, u32)>> {
    Ok(errors::guarded(py, || -> Result<_, Failure> {
        let (block, _) = unpack_block(&std::fs::read(pages)?)?;
        let replaced = superseded.captures();
        let live = |page| !replaced.contains(number, page);
        Ok(evaluation::cocitations(&block, &chosen.0, live))
    })??)
}
