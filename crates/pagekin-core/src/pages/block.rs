//! A block of pages in columns.

use crate::columns::{Column, Ragged};
use crate::text::{Language, StringInterner, WordInterner};

/// Kinds of breaks, as bits: several may fall on one place.
pub mod breaks {
    /// Start or end of a paragraph or another block.
    pub const PARAGRAPH: u8 = 1;
    /// Start or end of a table cell.
    pub const CELL: u8 = 2;
    /// Start or end of a list item.
    pub const LIST_ITEM: u8 = 4;
    /// The words that follow are navigation: landmarks, links to the previous and the next page.
    pub const NAVIGATION: u8 = 8;
    /// A hard break right after the end of a sentence.
    pub const SENTENCE_BREAK: u8 = 16;
    /// Start of a heading.
    pub const HEADING: u8 = 32;
    /// End of a list.
    pub const LIST_END: u8 = 64;
    /// End of a table.
    pub const TABLE_END: u8 = 128;
}

/// A link of a page: the words `first..last` lead to `target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// Position of the first word.
    pub first: u32,
    /// Position after the last word.
    pub last: u32,
    /// Number of the target's URL among the block's URLs.
    pub target: u32,
}

/// A break before the word at `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Position of the word that follows.
    pub position: u32,
    /// Kinds, from [`breaks`].
    pub kinds: u8,
}

/// Takes the place of a URL's number if there is no URL.
pub(crate) const NO_URL: u32 = u32::MAX;

/// A page's fixed-size part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageRow {
    pub url: u32,
    pub file: u32,
    pub offset: u64,
    pub date: Option<i64>,
    /// Date of the earliest capture of its URL that is known.
    pub since: Option<i64>,
    pub digest: u64,
    /// The number of the URL that it names as its canonical one, or [`NO_URL`].
    pub canonical: u32,
    pub language: Option<Language>,
}

impl Default for PageRow {
    fn default() -> Self {
        Self {
            url: 0,
            file: 0,
            offset: 0,
            date: None,
            since: None,
            digest: 0,
            canonical: NO_URL,
            language: None,
        }
    }
}

/// A block of pages: columns of words (numbers into `vocabulary`), anchors
/// (numbers into `urls`) and breaks.
#[derive(Debug, Default)]
pub struct PageBlock {
    /// Every distinct word.
    pub vocabulary: WordInterner,
    /// Every distinct URL, of pages and of targets.
    pub urls: StringInterner,
    pub(crate) rows: Vec<PageRow>,
    /// URLs that redirect to a variant of theirs.
    pub(crate) redirects: Vec<u32>,
    /// The languages of its pages.
    pub(crate) languages: Vec<Option<Language>>,
    pub(crate) titles: Ragged<u8, u32>,
    pub(crate) title_words: Ragged<u32, u32>,
    pub(crate) words: Ragged<u32, u32>,
    /// Each page as it is read; no rows where only words are needed.
    pub(crate) texts: Ragged<u8, u32>,
    pub(crate) anchors: Ragged<Anchor, u32>,
    pub(crate) breaks: Ragged<Break, u32>,
}

/// One page of a block.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'a> {
    /// Number of the page's URL.
    pub url: u32,
    /// Number of the file it came from.
    pub file: u32,
    /// Offset of its record in that file.
    pub offset: u64,
    /// Date of the capture, in seconds since 1970.
    pub date: Option<i64>,
    /// Date of the earliest capture of its URL that is known.
    pub since: Option<i64>,
    /// Hash of the body.
    pub digest: u64,
    /// Number of the URL that it names as its canonical one.
    pub canonical: Option<u32>,
    /// The language of its text, if it was recognised.
    pub language: Option<Language>,
    /// The title as written.
    pub title: &'a str,
    /// The title's words.
    pub title_words: &'a [u32],
    /// The words of the body.
    pub words: &'a [u32],
    /// The body as it is read: its words stand in it, in order.
    pub text: &'a str,
    /// The links, in order of their first word.
    pub anchors: &'a [Anchor],
    /// The breaks, in order.
    pub breaks: &'a [Break],
}

impl PageView<'_> {
    /// Where its pagelets begin, and whether each leads to other pages. Each has a word.
    pub(crate) fn pagelets(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        let length = self.words.len();
        let first = self.breaks.first().filter(|at| at.position == 0);
        let first = (length > 0).then(|| (0, first.is_some_and(Break::is_navigation)));
        let breaks = self.breaks.iter();
        let breaks = breaks.map(|at| (at.position as usize, at.is_navigation()));
        first
            .into_iter()
            .chain(breaks.filter(move |at| (1..length).contains(&at.0)))
    }

    /// The words that are not navigation, or all if there are no others.
    pub fn content(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let length = self.words.len();
        let all = self.pagelets().all(|(_, is_navigation)| is_navigation);
        let ends = self.pagelets().skip(1).map(|(start, _)| start);
        let ranges = self.pagelets().zip(ends.chain([length]));
        let own = ranges.filter(move |((_, is_navigation), _)| all || !is_navigation);
        own.map(|((start, _), end)| start..end)
    }
}

impl Break {
    fn is_navigation(&self) -> bool {
        self.kinds & breaks::NAVIGATION != 0
    }
}

impl PageBlock {
    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.redirects.is_empty()
    }

    /// The page with this index.
    pub fn page(&self, index: usize) -> PageView<'_> {
        let row = &self.rows[index];
        PageView {
            url: row.url,
            file: row.file,
            offset: row.offset,
            date: row.date,
            since: row.since,
            digest: row.digest,
            canonical: Some(row.canonical).filter(|&url| url != NO_URL),
            language: row.language,
            title: std::str::from_utf8(self.titles.row(index)).unwrap_or_default(),
            title_words: self.title_words.row(index),
            words: self.words.row(index),
            text: match self.texts.is_empty() {
                true => "",
                false => std::str::from_utf8(self.texts.row(index)).unwrap_or_default(),
            },
            anchors: self.anchors.row(index),
            breaks: self.breaks.row(index),
        }
    }

    /// Roughly its size in memory.
    pub fn bytes_held(&self) -> usize {
        self.vocabulary.bytes_held()
            + self.urls.bytes_held()
            + self.titles.values().len()
            + size_of_val(self.redirects.as_slice())
            + self.rows.len() * size_of::<PageRow>()
            + size_of_val(self.title_words.values())
            + size_of_val(self.words.values())
            + self.texts.values().len()
            + size_of_val(self.anchors.values())
            + size_of_val(self.breaks.values())
    }

    /// Drops all pages and keeps the memory.
    pub fn clear(&mut self) {
        self.languages.clear();
        self.vocabulary.clear();
        self.urls.clear();
        self.rows.clear();
        self.redirects.clear();
        self.titles.clear();
        self.title_words.clear();
        self.words.clear();
        self.texts.clear();
        self.anchors.clear();
        self.breaks.clear();
    }
}
