//! The lexicon: from a term to its word and its document frequency.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;

use super::mapped::MappedTable;
use super::sealed::Fault;
use crate::hash::partition_of;

/// The lexicon in as many files as there are shards, cut by the leading bits of the term.
#[derive(Debug)]
pub struct Lexicon {
    shards: Vec<MappedTable>,
}

impl Lexicon {
    /// The columns that are read.
    pub const COLUMNS: &'static [&'static str] = &["term", "word", "frequency"];

    /// The lexicon in these tables, whose number is a power of two.
    pub fn new(shards: Vec<MappedTable>) -> Self {
        Self { shards }
    }

    /// The word to show for a term.
    pub fn word(&self, term: u64) -> Result<Option<&str>, Fault> {
        let table = self.table(term);
        let Some((batch, at)) = table.find_key(term)? else {
            return Ok(None);
        };
        let words = batch
            .column(1)
            .as_string_opt::<i32>()
            .ok_or_else(|| table.wrong_column())?;
        Ok(Some(words.value(at)))
    }

    /// In how many bags a term is; 0 if it is unknown.
    pub fn frequency(&self, term: u64) -> Result<u32, Fault> {
        let table = self.table(term);
        let Some((batch, at)) = table.find_key(term)? else {
            return Ok(0);
        };
        let frequency = &table.numbers::<UInt32Type>(batch, 2)?[at..=at];
        table.check_values(frequency)?;
        Ok(frequency[0])
    }

    fn table(&self, term: u64) -> &MappedTable {
        &self.shards[partition_of(term, self.shards.len().trailing_zeros())]
    }
}
