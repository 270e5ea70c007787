//! An index opened for questions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::maxscore::ScoreAccumulator;
use super::options::SearchOptions;
use super::passages::quote;
use super::query_bag::QueryBag;
use super::result::{PageRef, SearchResult};
use super::row_mask::{IndexMask, MaskCache};
use super::search::{Search, WordScores};
use super::selection::PageSelection;
use super::sketches::{ShardSketches, SketchParams};
use super::why::link_text::link_text;
use crate::columns::OwnedBag;
use crate::hash::{is_link, partition_of, LINK_BIT};
use crate::index::{
    Lexicon, LinkWindow, PackedBag, PageMeta, PageText, Shard, TableError, VerifiedFile,
    WordPostings,
};

/// The shards of an index, its lexicon and its posting lists.
#[derive(Debug)]
pub struct Searcher {
    shards: Vec<Shard>,
    lexicon: Lexicon,
    word_postings: WordPostings,
    sketching: SketchParams,
    /// The sketches of a small index, shard by shard.
    sketches: Vec<ShardSketches>,
    /// Which pages may be hits, by what was asked last.
    masks: MaskCache,
    /// Buffers that no search uses at the moment.
    spare: Mutex<Vec<SearchBuffers>>,
}

/// What a search writes on. It is as large as the index has pages, so searches reuse it.
#[derive(Debug)]
pub struct SearchBuffers {
    /// Equal sketch positions of each row, for each shard.
    pub counts: Vec<Vec<u16>>,
    /// What each page shares, for both segments of each shard.
    pub scores: Vec<ScoreAccumulator>,
}

