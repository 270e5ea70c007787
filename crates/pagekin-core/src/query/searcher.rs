//! An index opened for questions.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::maxscore::ScoreAccumulator;
use super::members::{
    best_of, replaced_rows, rows_of, IndexFiles, Member, MemberPostings, ReplacedRows,
};
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
use crate::hash::{is_link, LINK_BIT};
use crate::index::{
    Lexicon, LinkWindow, PackedBag, PageInlinks, PageMeta, PageText, Shard, TableError,
    WordPostings,
};

/// The shards of an index, or of several that are asked as one, their lexicons and posting lists.
#[derive(Debug)]
pub struct Searcher {
    /// Those of the first index, those of the second, and so on.
    shards: Vec<Shard>,
    members: Vec<Member>,
    sketching: SketchParams,
    /// The sketches of small indexes, shard by shard.
    sketches: Vec<ShardSketches>,
    /// Which rows other indexes replace, read when it first matters.
    replaced: OnceLock<ReplacedRows>,
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

    /// Opens indexes, each in its files: for each table one a shard. The number of shards of an
    /// index is a power of two.
    pub fn open(indexes: &[IndexFiles], sketching: SketchParams) -> Result<Self, TableError> {
        let mut shards = Vec::new();
        let members = indexes.iter();
        let members = members.map(|tables| Member::open(tables, &mut shards));
        Ok(Self {
            members: members.collect::<Result<_, _>>()?,
            sketches: shards.iter().map(|_| ShardSketches::default()).collect(),
            shards,
            sketching,
            replaced: OnceLock::new(),
            masks: MaskCache::default(),
            spare: Mutex::default(),
        })
    }

    /// The shards, those of an index in order of ids.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The shard of a page.
    pub fn shard(&self, page: PageRef) -> &Shard {
        &self.shards[page.shard as usize]
    }

    /// Which pages may be hits.
    pub fn mask(&self, selection: &PageSelection) -> Result<Arc<IndexMask>, TableError> {
        let replaced = self.replaced()?;
        self.masks.mask(&self.shards, replaced, selection)
    }

    /// The rows of each shard that other indexes replace.
    fn replaced(&self) -> Result<&ReplacedRows, TableError> {
        Ok(match self.replaced.get() {
            Some(replaced) => replaced,
            None => {
                let replaced = replaced_rows(&self.shards, &self.members)?;
                self.replaced.get_or_init(|| replaced)
            }
        })
    }

    /// How many URLs and how many crawled pages other indexes replace.
    pub fn count_replaced(&self) -> Result<(usize, usize), TableError> {
        let (mut urls, mut crawled) = (0, 0);
        for (shard, rows) in self.shards.iter().zip(self.replaced()?) {
            urls += rows.len();
            for &row in rows {
                crawled += usize::from(shard.page_meta(row as usize)?.crawled);
            }
        }
        Ok((urls, crawled))
    }

    /// In how many bags a term is by the model of the indexes; 0 if it is unknown.
    pub fn frequency(&self, term: u64) -> Result<u32, TableError> {
        for member in &self.members {
            let frequency = member.lexicon().frequency(term)?;
            if frequency > 0 {
                return Ok(frequency);
            }
        }
        Ok(0)
    }

    /// The posting lists of a word, one for each index that has it.
    pub fn word_postings(&self, term: u64) -> Result<Vec<MemberPostings<'_>>, TableError> {
        let lists = self.members.iter().map(|member| member.word_postings(term));
        lists.filter_map(Result::transpose).collect()
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        rows_of(&self.shards)
    }

    /// Whether every shard has inverted lists of its bags.
    pub fn has_postings(&self) -> bool {
        self.shards.iter().all(Shard::has_postings)
    }

    /// Whether some shards have inverted lists of their bags and others have inverted sketches.
    pub fn is_mixed(&self) -> bool {
        self.shards.iter().any(Shard::has_postings) && !self.has_postings()
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

    /// Finds a page by its id: of several indexes in the one that knows it best.
    pub fn find(&self, id: u64) -> Result<Option<PageRef>, TableError> {
        if let [only] = &self.members[..] {
            return only.find(&self.shards, id);
        }
        let pages = self.members.iter();
        let pages = pages.filter_map(|member| member.find(&self.shards, id).transpose());
        best_of(&self.shards, &pages.collect::<Result<Vec<_>, _>>()?)
    }

    /// Puts pages that have one rank into the order of their ids.
    pub fn order_ties<R: PartialEq>(&self, ranked: &mut [(R, PageRef)]) -> Result<(), TableError> {
        if self.members.len() > 1 {
            for ties in ranked.chunk_by_mut(|one, other| one.0 == other.0) {
                let ids = ties.iter().map(|tie| Ok((self.id(tie.1)?, tie.1)));
                let mut ids = ids.collect::<Result<Vec<(u64, PageRef)>, TableError>>()?;
                ids.sort_unstable();
                for (tie, (_, page)) in ties.iter_mut().zip(ids) {
                    tie.1 = page;
                }
            }
        }
        Ok(())
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
            for member in &self.members {
                if let Some(word) = member.lexicon().word(term)? {
                    return Ok(word.into());
                }
            }
            return Ok(format!("term {term:016x}").into());
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

    /// The links to a page that each of the indexes knows.
    pub fn links_to(&self, id: u64) -> Result<Vec<PageInlinks<'_>>, TableError> {
        let members = self.members.iter();
        members
            .map(|member| member.links_to(&self.shards, id))
            .collect()
    }

    /// Whether the links from a page count that one of the indexes knows, by its number.
    pub fn counts_links_of(&self, source: u64, member: usize) -> Result<bool, TableError> {
        let page = self.find(source)?;
        Ok(self.members.len() == 1 || page.is_some_and(|page| self.members[member].has(page)))
    }

    /// Whether a page links to another.
    pub fn is_link(&self, source: u64, target: u64) -> Result<bool, TableError> {
        for (member, links) in self.links_to(target)?.iter().enumerate() {
            if links.of_source(source).next().is_some() && self.counts_links_of(source, member)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
