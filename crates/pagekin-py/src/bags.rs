//! The later stages: segments to bags.

use std::io;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use pagekin_core::bags as core;
use pagekin_core::exchange::{Damage, Parts, Segment};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors;
use crate::exchange::{Part, Place};

pub enum Failure {
    Io(io::Error),
    Damage(Damage),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Damage> for Failure {
    fn from(error: Damage) -> Self {
        Self::Damage(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Io(error) => errors::io(error),
            Failure::Damage(error) => errors::damage(error),
        }
    }
}

/// The captures that later ones replace.
#[pyclass(frozen, module = "pagekin._core")]
#[derive(Default)]
pub struct Superseded(pub RwLock<core::Superseded>);

#[pymethods]
impl Superseded {
    /// No captures yet.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.captures().len()
    }

    /// Adds captures (run, page).
    fn add(&self, captures: Vec<(u32, u32)>) {
        let mut inner = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (run, page) in captures {
            inner.insert(run, page);
        }
    }
}

impl Superseded {
    /// The captures.
    pub fn captures(&self) -> RwLockReadGuard<'_, core::Superseded> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many URLs one partition's segments speak of, and which of its captures
/// are replaced.
#[pyfunction]
pub fn superseded(py: Python<'_>, segments: Vec<Part>) -> PyResult<(usize, Vec<(u32, u32)>)> {
    errors::guarded(py, || -> Result<_, Failure> {
        let segments = segments
            .iter()
            .map(|part| Ok(Segment::unpack_captures(&part.read_beginning()?)?))
            .collect::<Result<Vec<_>, Failure>>()?;
        Ok((core::distinct_urls(&segments), core::superseded(&segments)))
    })?
    .map_err(PyErr::from)
}

/// Merges one range of all partitions' term counts into a batch of the
/// lexicon; the frequencies alone go to a place, for weighing.
#[pyfunction]
pub fn merge_lexicon(py: Python<'_>, parts: Vec<Part>, to: Place) -> PyResult<Py<PyAny>> {
    let batch = errors::guarded(py, || -> Result<_, Failure> {
        let parts = parts
            .iter()
            .map(Part::read)
            .collect::<io::Result<Vec<_>>>()?;
        let lexicon = core::merge_lexicon(&parts)?;
        to.0.write(lexicon.pack())?;
        Ok(core::lexicon_batch(lexicon))
    })??;
    Ok(PyRecordBatch::new(batch.map_err(errors::arrow)?)
        .into_pyarrow(py)?
        .unbind())
}

/// The terms of one partition's raw bags, cut into ranges at a place; returns
/// where each range ends.
#[pyfunction]
pub fn pack_terms(py: Python<'_>, bags_in: Place, bits: u32, to: Place) -> PyResult<Vec<u64>> {
    errors::guarded(py, || -> Result<_, Failure> {
        let raw = core::RawBags::unpack(&bags_in.0.whole()?)?;
        Ok(to.0.write(core::pack_terms(raw.terms(), bits))?)
    })?
    .map_err(PyErr::from)
}

/// One range's frequencies cut down to what each partition asks for, at a
/// place; returns where each answer ends.
#[pyfunction]
pub fn answer_terms(
    py: Python<'_>,
    asked: Vec<Part>,
    frequencies: Place,
    to: Place,
) -> PyResult<Vec<u64>> {
    errors::guarded(py, || -> Result<_, Failure> {
        let range = core::LexiconPart::unpack(&frequencies.0.whole()?)?;
        let mut answers = Parts::default();
        for part in asked {
            let answer = core::frequencies_of(&part.read()?, &range)?;
            answers.put(|out| out.extend_from_slice(&answer));
        }
        Ok(to.0.write(answers)?)
    })?
    .map_err(PyErr::from)
}
