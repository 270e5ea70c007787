//! An index that can be asked.

use std::sync::{Mutex, PoisonError};

use super::bag::QueryBag;
use super::holders::Overlaps;
use super::options::{Answer, Options, Place};
use super::search::Search;
use crate::hash::partition_of;
use crate::index::{Bag, Card, Fault, Lexicon, Shard, Window, FEW_BAGS};

/// The shards of an index and its lexicon.
#[derive(Debug)]
pub struct Searcher {
    shards: Vec<Shard>,
    lexicon: Lexicon,
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
    pub overlaps: Overlaps,
}

/// A page that links to two others, and where each link's words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citation {
    /// The linking page.
    pub source: u64,
    /// The link to the page asked about.
    pub query: Window,
    /// The link to the hit.
    pub hit: Window,
}

/// Of a page with very many inlinks so many are looked at for citations.
const MOST_LINKS: usize = 10_000;

impl Searcher {
    /// The index of these shards, whose number is a power of two.
    pub fn new(shards: Vec<Shard>, lexicon: Lexicon) -> Self {
        Self {
            shards,
            lexicon,
            spare: Mutex::default(),
        }
    }

    /// The shards, in order of ids.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
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
        self.shards[place.shard as usize].bag(place.row as usize)
    }

    /// The sketch of a page.
    pub fn sketch(&self, place: Place) -> Result<&[u32], Fault> {
        self.shards[place.shard as usize].sketch(place.row as usize)
    }

    /// What a page is called.
    pub fn card(&self, place: Place) -> Result<Card<'_>, Fault> {
        self.shards[place.shard as usize].card(place.row as usize)
    }

    /// The words of a page's text, parted by spaces, if it was fetched.
    pub fn words(&self, place: Place) -> Result<Option<&str>, Fault> {
        self.shards[place.shard as usize].words(place.row as usize)
    }

    /// The id of a page.
    pub fn id(&self, place: Place) -> Result<u64, Fault> {
        self.shards[place.shard as usize].id(place.row as usize)
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
            overlaps: vec![Vec::new(); self.shards.len()],
        })
    }

    /// Whether a page links to another.
    pub fn is_link(&self, source: u64, target: u64) -> Result<bool, Fault> {
        let shard = &self.shards[self.shard_of(target)];
        Ok(shard.link_from(source, shard.links_to(target)?)?.is_some())
    }

    /// The first `most` pages that link both to `query` and to `hit`.
    pub fn cited_together(
        &self,
        query: u64,
        hit: u64,
        most: usize,
    ) -> Result<Vec<Citation>, Fault> {
        let (query_shard, hit_shard) = (self.shard_of(query), self.shard_of(hit));
        let sides = [&self.shards[query_shard], &self.shards[hit_shard]];
        let links = [sides[0].links_to(query)?, sides[1].links_to(hit)?];
        let fewer = usize::from(links[1].len() < links[0].len());
        let mut found: Vec<Citation> = Vec::new();
        let mut last = None;
        for link in links[fewer].clone().take(MOST_LINKS) {
            let source = sides[fewer].source(link)?;
            if last.replace(source) == Some(source) {
                continue;
            }
            let other = sides[1 - fewer].link_from(source, links[1 - fewer].clone())?;
            if let Some(other) = other {
                let mut windows = [sides[fewer].window(link)?, sides[1 - fewer].window(other)?];
                windows.rotate_right(fewer);
                found.push(Citation {
                    source,
                    query: windows[0],
                    hit: windows[1],
                });
                if found.len() >= most {
                    break;
                }
            }
        }
        Ok(found)
    }

    fn shard_of(&self, id: u64) -> usize {
        partition_of(id, self.shards.len().trailing_zeros())
    }
}
