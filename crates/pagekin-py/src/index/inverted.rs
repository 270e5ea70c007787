//! Inverted lists of bags.

use pagekin_core::columns::BagTable;
use pagekin_core::index::{Segment, WeightedPostingsBuilder};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::{arrow, errors};

/// Builds the inverted lists of the terms of a range from bags.
#[pyclass(name = "WeightedPostingsBuilder", module = "pagekin._core")]
pub struct PyWeightedPostingsBuilder {
    /// The next page of each segment.
    next: [u32; 2],
    builder: WeightedPostingsBuilder,
}

#[pymethods]
impl PyWeightedPostingsBuilder {
    /// No lists yet, of terms from `first` to `last`, in a shard of this many pages that were
    /// fetched and this many that were not.
    #[new]
    fn new(first: u64, last: u64, crawled: usize, uncrawled: usize) -> Self {
        Self {
            next: [0; 2],
            builder: WeightedPostingsBuilder::new(first, last, [crawled, uncrawled]),
        }
    }

    /// Add the next bags of a shard: which of them are fetched pages, and which are listed.
    fn add(
        &mut self,
        py: Python<'_>,
        bags: PyRecordBatch,
        crawled: Vec<bool>,
        listed: Vec<bool>,
    ) -> PyResult<()> {
        let bags = bags.into_inner();
        let bags = BagTable::new(&bags).map_err(errors::bags)?;
        errors::guarded(py, || {
            for ((bag, crawled), listed) in bags.bags().zip(crawled).zip(listed) {
                let segment = Segment::of(crawled);
                let next = &mut self.next[segment as usize];
                if listed {
                    self.builder.add(segment, *next, &bag?);
                }
                *next += 1;
            }
            Ok(())
        })?
        .map_err(errors::bags)
    }

    /// The lists as a batch. The builder is empty afterwards.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let empty = WeightedPostingsBuilder::new(0, 0, [0; 2]);
        let builder = std::mem::replace(&mut self.builder, empty);
        arrow::batch(py, errors::guarded(py, || builder.into_batch())?)
    }
}
