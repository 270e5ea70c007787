//! What goes into a question and comes out of it: bags, options, answers.

use std::collections::HashMap;

use pagekin_core::query as core;
use pagekin_core::sketches::Sketcher;
use pyo3::prelude::*;

use crate::errors;

/// Shard and row of a page.
pub type Place = (u32, u32);

pub fn place((shard, row): Place) -> core::Place {
    core::Place { shard, row }
}

pub fn places(listed: Vec<Place>) -> Vec<core::Place> {
    listed.into_iter().map(place).collect()
}

pub fn pair(place: core::Place) -> Place {
    (place.shard, place.row)
}

/// The bag that is asked about.
#[pyclass(frozen, module = "pagekin._core")]
pub struct QueryBag(pub core::QueryBag);

#[pymethods]
impl QueryBag {
    fn __len__(&self) -> usize {
        self.0.bag().terms.len()
    }

    /// The terms, ascending.
    #[getter]
    fn terms(&self) -> Vec<u64> {
        self.0.bag().terms.to_vec()
    }

    /// The weight of each term.
    #[getter]
    fn weights(&self) -> Vec<u16> {
        self.0.bag().weights.to_vec()
    }

    /// The sketch of the bag.
    fn sketch(&self, py: Python<'_>, positions: usize, seed: u64) -> PyResult<Vec<u32>> {
        errors::guarded(py, || {
            let mut sketch = vec![0; positions];
            let bag = self.0.bag();
            Sketcher::new(positions, seed).sketch(bag.terms, bag.weights, &mut sketch);
            sketch
        })
    }

    /// What `like` have in common and `unlike` do not.
    #[staticmethod]
    fn mixed(like: Vec<PyRef<'_, Self>>, unlike: Vec<PyRef<'_, Self>>) -> Self {
        let like: Vec<_> = like.iter().map(|bag| &bag.0).collect();
        let unlike: Vec<_> = unlike.iter().map(|bag| &bag.0).collect();
        Self(core::QueryBag::mixed(&like, &unlike))
    }
}

/// Which pages are wanted.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Options(pub core::Options);

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct OptionFields {
    k: usize,
    min_score: f64,
    alpha: f64,
    exact: bool,
    one_a_site: bool,
    mirror: f64,
    without: Vec<Place>,
    without_sites: Vec<String>,
    without_links_from: Vec<u64>,
}

#[pymethods]
impl Options {
    /// Options of plain fields.
    #[new]
    fn new(fields: &Bound<'_, PyAny>) -> PyResult<Self> {
        let fields: OptionFields = fields.extract()?;
        Ok(Self(core::Options {
            k: fields.k,
            min_score: fields.min_score,
            alpha: fields.alpha,
            exact: fields.exact,
            one_a_site: fields.one_a_site,
            mirror: fields.mirror,
            without: places(fields.without),
            without_sites: fields.without_sites,
            without_links_from: fields.without_links_from,
        }))
    }
}

/// The hits of a search and what was left out.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct Answer {
    /// Place, overlap and mirrors of each hit.
    hits: Vec<(Place, u32, Vec<Place>)>,
    /// How many pages each filter left out.
    left_out: HashMap<&'static str, usize>,
    compared: usize,
    exact: bool,
}

impl From<core::Answer> for Answer {
    fn from(answer: core::Answer) -> Self {
        let left_out = answer.left_out;
        Self {
            hits: answer
                .hits
                .into_iter()
                .map(|hit| {
                    let mirrors = hit.mirrors.into_iter().map(pair).collect();
                    (pair(hit.place), hit.overlap, mirrors)
                })
                .collect(),
            left_out: HashMap::from([
                ("score", left_out.score),
                ("site", left_out.site),
                ("linked", left_out.linked),
                ("same_site", left_out.same_site),
            ]),
            compared: answer.compared,
            exact: answer.exact,
        }
    }
}