impl Searcher {
    /// The tables that it reads.
    pub fn tables() -> impl Iterator<Item = &'static str> {
        let of_terms = [Lexicon::TABLE, WordPostings::TABLE];
        Shard::TABLES.into_iter().chain(of_terms)
    }

    /// Opens the index in these files: for each table one a shard. The number of shards is a
    /// power of two.
    pub fn open(
        tables: &HashMap<String, Vec<Arc<VerifiedFile>>>,
        sketching: SketchParams,
    ) -> Result<Self, TableError> {
        let error = |file: &str, what: String| TableError {
            file: file.to_owned(),
            what,
        };
        let files = |name: &str| tables.get(name).map_or(&[][..], Vec::as_slice);
        let lexicon = files(Lexicon::TABLE);
        let count = lexicon.len();
        if !count.is_power_of_two() {
            let what = format!("{count} shards, expected a power of two");
            return Err(error(Lexicon::TABLE, what));
        }
        if let Some((name, files)) = tables.iter().find(|table| table.1.len() != count) {
            let what = format!("{} shards, expected {count}", files.len());
            return Err(error(name, what));
        }
        let shards = (0..count).map(|number| {
            let files = tables.iter();
            let files = files.map(|(name, files)| (name.as_str(), Arc::clone(&files[number])));
            Shard::open(&files.collect())
        });
        let shards: Vec<Shard> = shards.collect::<Result<_, _>>()?;
        let pages = shards.iter().map(Shard::rows).sum();
        Ok(Self::new(
            shards,
            Lexicon::open(lexicon)?,
            WordPostings::open(files(WordPostings::TABLE), pages)?,
            sketching,
        ))
    }

    fn new(
        shards: Vec<Shard>,
        lexicon: Lexicon,
        word_postings: WordPostings,
        sketching: SketchParams,
    ) -> Self {
        Self {
            sketches: shards.iter().map(|_| ShardSketches::default()).collect(),
            shards,
            lexicon,
            word_postings,
            sketching,
            masks: MaskCache::default(),
            spare: Mutex::default(),
        }
    }

    /// The shards, in order of ids.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The shard of a page.
    pub fn shard(&self, page: PageRef) -> &Shard {
        &self.shards[page.shard as usize]
    }

    /// Which pages may be hits.
    pub fn mask(&self, selection: &PageSelection) -> Result<Arc<IndexMask>, TableError> {
        self.masks.mask(&self.shards, selection)
    }

    /// Words and frequencies of terms.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Posting lists of words.
    pub fn word_postings(&self) -> &WordPostings {
        &self.word_postings
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.shards.iter().map(Shard::rows).sum()
    }

    /// Whether every shard has inverted lists of its bags.
    pub fn has_postings(&self) -> bool {
        self.shards.iter().all(Shard::has_postings)
    }

    /// How bags are sketched, and which pages the inverted tables list.
    pub fn sketching(&self) -> SketchParams {
        self.sketching
    }

    /// The sketches of the bags of a shard, row by row.
    pub fn sketches(&self, shard: usize) -> Result<&[u32], TableError> {
        self.sketches[shard].of(&self.shards[shard], self.sketching)
    }

    /// Whether no page is left out of the inverted tables for its inlinks.
    pub fn lists_every_page(&self) -> bool {
        self.sketching.min_inlinks == 0
    }

    /// Finds a page by its id.
    pub fn find(&self, id: u64) -> Result<Option<PageRef>, TableError> {
        let shard = self.shard_of(id);
        let row = self.shards[shard].row_of(id)?;
        Ok(row.map(|row| PageRef {
            shard: shard as u32,
            row: row as u32,
        }))
    }

    /// The bag of a page.
    pub fn bag(&self, page: PageRef) -> Result<OwnedBag, TableError> {
        self.shard(page).bags().bag(page.row as usize)
    }

    /// The bag of a page, as it is stored.
    pub fn packed_bag(&self, page: PageRef) -> Result<PackedBag<'_>, TableError> {
        self.shard(page).bags().packed(page.row as usize)
    }

    /// What is shown of a page.
    pub fn page_meta(&self, page: PageRef) -> Result<PageMeta<'_>, TableError> {
        self.shard(page).page_meta(page.row as usize)
    }

    /// The text of a page, if it was fetched.
    pub fn text(&self, page: PageRef) -> Result<Option<PageText>, TableError> {
        self.shard(page).text(page.row as usize)
    }

    /// What linking pages call a page.
    pub fn link_text(&self, page: PageRef) -> Result<Option<String>, TableError> {
        link_text(self, page)
    }

    /// The id of a page.
    pub fn id(&self, page: PageRef) -> Result<u64, TableError> {
        self.shard(page).id(page.row as usize)
    }

    /// The word to show for a term; a term that is a linking page shows its URL.
    pub fn word(&self, term: u64) -> Result<Cow<'_, str>, TableError> {
        if !is_link(term) {
            let word = self.lexicon.word(term)?.map(Cow::Borrowed);
            return Ok(word.unwrap_or_else(|| format!("term {term:016x}").into()));
        }
        for id in [term, term ^ LINK_BIT] {
            if let Some(page) = self.find(id)? {
                return Ok(self.page_meta(page)?.url.into());
            }
        }
        Ok(format!("page {term:016x}").into())
    }

    /// The sentences of a page around some of its links.
    pub fn quote(&self, id: u64, windows: &[LinkWindow]) -> Result<String, TableError> {
        let page = self.find(id)?;
        let text = page.map_or(Ok(None), |page| self.text(page))?;
        Ok(quote(&text.unwrap_or_default().text, windows))
    }

    /// The pages most like a query.
    pub fn search(
        &self,
        query: &QueryBag,
        options: &SearchOptions,
    ) -> Result<SearchResult, TableError> {
        let mut buffers = self.take_buffers();
        let search = Search::new(self, query, options);
        let result = search.and_then(|search| search.run(&mut buffers));
        self.lock_spare().push(buffers);
        result
    }

    /// The pages most like a query among these.
    pub fn search_among(
        &self,
        query: &QueryBag,
        pages: &[PageRef],
        options: &SearchOptions,
    ) -> Result<SearchResult, TableError> {
        Search::new(self, query, options)?.among(pages)
    }

    /// The best of some pages by the words that they have and by their likeness to a query.
    pub fn search_fused(
        &self,
        query: &QueryBag,
        words: &WordScores,
        options: &SearchOptions,
    ) -> Result<SearchResult, TableError> {
        Search::new(self, query, options)?.fused(words)
    }

    fn take_buffers(&self) -> SearchBuffers {
        let segments = 0..2 * self.shards.len();
        self.lock_spare().pop().unwrap_or_else(|| SearchBuffers {
            counts: vec![Vec::new(); self.shards.len()],
            scores: segments.map(|_| ScoreAccumulator::default()).collect(),
        })
    }

    fn lock_spare(&self) -> std::sync::MutexGuard<'_, Vec<SearchBuffers>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a page links to another.
    pub fn is_link(&self, source: u64, target: u64) -> Result<bool, TableError> {
        let shard = &self.shards[self.shard_of(target)];
        Ok(shard.links_to(target)?.of_source(source).next().is_some())
    }

    fn shard_of(&self, id: u64) -> usize {
        partition_of(id, self.shards.len().trailing_zeros())
    }
}
