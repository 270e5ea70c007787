//! Several indexes as one: which of them knows a page best, by a k-way merge of their sorted ids.
//!
//! A URL that several indexes have is one page, that of the latest capture, as in a build of all
//! their captures. The others are replaced: they are never hits, nor are links from them counted.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::result::PageRef;
use crate::hash::partition_of;
use crate::index::{
    Lexicon, PageInlinks, PostingColumns, Shard, TableError, VerifiedFile, WordPostings,
};

/// The files of each table of an index, shard by shard.
pub type IndexFiles = HashMap<String, Vec<Arc<VerifiedFile>>>;

/// What an index has beside its shards, and where they are among those of all indexes.
#[derive(Debug)]
pub struct Member {
    shards: Range<usize>,
    /// The number of its first row among the rows of all.
    first_row: usize,
    lexicon: Lexicon,
    word_postings: WordPostings,
}

/// The rows of each shard that other indexes replace, ascending.
pub type ReplacedRows = Vec<Vec<u32>>;

/// The posting list of a term in one of the indexes.
pub struct MemberPostings<'a> {
    /// What its row numbers are added to.
    pub first_row: usize,
    /// The list.
    pub postings: PostingColumns,
    table: &'a WordPostings,
    term: u64,
}

impl MemberPostings<'_> {
    /// The error for a row that there is not.
    pub fn row_error(&self) -> TableError {
        self.table.row_error(self.term)
    }
}

/// How well an index knows a page: by its own capture, the later the better, or by links to it.
type Standing = (bool, Option<i64>, u32);

impl Member {
    /// Opens an index whose shards follow these, and adds them.
    pub fn open(tables: &IndexFiles, shards: &mut Vec<Shard>) -> Result<Self, TableError> {
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
        let (first, first_row) = (shards.len(), rows_of(shards));
        for number in 0..count {
            let files = tables.iter();
            let files = files.map(|(name, files)| (name.as_str(), Arc::clone(&files[number])));
            shards.push(Shard::open(&files.collect())?);
        }
        let pages = rows_of(&shards[first..]);
        Ok(Self {
            shards: first..shards.len(),
            first_row,
            lexicon: Lexicon::open(lexicon)?,
            word_postings: WordPostings::open(files(WordPostings::TABLE), pages)?,
        })
    }

    /// Words and frequencies of terms.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Whether a page is one of this index.
    pub fn has(&self, page: PageRef) -> bool {
        self.shards.contains(&(page.shard as usize))
    }

    /// The posting list of a term, if any page has it.
    pub fn word_postings(&self, term: u64) -> Result<Option<MemberPostings<'_>>, TableError> {
        let found = self.word_postings.find(term)?;
        Ok(found.map(|postings| MemberPostings {
            first_row: self.first_row,
            postings,
            table: &self.word_postings,
            term,
        }))
    }

    /// Finds a page by its id.
    pub fn find(&self, shards: &[Shard], id: u64) -> Result<Option<PageRef>, TableError> {
        let shard = self.shard_of(id);
        let row = shards[shard].row_of(id)?;
        Ok(row.map(|row| PageRef {
            shard: shard as u32,
            row: row as u32,
        }))
    }

    /// The links to a page that this index knows.
    pub fn links_to<'a>(
        &self,
        shards: &'a [Shard],
        id: u64,
    ) -> Result<PageInlinks<'a>, TableError> {
        shards[self.shard_of(id)].links_to(id)
    }

    fn shard_of(&self, id: u64) -> usize {
        let own = self.shards.len();
        self.shards.start + partition_of(id, own.trailing_zeros())
    }
}

/// How many rows these shards have.
pub fn rows_of(shards: &[Shard]) -> usize {
    shards.iter().map(Shard::rows).sum()
}

/// The page that counts of those that have one URL: of equals the first.
pub fn best_of(shards: &[Shard], pages: &[PageRef]) -> Result<Option<PageRef>, TableError> {
    if let [] | [_] = pages {
        return Ok(pages.first().copied());
    }
    let standings = pages.iter().map(|&page| standing(shards, page));
    let standings = standings.collect::<Result<Vec<_>, _>>()?;
    let best = standings.into_iter().zip(pages).rev();
    Ok(best.max_by_key(|known| known.0).map(|known| *known.1))
}

fn standing(shards: &[Shard], page: PageRef) -> Result<Standing, TableError> {
    let (shard, row) = (&shards[page.shard as usize], page.row as usize);
    let meta = shard.page_meta(row)?;
    Ok((meta.crawled, meta.date, shard.inlinks(row)?))
}

/// The rows that other indexes replace.
pub fn replaced_rows(shards: &[Shard], members: &[Member]) -> Result<ReplacedRows, TableError> {
    let mut replaced = vec![Vec::new(); shards.len()];
    let mut next = BinaryHeap::new();
    if members.len() > 1 {
        for member in members {
            push_next(shards, member.shards.clone(), 0, &mut next)?;
        }
    }
    let mut same = Vec::new();
    while let Some(Reverse((id, page, end))) = next.pop() {
        same.push(page);
        push_next(shards, page.shard as usize..end, page.row + 1, &mut next)?;
        if next.peek().is_some_and(|other| other.0 .0 == id) {
            continue;
        }
        let best = best_of(shards, &same)?;
        for page in same.drain(..).filter(|&page| Some(page) != best) {
            replaced[page.shard as usize].push(page.row);
        }
    }
    Ok(replaced)
}

/// The ids that come next, each with its page and the end of the shards of its index.
type NextPages = BinaryHeap<Reverse<(u64, PageRef, usize)>>;

/// Adds the first page of these shards, from a row of the first one on.
fn push_next(
    shards: &[Shard],
    left: Range<usize>,
    mut row: u32,
    next: &mut NextPages,
) -> Result<(), TableError> {
    for shard in left.clone() {
        if (row as usize) < shards[shard].rows() {
            let id = shards[shard].id(row as usize)?;
            let shard = shard as u32;
            next.push(Reverse((id, PageRef { shard, row }, left.end)));
            return Ok(());
        }
        row = 0;
    }
    Ok(())
}
