//! The answers of many pages at once, as a table.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float32Array, RecordBatch, UInt32Array};
use arrow_schema::ArrowError;

use super::options::SearchOptions;
use super::query_bag::QueryBag;
use super::result::{PageRef, SearchResult};
use super::searcher::Searcher;
use super::selection::PageCondition;
use crate::columns::score;
use crate::index::TableError;

/// Which pages are never hits of a page.
#[derive(Debug, Default, Clone, Copy)]
pub struct Exclusions {
    /// The pages of its own site.
    pub site: bool,
    /// The pages that it links to.
    pub linked: bool,
    /// The pages in another language.
    pub language: bool,
}

impl Exclusions {
    /// The options for one page.
    fn apply(
        self,
        index: &Searcher,
        page: PageRef,
        options: &SearchOptions,
    ) -> Result<SearchOptions, TableError> {
        let mut options = options.clone();
        options.exclude_pages = vec![page];
        if self.site {
            options.exclude_sites = vec![index.page_meta(page)?.site.to_owned()];
        }
        let language = index.page_meta(page)?.language.filter(|_| self.language);
        if let Some(language) = language {
            let condition = PageCondition::Language(language.to_owned());
            options.pages.conditions.push(condition);
        }
        if self.linked {
            options.exclude_links_from = vec![index.id(page)?];
        }
        Ok(options)
    }
}

/// Rows of `url`, `rank`, `related`, `score`.
#[derive(Debug, Default)]
pub struct AnswerTable {
    url: StringBuilder,
    rank: Vec<u32>,
    related: StringBuilder,
    score: Vec<f32>,
}

impl AnswerTable {
    /// The related pages of each of these rows of a shard, by the same rules
    /// as a single question.
    pub fn for_rows(
        index: &Searcher,
        shard: u32,
        rows: Range<u32>,
        options: &SearchOptions,
        exclusions: Exclusions,
    ) -> Result<Self, TableError> {
        let mut answers = Self::default();
        for row in rows {
            let page = PageRef { shard, row };
            let options = exclusions.apply(index, page, options)?;
            let query = QueryBag::from(index.bag(page)?);
            let result = index.search(&query, &options)?;
            answers.add(index, page, result)?;
        }
        Ok(answers)
    }

    /// The related pages of some pages, each among its own candidates: the first page of a list
    /// is the query, the others are compared with it.
    pub fn for_candidates(
        index: &Searcher,
        lists: &[Vec<PageRef>],
        options: &SearchOptions,
        exclusions: Exclusions,
    ) -> Result<Self, TableError> {
        let mut answers = Self::default();
        for (&page, candidates) in lists.iter().filter_map(|list| list.split_first()) {
            let options = exclusions.apply(index, page, options)?;
            let query = QueryBag::from(index.bag(page)?);
            let result = index.search_among(&query, candidates, &options)?;
            answers.add(index, page, result)?;
        }
        Ok(answers)
    }

    fn add(
        &mut self,
        index: &Searcher,
        page: PageRef,
        result: SearchResult,
    ) -> Result<(), TableError> {
        let url = index.page_meta(page)?.url;
        for (rank, hit) in (1..).zip(result.hits) {
            self.url.append_value(url);
            self.rank.push(rank);
            self.related.append_value(index.page_meta(hit.page)?.url);
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
