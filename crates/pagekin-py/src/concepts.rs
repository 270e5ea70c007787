//! Concepts: learning them from bags, and computing those of a bag.

use pagekin_core::concepts as core;
use pagekin_core::hash;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::{arrow, errors};

/// How concepts are learnt: attributes of Python's `Learning`.
#[derive(FromPyObject)]
pub struct LearningArg {
    components: usize,
    mixed: usize,
    terms: usize,
    power: f64,
}

impl From<&LearningArg> for core::Learning {
    fn from(learning: &LearningArg) -> Self {
        Self {
            components: learning.components,
            mixed: learning.mixed,
            terms: learning.terms,
            power: learning.power,
        }
    }
}

/// The sample to learn from: attributes of Python's `Sample`.
#[derive(FromPyObject)]
pub struct SampleArg {
    bags: Vec<PyRecordBatch>,
    learning: LearningArg,
}

/// Learnt concepts: two tables.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct LearntConcepts {
    /// The loadings of terms.
    loadings: Py<PyAny>,
    /// The vectors of the sample's pages, if they were asked for.
    page_vectors: Py<PyAny>,
}

/// Learns concepts from the bags of a sample, and topics from the bags of another if it is given;
/// `cited` asks for page vectors as well.
#[pyfunction]
pub fn learn_concepts(
    py: Python<'_>,
    sample: SampleArg,
    topics: Option<SampleArg>,
    cited: bool,
    threads: usize,
) -> PyResult<LearntConcepts> {
    let learning = core::Learning::from(&sample.learning);
    let batches = arrow::batches(sample.bags);
    let topics = topics.map(|given| {
        (
            core::Learning::from(&given.learning),
            arrow::batches(given.bags),
        )
    });
    let (loadings, vectors) = errors::guarded(py, || {
        let (pages, bags) = arrow::bags(&batches)?;
        let loadings = core::learn(&bags, &learning, threads);
        let concepts = core::Concepts::new(&loadings, learning.power);
        let wanted = if cited { pages.len() } else { 0 };
        let vectors = core::page_vectors(&pages[..wanted], &bags, &concepts);
        let Some((learning, batches)) = &topics else {
            return Ok((loadings, vectors));
        };
        let (_, bags) = arrow::bags(batches)?;
        let topics = core::learn(&bags, learning, threads);
        Ok((loadings.with_topics(&topics), vectors))
    })?
    .map_err(errors::bags)?;
    Ok(LearntConcepts {
        loadings: arrow::batch(py, loadings.into_batch())?,
        page_vectors: arrow::batch(py, vectors.into_batch())?,
    })
}

/// The vectors of the pages of a sample along components that were learnt before.
#[pyfunction]
pub fn page_vectors(
    py: Python<'_>,
    sample: Vec<PyRecordBatch>,
    concepts: &PyConcepts,
) -> PyResult<Py<PyAny>> {
    let batches = arrow::batches(sample);
    let vectors = errors::guarded(py, || {
        let (pages, bags) = arrow::bags(&batches)?;
        Ok(core::page_vectors(&pages, &bags, &concepts.0))
    })?
    .map_err(errors::bags)?;
    arrow::batch(py, vectors.into_batch())
}

/// Concepts, ready for the bags of a crawl.
#[pyclass(frozen, name = "Concepts", module = "pagekin._core")]
pub struct PyConcepts(pub core::Concepts);

#[pymethods]
impl PyConcepts {
    /// The concepts of these batches of loadings; weights are raised to `power`. Batches of
    /// page vectors say where pages point that others link to.
    #[new]
    #[pyo3(signature = (loadings, power, page_vectors=Vec::new()))]
    fn new(
        loadings: Vec<PyRecordBatch>,
        power: f64,
        page_vectors: Vec<PyRecordBatch>,
    ) -> PyResult<Self> {
        let concepts = core::Concepts::new(&rows(loadings)?, power);
        Ok(Self(concepts.with_page_vectors(&rows(page_vectors)?)))
    }

    /// How many concepts there are: two a component, mixed ones as well.
    fn __len__(&self) -> usize {
        2 * self.0.components()
    }
}

fn rows(batches: Vec<PyRecordBatch>) -> PyResult<core::Loadings> {
    let wrong = "the batch has other columns than it should, or lists of other lengths";
    let loadings = core::Loadings::from_batches(&arrow::batches(batches));
    loadings.ok_or_else(|| PyValueError::new_err(wrong))
}

/// The term of a concept, by its number from 1 on.
#[pyfunction]
pub fn concept_term(number: u32) -> PyResult<u64> {
    if !(1..hash::MAX_CONCEPTS).contains(&number) {
        return Err(PyValueError::new_err("no concept has this number"));
    }
    Ok(hash::concept_term(number))
}

/// The number of a concept by its term; None for other terms.
#[pyfunction]
pub fn concept_number(term: u64) -> Option<u32> {
    hash::is_concept(term).then(|| hash::concept_number(term))
}
