//! An index that can be asked.

use std::borrow::Cow;
use std::collections::HashMap;

use pagekin_core::bags::{weigh_text, Text};
use pagekin_core::concepts::Here;
use pagekin_core::index::{Bag, Lexicon, MappedTable, Shard};
use pagekin_core::query as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use super::explained::{card, explained, Card, Explained};
use super::values::{pair, place, places, Answer, Options, Place, QueryBag};
use crate::concepts::Concepts;
use crate::errors;
use crate::sealed::{asked, mapped, File};
use crate::strategy::Strategy;

/// The words `from..to` of a page, of which `first..last` are an anchor: from, first, last, to.
type Window = (u32, u32, u32, u32);

/// An index that can be asked.
#[pyclass(frozen, module = "pagekin._core")]
pub struct Searcher(core::Searcher);

#[pymethods]
impl Searcher {
    /// The tables that it reads.
    #[classattr]
    #[pyo3(name = "TABLES")]
    fn tables() -> Vec<&'static str> {
        let tables = Shard::COLUMNS.iter().map(|(name, _)| *name);
        tables.chain(["lexicon"]).collect()
    }

    /// The index in these tables: for each its files, shard by shard.
    #[new]
    fn new(mut tables: HashMap<String, Vec<File>>) -> PyResult<Self> {
        let lexicon = opened(&mut tables, "lexicon", Lexicon::COLUMNS)?;
        let mut opened_tables = Shard::COLUMNS
            .iter()
            .map(|(name, columns)| Ok(opened(&mut tables, name, columns)?.into_iter()))
            .collect::<PyResult<Vec<_>>>()?;
        let mut shards = Vec::with_capacity(lexicon.len());
        for _ in 0..lexicon.len() {
            let mut next = opened_tables.iter_mut().map(Iterator::next);
            let mut table = || next.next().flatten().ok_or_else(shards_differ);
            shards.push(Shard {
                pages: table()?,
                bags: table()?,
                sketches: table()?,
                inverse: table()?,
                links: table()?,
                words: table()?,
                holders: table()?,
            });
        }
        if !shards.len().is_power_of_two() {
            return Err(shards_differ());
        }
        Ok(Self(core::Searcher::new(shards, Lexicon::new(lexicon))))
    }

    /// Where the page with this id is.
    fn find(&self, py: Python<'_>, key: u64) -> PyResult<Option<Place>> {
        Ok(asked(py, || self.0.find(key))?.map(pair))
    }

    /// The id of a page.
    fn id(&self, py: Python<'_>, page: Place) -> PyResult<u64> {
        asked(py, || self.0.id(place(page)))
    }

    /// The bag of a page.
    fn bag(&self, py: Python<'_>, page: Place) -> PyResult<QueryBag> {
        asked(py, || Ok(core::QueryBag::new(self.0.bag(place(page))?))).map(QueryBag)
    }

    /// The sketch of a page.
    fn sketch(&self, py: Python<'_>, page: Place) -> PyResult<Vec<u32>> {
        asked(py, || Ok(self.0.sketch(place(page))?.to_vec()))
    }

    /// The bag of a text (its words, and those of its title) in a crawl of so many bags.
    #[pyo3(signature = (strategy, text, bags, concepts=None))]
    fn bag_of_text(
        &self,
        py: Python<'_>,
        strategy: &Strategy,
        text: (Vec<String>, Vec<String>),
        bags: u64,
        concepts: Option<&Concepts>,
    ) -> PyResult<QueryBag> {
        let text = Text {
            words: &text.0,
            title: &text.1,
        };
        let concepts = concepts.map(|concepts| &concepts.0);
        asked(py, || {
            let bags = weigh_text(&text, &strategy.0, bags, concepts, |term| {
                self.0.lexicon().frequency(term)
            })?;
            Ok(QueryBag(core::QueryBag::new(Bag {
                terms: &bags.terms,
                weights: &bags.weights,
            })))
        })
    }

    /// The pages most like a bag with this sketch.
    fn search(
        &self,
        py: Python<'_>,
        bag: &QueryBag,
        sketch: Vec<u32>,
        options: &Options,
    ) -> PyResult<Answer> {
        asked(py, || self.0.search(&bag.0, &sketch, &options.0)).map(Answer::from)
    }

    /// Hits and their mirrors as they are shown, with the reasons for each. `about`
    /// is the bag and the pages that it is made of, `most` how many terms, concepts,
    /// words of a concept and citations are told.
    fn explained(
        &self,
        py: Python<'_>,
        about: (PyRef<'_, QueryBag>, Vec<Place>),
        hits: Vec<(Place, Vec<Place>)>,
        concepts: Option<&Concepts>,
        most: (usize, usize, usize, usize),
    ) -> PyResult<Vec<Explained<'_>>> {
        let (bag, like) = (&about.0 .0, places(about.1));
        let concepts = concepts.map(|concepts| &concepts.0);
        let most = core::Most {
            terms: most.0,
            concepts: most.1,
            here: most.2,
            citations: most.3,
        };
        asked(py, || {
            let mut reasons = core::Reasons::new(&self.0, (bag, &like), concepts, most)?;
            let hits = hits.into_iter();
            hits.map(|(hit, mirrors)| explained(&self.0, &mut reasons, place(hit), places(mirrors)))
                .collect()
        })
    }

    /// For each concept of these numbers the terms by which the page has it:
    /// those that bring most of it.
    fn terms_for(
        &self,
        py: Python<'_>,
        concepts: &Concepts,
        numbers: Vec<u32>,
        page: Place,
        most: usize,
    ) -> PyResult<Vec<Vec<u64>>> {
        asked(py, || {
            let bag = self.0.bag(place(page))?;
            Ok(Here::new(&concepts.0, None).terms(bag, &numbers, most))
        })
    }

    /// URL, site, title and whether it was fetched.
    fn card(&self, py: Python<'_>, page: Place) -> PyResult<Card<'_>> {
        asked(py, || card(&self.0, place(page)))
    }

    /// The words of a page's text from one place up to another, as far as there are any.
    fn words(
        &self,
        py: Python<'_>,
        page: Place,
        start: usize,
        end: usize,
    ) -> PyResult<Vec<String>> {
        asked(py, || {
            let words = self.0.words(place(page))?.unwrap_or_default().split(' ');
            let between = words.skip(start).take(end.saturating_sub(start));
            Ok(between.map(str::to_owned).collect())
        })
    }

    /// The words of a page around links of these windows, anchors in brackets.
    fn quote(&self, py: Python<'_>, page: u64, windows: Vec<Window>) -> PyResult<String> {
        let windows: Vec<_> = windows.into_iter().map(<[u32; 4]>::from).collect();
        asked(py, || self.0.quote(page, &windows))
    }

    /// The word to show for a term; a term that is a linking page shows its URL.
    fn word(&self, py: Python<'_>, term: u64) -> PyResult<Cow<'_, str>> {
        asked(py, || self.0.word(term))
    }

    /// How many pages each shard has.
    fn rows(&self) -> Vec<usize> {
        self.0.shards().iter().map(Shard::rows).collect()
    }

    /// The answers of the pages in some rows of a shard, as a batch. `excluded`:
    /// whether a page's own site is, and whether what it links to is.
    fn answers(
        &self,
        py: Python<'_>,
        shard: u32,
        rows: (u32, u32),
        options: &Options,
        excluded: (bool, bool),
    ) -> PyResult<Py<PyAny>> {
        let answers = asked(py, || {
            let excluded = exclusion(excluded);
            core::Answers::of(&self.0, shard, rows.0..rows.1, &options.0, excluded)
        })?;
        answer_batch(py, answers)
    }

    /// The answers of these pages, each among its own candidates, as a batch:
    /// of a list the first page is asked about, the others are compared with it.
    fn answers_among(
        &self,
        py: Python<'_>,
        lists: Vec<Vec<Place>>,
        options: &Options,
        excluded: (bool, bool),
    ) -> PyResult<Py<PyAny>> {
        let answers = asked(py, || {
            let named: Vec<_> = lists.into_iter().map(places).collect();
            core::Answers::among(&self.0, &named, &options.0, exclusion(excluded))
        })?;
        answer_batch(py, answers)
    }
}

fn exclusion((site, linked): (bool, bool)) -> core::Excluded {
    core::Excluded { site, linked }
}

fn answer_batch(py: Python<'_>, answers: core::Answers) -> PyResult<Py<PyAny>> {
    let batch = PyRecordBatch::new(answers.into_batch().map_err(errors::arrow)?);
    Ok(batch.into_pyarrow(py)?.unbind())
}

fn shards_differ() -> PyErr {
    PyValueError::new_err("the tables have not the same number of shards, or not a power of two")
}

fn opened(
    tables: &mut HashMap<String, Vec<File>>,
    name: &str,
    columns: &[&str],
) -> PyResult<Vec<MappedTable>> {
    let files = tables.remove(name).unwrap_or_default();
    files
        .into_iter()
        .map(|file| mapped(file, columns))
        .collect()
}
