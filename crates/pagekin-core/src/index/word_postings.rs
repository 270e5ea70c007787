//! Posting lists of words: the pages that have a term, how often, and its weight in links to them.

use std::sync::Arc;

use super::files::table::MappedTable;
use super::files::verified::{TableError, VerifiedFile};
use super::packed::PostingColumns;
use crate::hash::partition_of;

/// The posting lists in as many files as there are shards, cut by the leading bits of the term.
#[derive(Debug)]
pub struct WordPostings {
    shards: Vec<MappedTable>,
    /// How many pages there are: no list is longer.
    pages: usize,
}

impl WordPostings {
    /// The name of its table.
    pub const TABLE: &'static str = "postings";

    /// Opens the lists in these files, whose number is a power of two, of this many pages.
    pub fn open(files: &[Arc<VerifiedFile>], pages: usize) -> Result<Self, TableError> {
        let files = files.iter().cloned();
        let shards = files.map(|file| MappedTable::open(file, &["term", "postings"]));
        Ok(Self {
            shards: shards.collect::<Result<_, _>>()?,
            pages,
        })
    }

    /// The list of a term, if any page has it.
    pub fn find(&self, term: u64) -> Result<Option<PostingColumns>, TableError> {
        let table = self.table(term);
        let Some((batch, at)) = table.find_key(term)? else {
            return Ok(None);
        };
        let mut postings = PostingColumns::default();
        let packed = batch.bytes(1)?.row(at)?.verify()?;
        match postings.unpack(packed, self.pages) {
            Some(()) => Ok(Some(postings)),
            None => Err(table.error("a packed list is broken")),
        }
    }

    /// The error for a row that there is not.
    pub fn row_error(&self, term: u64) -> TableError {
        self.table(term).error("a row number is beyond its table")
    }

    fn table(&self, term: u64) -> &MappedTable {
        &self.shards[partition_of(term, self.shards.len().trailing_zeros())]
    }
}
