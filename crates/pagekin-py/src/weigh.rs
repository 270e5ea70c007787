//! Raw bags to weighed ones, partition after partition.

use pagekin_core::bags as core;
use pagekin_core::concepts::MOST_TERMS;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::bags::Failure;
use crate::concepts::Concepts;
use crate::errors;
use crate::exchange::Place;
use crate::memory::Idle;
use crate::strategy::Strategy;
use crate::sweep::Chosen;

/// Weighs raw bags by the lexicon's frequencies, with concepts or without. Every thread that
/// does so keeps its memory for the next partition.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Weigher {
    frequencies: Vec<Place>,
    bags: u64,
    strategy: Py<Strategy>,
    concepts: Option<Py<Concepts>>,
    idle: Idle<core::RawBags>,
}

#[pymethods]
impl Weigher {
    /// A weigher of a crawl of so many bags.
    #[new]
    #[pyo3(signature = (frequencies, bags, strategy, concepts=None))]
    fn new(
        frequencies: Vec<Place>,
        bags: u64,
        strategy: Py<Strategy>,
        concepts: Option<Py<Concepts>>,
    ) -> Self {
        Self {
            frequencies,
            bags,
            strategy,
            concepts,
            idle: Idle::default(),
        }
    }

    /// The bags of a partition, as a batch.
    fn weigh(&self, py: Python<'_>, bags_in: Place) -> PyResult<Py<PyAny>> {
        let bags = errors::guarded(py, || self.weighed(&bags_in, None))??;
        batch(py, bags)
    }

    /// The heaviest terms of the bags of some URLs: what concepts are learnt from.
    fn weigh_sample(&self, py: Python<'_>, bags_in: Place, sample: &Chosen) -> PyResult<Py<PyAny>> {
        let bags = errors::guarded(py, || self.weighed(&bags_in, Some(&sample.0)))??;
        batch(py, bags.heaviest(MOST_TERMS))
    }
}

impl Weigher {
    /// Weighs the bags at a place, all or some of them.
    fn weighed(&self, bags_in: &Place, only: Option<&[u64]>) -> Result<core::Bags, Failure> {
        let mut raw = self.idle.take();
        raw.refill(&bags_in.0.whole()?)?;
        let weighed = match only {
            Some(urls) => self.weigh_raw(&raw.only(urls)),
            None => self.weigh_raw(&raw),
        };
        self.idle.put(raw);
        weighed
    }

    fn weigh_raw(&self, raw: &core::RawBags) -> Result<core::Bags, Failure> {
        let found = looked_up(raw.terms(), &self.frequencies)?;
        let concepts = self.concepts.as_ref().map(|concepts| &concepts.get().0);
        let strategy = &self.strategy.get().0;
        Ok(core::weigh(raw, &found, self.bags, strategy, concepts))
    }
}

fn batch(py: Python<'_>, bags: core::Bags) -> PyResult<Py<PyAny>> {
    let batch = core::bag_batch(bags).map_err(errors::arrow)?;
    Ok(PyRecordBatch::new(batch).into_pyarrow(py)?.unbind())
}

/// The document frequencies of terms that are in order.
fn looked_up(terms: &[u64], frequencies: &[Place]) -> Result<Vec<u32>, Failure> {
    let mut found = Vec::with_capacity(terms.len());
    for place in frequencies {
        let (known, counts) = core::unpack_frequencies(&place.0.whole()?)?;
        core::look_up(terms, &known, &counts, &mut found);
    }
    // Terms after the last of the lexicon are in no bag.
    found.resize(terms.len(), 0);
    Ok(found)
}
