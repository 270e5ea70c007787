//! One shard: the tables of the pages whose ids begin alike, row by row.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use arrow_array::types::{TimestampSecondType, UInt32Type, UInt64Type, UInt8Type};

use super::files::table::MappedTable;
use super::files::verified::{TableError, Unverified, VerifiedFile};
use super::postings::{Segment, UnverifiedPostings};
use super::stored_bags::StoredBags;
use super::texts::{PageText, TextTable};

/// The tables of a shard. Rows of `pages` and `bags` are of the same page.
#[derive(Debug)]
pub struct Shard {
    pages: MappedTable,
    /// The same table, of which only that column is read.
    crawled: MappedTable,
    bags: StoredBags,
    inverse: MappedTable,
    links: MappedTable,
    texts: TextTable,
    /// Inverted lists of the bags; only a small index has them.
    holders: Option<MappedTable>,
    /// The rows of each segment, read when a search first asks for them.
    segments: OnceLock<[Vec<u32>; 2]>,
}

/// The columns of `pages` that are read.
pub const PAGE_COLUMNS: [&str; 9] = [
    "url", "site", "title", "crawled", "inlinks", "date", "length", "language", "digest",
];

/// What is shown of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageMeta<'a> {
    /// Its canonical URL.
    pub url: &'a str,
    /// Its site.
    pub site: &'a str,
    /// Its title, if it was fetched.
    pub title: Option<&'a str>,
    /// Whether it was fetched.
    pub crawled: bool,
    /// The code of the language of its text, if it is known.
    pub language: Option<&'a str>,
    /// When it was fetched, in seconds since 1970, if that is known.
    pub date: Option<i64>,
}

/// The words around a link, by their places in the page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkWindow {
    /// The first word of the window.
    pub start: u32,
    /// The first word of the anchor.
    pub anchor_start: u32,
    /// The word after the anchor.
    pub anchor_end: u32,
    /// The word after the window.
    pub end: u32,
}

/// The links to a page, in order of the linking pages.
pub struct PageInlinks<'a> {
    shard: &'a Shard,
    /// The first link of each part, and the linking pages.
    parts: Vec<(usize, &'a [u64])>,
}

impl PageInlinks<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.parts.iter().map(|part| part.1.len()).sum()
    }

    /// The links and the linking pages.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let parts = self.parts.iter();
        parts.flat_map(|&(first, sources)| (first..).zip(sources.iter().copied()))
    }

    /// The links of a page.
    pub fn of_source(&self, source: u64) -> impl Iterator<Item = usize> + '_ {
        let parts = self.parts.iter();
        let parts = parts.skip_while(move |part| part.1.last() < Some(&source));
        let links = parts.flat_map(move |&(first, sources)| {
            let at = sources.partition_point(|&page| page < source);
            (first + at..).zip(sources[at..].iter().copied())
        });
        links
            .take_while(move |&(_, page)| page == source)
            .map(|(link, _)| link)
    }

    /// Whether a link is in a template.
    pub fn is_template(&self, link: usize) -> Result<bool, TableError> {
        let (batch, at) = self.shard.links.find(link)?;
        Ok(batch.numbers::<UInt8Type>(6)?.value(at)? != 0)
    }

    /// Where a link's words are.
    pub fn window(&self, link: usize) -> Result<LinkWindow, TableError> {
        self.shard.window(link)
    }
}

/// Inverted sketches: the rows in order of their value at one position.
#[derive(Debug, Clone, Copy)]
pub struct SketchPosition<'a> {
    /// The values, ascending.
    pub values: Unverified<'a, u32>,
    /// The row of each value.
    pub rows: Unverified<'a, u32>,
}

impl Shard {
    /// The tables of a shard. All but `holders` must be there.
    pub const TABLES: [&'static str; 7] = [
        "pages", "bags", "terms", "inverse", "links", "texts", "holders",
    ];

    /// Opens the tables of a shard, which are in these files.
    pub fn open(files: &HashMap<&str, Arc<VerifiedFile>>) -> Result<Self, TableError> {
        let optional = |name: &str, columns: &[&str]| {
            let file = files.get(name).cloned();
            file.map(|file| MappedTable::open(file, columns))
                .transpose()
        };
        let missing = |name: &str| TableError {
            file: name.to_owned(),
            what: "the table is missing".to_owned(),
        };
        let required =
            |name: &str, columns: &[&str]| optional(name, columns)?.ok_or_else(|| missing(name));
        let link_columns = [
            "target", "source", "from", "first", "last", "to", "template",
        ];
        Ok(Self {
            pages: required("pages", &PAGE_COLUMNS)?,
            crawled: required("pages", &["crawled"])?,
            bags: StoredBags::open(files)?,
            inverse: required("inverse", &["value", "row"])?,
            links: required("links", &link_columns)?,
            texts: TextTable::open(
                files
                    .get("texts")
                    .cloned()
                    .ok_or_else(|| missing("texts"))?,
            )?,
            holders: optional("holders", &["term", "crawled", "uncrawled"])?,
            segments: OnceLock::new(),
        })
    }

    /// How many pages it has.
    pub fn rows(&self) -> usize {
        self.bags.rows()
    }

    /// The row of a page.
    pub fn row_of(&self, id: u64) -> Result<Option<usize>, TableError> {
        self.bags.row_of(id)
    }

    /// The id of the page in a row.
    pub fn id(&self, row: usize) -> Result<u64, TableError> {
        self.bags.id(row)
    }

