//! Posting lists of words: the pages that have a term, how often, and its weight in links to them.

use std::sync::Arc;

use arrow_array::types::UInt32Type;

use super::files::table::MappedTable;
use super::files::verified::{TableError, VerifiedFile};
use crate::hash::partition_of;

/// The posting lists in as many files as there are shards, cut by the leading bits of the term.
#[derive(Debug)]
pub struct WordPostings {
    shards: Vec<MappedTable>,
}

/// The pages with a term.
#[derive(Debug, Clone, Copy)]
pub struct TermPostings<'a> {
    /// Rows, counted through all shards, by site and page.
    pub pages: &'a [u32],
    /// How often the title and text of each have it.
    pub content: &'a [u32],
    /// Its weight in the windows of links to each.
    pub anchor: &'a [u32],
}

impl WordPostings {
    /// The name of its table.
    pub const TABLE: &'static str = "postings";

    /// Opens the lists in these files, whose number is a power of two.
    pub fn open(files: &[Arc<VerifiedFile>]) -> Result<Self, TableError> {
        let columns = ["term", "pages", "content", "anchor"];
        let files = files.iter().cloned();
        let shards = files.map(|file| MappedTable::open(file, &columns));
        Ok(Self {
            shards: shards.collect::<Result<_, _>>()?,
        })
    }

    /// The list of a term, if any page has it.
    pub fn find(&self, term: u64) -> Result<Option<TermPostings<'_>>, TableError> {
        let Some((batch, at)) = self.table(term).find_key(term)? else {
            return Ok(None);
        };
        let list = |column| batch.lists::<UInt32Type>(column)?.row(at)?.verify();
        let (pages, content, anchor) = (list(1)?, list(2)?, list(3)?);
        if content.len() != pages.len() || anchor.len() != pages.len() {
            let what = "the lists of a term differ in length";
            return Err(self.table(term).error(what));
        }
        Ok(Some(TermPostings {
            pages,
            content,
            anchor,
        }))
    }

    /// The error for a row that there is not.
    pub fn row_error(&self, term: u64) -> TableError {
        self.table(term).error("a row number is beyond its table")
    }

    fn table(&self, term: u64) -> &MappedTable {
        &self.shards[partition_of(term, self.shards.len().trailing_zeros())]
    }
}
