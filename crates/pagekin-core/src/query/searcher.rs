//! An index that can be asked.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use super::bag::QueryBag;
use super::common::Common;
use super::options::{Answer, Options, Place};
use super::search::Search;
use super::sums::Sums;
use super::why::quote;
use crate::hash::{is_link, partition_of, LINK_BIT};
use crate::index::{Bag, Card, Fault, Lexicon, Shard, Window, FEW_BAGS};

/// The shards of an index and its lexicon.
#[derive(Debug)]
pub struct Searcher {
    shards: Vec<Shard>,
    lexicon: Lexicon,
    /// The common terms of each shard.
    common: Vec<Common>,
    /// Memory that no search uses just now.
    spare: Mutex<Vec<Memory>>,
}

/// Equal positions of each row, for each shard.
pub type Counts = Vec<Vec<u8>>;

/// What a search writes on: it is as large as the index has pages, so it is
/// used again and again.
#[derive(Debug)]
pub struct Memory {
    pub counts: Counts,
    pub sums: Vec<Sums>,
}

impl Searcher {
    /// The index of these shards, whose number is a power of two.
    pub fn new(shards: Vec<Shard>, lexicon: Lexicon) -> Self {
        Self {
            common: shards.iter().map(|_| Common::default()).collect(),
            shards,
            lexicon,
            spare: Mutex::default(),
        }
    }

    /// The shards, in order of ids.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The shard of a page.
    pub fn shard(&self, place: Place) -> &Shard {
        &self.shards[place.shard as usize]
    }

    /// The common terms of a shard.
    pub(super) fn common(&self, shard: usize) -> &Common {
        &self.common[shard]
    }

    /// Words and frequencies of terms.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.shards.iter().map(Shard::rows).sum()
    }

    /// Whether the tables `holders` were made. A small index has them.
    pub fn has_holders(&self) -> bool {
        self.pages() <= FEW_BAGS
    }

    /// Where a page is.
    pub fn find(&self, id: u64) -> Result<Option<Place>, Fault> {
        let shard = self.shard_of(id);
        let row = self.shards[shard].row_of(id)?;
        Ok(row.map(|row| Place {
            shard: shard as u32,
            row: row as u32,
        }))
    }

    /// The bag of a page.
    pub fn bag(&self, place: Place) -> Result<Bag<'_>, Fault> {
        self.shard(place).bag(place.row as usize)
    }

    /// The sketch of a page.
    pub fn sketch(&self, place: Place) -> Result<&[u32], Fault> {
        self.shard(place).sketch(place.row as usize)
    }

    /// What a page is called.
    pub fn card(&self, place: Place) -> Result<Card<'_>, Fault> {
        self.shard(place).card(place.row as usize)
    }

    /// The words of a page's text, parted by spaces, if it was fetched.
    pub fn words(&self, place: Place) -> Result<Option<&str>, Fault> {
        self.shard(place).words(place.row as usize)
    }

    /// The id of a page.
    pub fn id(&self, place: Place) -> Result<u64, Fault> {
        self.shard(place).id(place.row as usize)
    }

    /// The word to show for a term; a term that is a linking page shows its URL.
    pub fn word(&self, term: u64) -> Result<Cow<'_, str>, Fault> {
        if !is_link(term) {
            let word = self.lexicon.word(term)?.map(Cow::Borrowed);
            return Ok(word.unwrap_or_else(|| format!("term {term:016x}").into()));
        }
        for page in [term, term ^ LINK_BIT] {
            if let Some(place) = self.find(page)? {
                return Ok(self.card(place)?.url.into());
            }
        }
        Ok(format!("page {term:016x}").into())
    }

    /// The words of a page around some of its links.
    pub fn quote(&self, page: u64, windows: &[Window]) -> Result<String, Fault> {
        let place = self.find(page)?;
        let text = place.map_or(Ok(None), |place| self.words(place))?;
        Ok(quote(text.unwrap_or_default(), windows))
    }

    /// The pages most like a bag. Its sketch names the candidates.
    pub fn search(
        &self,
        bag: &QueryBag,
        sketch: &[u32],
        options: &Options,
    ) -> Result<Answer, Fault> {
        let mut memory = self.lend();
        let answer = Search::new(self, bag, sketch, options).run(&mut memory);
        self.spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(memory);
        answer
    }

    /// The pages most like a bag among those that were named.
    pub fn search_among(
        &self,
        bag: &QueryBag,
        pages: &[Place],
        options: &Options,
    ) -> Result<Answer, Fault> {
        Search::new(self, bag, &[], options).among(pages)
    }

    fn lend(&self) -> Memory {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.pop().unwrap_or_else(|| Memory {
            counts: vec![Vec::new(); self.shards.len()],
            sums: self.shards.iter().map(|_| Sums::default()).collect(),
        })
    }

    /// Whether a page links to another.
    pub fn is_link(&self, source: u64, target: u64) -> Result<bool, Fault> {
        let shard = &self.shards[self.shard_of(target)];
        Ok(shard.link_from(source, shard.links_to(target)?)?.is_some())
    }

    fn shard_of(&self, id: u64) -> usize {
        partition_of(id, self.shards.len().trailing_zeros())
    }
}