    /// The bags, in the same rows.
    pub fn bags(&self) -> &StoredBags {
        &self.bags
    }

    /// Whether it has inverted lists of its bags.
    pub fn has_postings(&self) -> bool {
        self.holders.is_some()
    }

    /// The rows of a segment, ascending: its pages by their places.
    pub fn segment_rows(&self, segment: Segment) -> Result<&[u32], TableError> {
        let segments = match self.segments.get() {
            Some(segments) => segments,
            None => {
                let segments = self.read_segments()?;
                self.segments.get_or_init(|| segments)
            }
        };
        Ok(&segments[segment as usize])
    }

    fn read_segments(&self) -> Result<[Vec<u32>; 2], TableError> {
        let mut segments = [Vec::new(), Vec::new()];
        let mut row = 0;
        while (row as usize) < self.crawled.rows() {
            let (batch, _) = self.crawled.find(row as usize)?;
            for crawled in batch.flags(0)?.iter() {
                segments[Segment::of(crawled) as usize].push(row);
                row += 1;
            }
        }
        Ok(segments)
    }

    /// Calls `visit` for each of some terms, which ascend, that pages of a segment hold: with the
    /// number of the term and its postings. There are none without the table.
    pub fn find_postings<'a>(
        &'a self,
        segments: &[Segment],
        terms: &[u64],
        mut visit: impl FnMut(usize, Segment, UnverifiedPostings<'a>),
    ) -> Result<(), TableError> {
        let Some(table) = &self.holders else {
            return Ok(());
        };
        table.find_keys(terms, |_, batch, found| {
            for &segment in segments {
                let pages = self.segment_rows(segment)?.len();
                let packed = batch.bytes(1 + segment as usize)?;
                for &(number, at) in found {
                    let postings = UnverifiedPostings::new(packed.row(at)?, pages)?;
                    if !postings.is_empty() {
                        visit(number, segment, postings);
                    }
                }
            }
            Ok(())
        })
    }

    /// The text of the page in a row, if it was fetched.
    pub fn text(&self, row: usize) -> Result<Option<PageText>, TableError> {
        self.texts.get(row, || {
            let rows = 0..self.rows();
            rows.map(|row| Ok(self.page_meta(row)?.crawled)).collect()
        })
    }

    /// A hash of the words of the page in a row.
    pub fn digest(&self, row: usize) -> Result<u64, TableError> {
        self.pages.number::<UInt64Type>(row, 8)
    }

    /// The inverted sketches of a position.
    pub fn sketch_position(&self, position: usize) -> Result<SketchPosition<'_>, TableError> {
        let batch = self.inverse.batch(position)?;
        Ok(SketchPosition {
            values: batch.numbers::<UInt32Type>(0)?,
            rows: batch.numbers::<UInt32Type>(1)?,
        })
    }

    /// What is shown of the page in a row.
    pub fn page_meta(&self, row: usize) -> Result<PageMeta<'_>, TableError> {
        let (batch, at) = self.pages.find(row)?;
        Ok(PageMeta {
            url: batch.text::<i32>(0, at)?.unwrap_or_default(),
            site: batch.text::<i32>(1, at)?.unwrap_or_default(),
            title: batch.text::<i32>(2, at)?,
            crawled: batch.flag(3, at)?,
            language: batch.text::<i32>(7, at)?,
            date: batch.known::<TimestampSecondType>(5, at)?,
        })
    }

    /// How many pages link to the page in a row.
    pub fn inlinks(&self, row: usize) -> Result<u32, TableError> {
        self.pages.number::<UInt32Type>(row, 4)
    }

    /// Whether the page in a row was fetched.
    pub fn is_crawled(&self, row: usize) -> Result<bool, TableError> {
        let (batch, at) = self.crawled.find(row)?;
        Ok(batch.flags(0)?.value(at))
    }

    /// When the page in a row was fetched, in seconds since 1970, if that is known.
    pub fn date(&self, row: usize) -> Result<Option<i64>, TableError> {
        let (batch, at) = self.pages.find(row)?;
        batch.known::<TimestampSecondType>(5, at)
    }

    /// How many words the page in a row has.
    pub fn length(&self, row: usize) -> Result<u32, TableError> {
        self.pages.number::<UInt32Type>(row, 6)
    }

    /// The links to a page.
    pub fn links_to(&self, target: u64) -> Result<PageInlinks<'_>, TableError> {
        let links = &self.links;
        let number = |row| links.number::<UInt64Type>(row, 0);
        let mut next = links.partition_point(|row| Ok(number(row)? < target))?;
        let end = links.partition_point(|row| Ok(number(row)? <= target))?;
        let mut parts = Vec::new();
        while next < end {
            let (batch, at) = links.find(next)?;
            let last = batch.rows().min(at + end - next);
            let sources = batch.numbers::<UInt64Type>(1)?.slice(at..last)?.verify()?;
            parts.push((next, sources));
            next += sources.len();
        }
        Ok(PageInlinks { shard: self, parts })
    }

    /// Where a link's words are.
    fn window(&self, link: usize) -> Result<LinkWindow, TableError> {
        let (batch, at) = self.links.find(link)?;
        let place = |column| batch.numbers::<UInt32Type>(column)?.value(at);
        Ok(LinkWindow {
            start: place(2)?,
            anchor_start: place(3)?,
            anchor_end: place(4)?,
            end: place(5)?,
        })
    }
}
