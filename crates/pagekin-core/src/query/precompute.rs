//! The answers of many pages at once, as a table.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float32Array, RecordBatch, UInt32Array};
use arrow_schema::ArrowError;

use super::bag::QueryBag;
use super::options::{Answer, Options, Place};
use super::searcher::Searcher;
use crate::index::{score, Fault};

/// What is no hit of a page, whichever page it is.
#[derive(Debug, Default, Clone, Copy)]
pub struct Excluded {
    /// The pages of its own site.
    pub site: bool,
    /// The pages that it links to.
    pub linked: bool,
}

impl Excluded {
    /// The options for one page.
    fn of(self, index: &Searcher, place: Place, options: &Options) -> Result<Options, Fault> {
        let mut options = options.clone();
        options.without = vec![place];
        if self.site {
            options.without_sites = vec![index.card(place)?.site.to_owned()];
        }
        if self.linked {
            options.without_links_from = vec![index.id(place)?];
        }
        Ok(options)
    }
}

/// Rows of `url`, `rank`, `related`, `score`.
#[derive(Debug, Default)]
pub struct Answers {
    url: StringBuilder,
    rank: Vec<u32>,
    related: StringBuilder,
    score: Vec<f32>,
}

impl Answers {
    /// The related pages of each of these rows of a shard, by the same rules
    /// as a single question.
    pub fn of(
        index: &Searcher,
        shard: u32,
        rows: Range<u32>,
        options: &Options,
        excluded: Excluded,
    ) -> Result<Self, Fault> {
        let mut answers = Self::default();
        for row in rows {
            let place = Place { shard, row };
            let options = excluded.of(index, place, options)?;
            let bag = QueryBag::new(index.bag(place)?);
            let answer = index.search(&bag, index.sketch(place)?, &options)?;
            answers.add(index, place, answer)?;
        }
        Ok(answers)
    }

    /// The related pages of some pages, each among its own candidates: of a
    /// list the first page is asked about and compared with the others.
    pub fn among(
        index: &Searcher,
        lists: &[Vec<Place>],
        options: &Options,
        excluded: Excluded,
    ) -> Result<Self, Fault> {
        let mut answers = Self::default();
        for (&place, candidates) in lists.iter().filter_map(|list| list.split_first()) {
            let options = excluded.of(index, place, options)?;
            let bag = QueryBag::new(index.bag(place)?);
            let answer = index.search_among(&bag, candidates, &options)?;
            answers.add(index, place, answer)?;
        }
        Ok(answers)
    }

    fn add(&mut self, index: &Searcher, place: Place, answer: Answer) -> Result<(), Fault> {
        let url = index.card(place)?.url;
        for (rank, hit) in (1..).zip(answer.hits) {
            self.url.append_value(url);
            self.rank.push(rank);
            self.related.append_value(index.card(hit.place)?.url);
            self.score.push(score(hit.overlap) as f32);
        }
        Ok(())
    }

    /// The table.
    pub fn into_batch(mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_from_iter([
            ("url", Arc::new(self.url.finish()) as ArrayRef),
            ("rank", Arc::new(UInt32Array::from(self.rank))),
            ("related", Arc::new(self.related.finish())),
            ("score", Arc::new(Float32Array::from(self.score))),
        ])
    }
}
