//! The lexicon: from a term to its word and its document frequency.

use std::sync::Arc;

use arrow_array::types::UInt32Type;

use super::files::table::MappedTable;
use super::files::verified::{TableError, VerifiedFile};
use crate::hash::partition_of;

/// The lexicon in as many files as there are shards, cut by the leading bits of the term.
#[derive(Debug)]
pub struct Lexicon {
    shards: Vec<MappedTable>,
}

impl Lexicon {
    /// The name of its table.
    pub const TABLE: &'static str = "lexicon";

    /// Opens the lexicon in these files, whose number is a power of two.
    pub fn open(files: &[Arc<VerifiedFile>]) -> Result<Self, TableError> {
        let columns = ["term", "word", "frequency"];
        let files = files.iter().cloned();
        let shards = files.map(|file| MappedTable::open(file, &columns));
        Ok(Self {
            shards: shards.collect::<Result<_, _>>()?,
        })
    }

    /// The word to show for a term.
    pub fn word(&self, term: u64) -> Result<Option<&str>, TableError> {
        match self.table(term).find_key(term)? {
            Some((batch, at)) => batch.text::<i32>(1, at),
            None => Ok(None),
        }
    }

    /// In how many bags a term is; 0 if it is unknown. One that the model of the index lacks counts
    /// as a term of one bag.
    pub fn frequency(&self, term: u64) -> Result<u32, TableError> {
        match self.table(term).find_key(term)? {
            Some((batch, at)) => Ok(batch.numbers::<UInt32Type>(2)?.value(at)?.max(1)),
            None => Ok(0),
        }
    }

    fn table(&self, term: u64) -> &MappedTable {
        &self.shards[partition_of(term, self.shards.len().trailing_zeros())]
    }
}
