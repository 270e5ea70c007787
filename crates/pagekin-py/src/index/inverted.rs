//! Inverted lists of bags.

use pagekin_core::columns::BagTable;
use pagekin_core::index::WeightedPostingsBuilder;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::{arrow, errors};

/// Builds the inverted lists of the terms of a range from bags.
#[pyclass(name = "WeightedPostingsBuilder", module = "pagekin._core")]
pub struct PyWeightedPostingsBuilder {
    rows: u32,
    builder: WeightedPostingsBuilder,
}

#[pymethods]
impl PyWeightedPostingsBuilder {
    /// No lists yet, of terms from `first` to `last`.
    #[new]
    fn new(first: u64, last: u64) -> Self {
        Self {
            rows: 0,
            builder: WeightedPostingsBuilder::new(first, last),
        }
    }

    /// Add the next bags of a shard, of which only those that `listed` says are listed.
    fn add(&mut self, py: Python<'_>, bags: PyRecordBatch, listed: Vec<bool>) -> PyResult<()> {
        let bags = bags.into_inner();
        let bags = BagTable::new(&bags).map_err(errors::bags)?;
        errors::guarded(py, || {
            for (bag, listed) in bags.bags().zip(listed) {
                if listed {
                    self.builder.add(self.rows, &bag?);
                }
                self.rows += 1;
            }
            Ok(())
        })?
        .map_err(errors::bags)
    }

    /// The lists as a batch. The builder is empty afterwards.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let empty = WeightedPostingsBuilder::new(0, 0);
        let builder = std::mem::replace(&mut self.builder, empty);
        arrow::batch(py, errors::guarded(py, || builder.into_batch())?)
    }
}
