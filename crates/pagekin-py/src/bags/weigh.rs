//! Raw bags to weighed ones, partition after partition.

use pagekin_core::bags as core;
use pagekin_core::concepts::MAX_TERMS;
use pagekin_core::spill::SpillError;
use pyo3::prelude::*;

use super::pool::ObjectPool;
use super::UrlSet;
use crate::arrow;
use crate::concepts::PyConcepts;
use crate::spill::{guarded, SourceArg};
use crate::strategy::PyStrategy;

/// Weighs raw bags by the lexicon's frequencies, with concepts or without. Threads reuse their memory
/// for the next partition.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Weigher {
    frequencies: Vec<SourceArg>,
    bags: u64,
    strategy: Py<PyStrategy>,
    concepts: Option<Py<PyConcepts>>,
    idle: ObjectPool<core::RawBags>,
}

#[pymethods]
impl Weigher {
    /// A weigher for a crawl of `bags` bags.
    #[new]
    #[pyo3(signature = (frequencies, bags, strategy, concepts=None))]
    fn new(
        frequencies: Vec<SourceArg>,
        bags: u64,
        strategy: Py<PyStrategy>,
        concepts: Option<Py<PyConcepts>>,
    ) -> Self {
        Self {
            frequencies,
            bags,
            strategy,
            concepts,
            idle: ObjectPool::default(),
        }
    }

    /// The bags of a partition, as a batch.
    fn weigh(&self, py: Python<'_>, bags_in: SourceArg) -> PyResult<Py<PyAny>> {
        let bags = guarded(py, || self.weighed(&bags_in, None))?;
        arrow::batch(py, core::bag_batch(bags))
    }

    /// The heaviest terms of the bags of some URLs, from which concepts are learnt.
    fn weigh_sample(
        &self,
        py: Python<'_>,
        bags_in: SourceArg,
        sample: &UrlSet,
    ) -> PyResult<Py<PyAny>> {
        let bags = guarded(py, || {
            let weighed = self.weighed(&bags_in, Some(&sample.0))?;
            Ok(core::WeighedBags {
                urls: weighed.urls,
                bags: weighed.bags.heaviest(MAX_TERMS),
            })
        })?;
        arrow::batch(py, core::bag_batch(bags))
    }
}

impl Weigher {
    /// Weighs the bags at a place, all or some of them.
    fn weighed(
        &self,
        bags_in: &SourceArg,
        only: Option<&[u64]>,
    ) -> Result<core::WeighedBags, SpillError> {
        let mut raw = self.idle.take();
        raw.read(&bags_in.0.whole()?)?;
        let weighed = match only {
            Some(urls) => self.weigh_raw(&raw.only(urls)),
            None => self.weigh_raw(&raw),
        };
        self.idle.put(raw);
        weighed
    }

    fn weigh_raw(&self, raw: &core::RawBags) -> Result<core::WeighedBags, SpillError> {
        let found = looked_up(raw.terms(), &self.frequencies)?;
        let concepts = self.concepts.as_ref().map(|concepts| &concepts.get().0);
        let strategy = &self.strategy.get().0;
        Ok(core::weigh(raw, &found, self.bags, strategy, concepts))
    }
}

/// The document frequencies of terms that are in order.
fn looked_up(terms: &[u64], frequencies: &[SourceArg]) -> Result<Vec<u32>, SpillError> {
    let mut found = Vec::with_capacity(terms.len());
    for range in frequencies {
        let range = core::LexiconRange::read(&range.0.whole()?)?;
        core::look_up(terms, &range, &mut found);
    }
    // Terms after the last of the lexicon are in no bag.
    found.resize(terms.len(), 0);
    Ok(found)
}
