//! One partition's share of a run.
//!
//! `pages` are the captures whose URL is in the partition; `links` are the
//! links, from whatever page, whose target is. Numbers of words and URLs are
//! the segment's own.

use super::bytes::{Damage, Pack, Unpack};
use super::links::SegmentLinks;
use super::strings::Strings;

/// How a page without a date stands in a segment.
pub const NO_DATE: u64 = 0;

/// Captures of a segment, as columns.
#[derive(Debug, Default)]
pub struct SegmentPages {
    /// Number of the page in its run.
    pub number: Vec<u32>,
    /// Number of its URL.
    pub url: Vec<u32>,
    /// Number of its file.
    pub file: Vec<u32>,
    /// Offset in that file.
    pub offset: Vec<u64>,
    /// Date in seconds since 1970 plus 2^62, or [`NO_DATE`].
    pub date: Vec<u64>,
    /// Hash of the body.
    pub digest: Vec<u64>,
    pub(crate) title: Strings,
    pub(crate) title_word_ends: Vec<u32>,
    pub(crate) title_words: Vec<u32>,
    pub(crate) word_ends: Vec<u32>,
    pub(crate) words: Vec<u32>,
    pub(crate) cited_ends: Vec<u32>,
    /// The ids of the pages that each links to, in the order of its first links to them.
    pub(crate) cited: Vec<u64>,
}

impl SegmentPages {
    fn clear(&mut self) {
        self.number.clear();
        self.url.clear();
        self.file.clear();
        self.offset.clear();
        self.date.clear();
        self.digest.clear();
        self.title.clear();
        self.title_word_ends.clear();
        self.title_words.clear();
        self.word_ends.clear();
        self.words.clear();
        self.cited_ends.clear();
        self.cited.clear();
    }

    /// The words of a page's body.
    pub(crate) fn words_of(&self, page: usize) -> &[u32] {
        slice(&self.words, &self.word_ends, page)
    }

    /// The words of a page's title.
    pub(crate) fn title_words_of(&self, page: usize) -> &[u32] {
        slice(&self.title_words, &self.title_word_ends, page)
    }

    /// The first pages that a page links to.
    pub(crate) fn cited_by(&self, page: usize) -> &[u64] {
        slice(&self.cited, &self.cited_ends, page)
    }
}

fn slice<'a, T>(items: &'a [T], ends: &[u32], at: usize) -> &'a [T] {
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    &items[start..ends[at] as usize]
}

/// A segment.
#[derive(Debug, Default)]
pub struct Segment {
    /// The run it is of.
    pub run: u32,
    pub(crate) files: Strings,
    /// The words of its pages, in the order of their numbers.
    pub(crate) words: Strings,
    /// The terms of those words, and then of words that only windows hold.
    pub(crate) terms: Vec<u64>,
    pub(crate) urls: Strings,
    pub(crate) url_ids: Vec<u64>,
    /// The captures.
    pub pages: SegmentPages,
    pub(crate) links: SegmentLinks,
}

impl Segment {
    /// Begins anew and keeps the memory: a page that is touched for the first time costs
    /// more than what is written to it.
    pub(super) fn begin(&mut self, run: u32) {
        self.run = run;
        self.files.clear();
        self.words.clear();
        self.terms.clear();
        self.urls.clear();
        self.url_ids.clear();
        self.pages.clear();
        self.links.clear();
    }

    /// Appends the segment as bytes. What tells captures apart comes first, with its
    /// length before it (u64), so that it can be read without the rest.
    pub fn pack(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&[0; 8]);
        out.put_u32s(&[self.run]);
        self.files.pack(out);
        out.put_u64s(&self.url_ids);
        let pages = &self.pages;
        out.put_u32s(&pages.number);
        out.put_u32s(&pages.url);
        out.put_u32s(&pages.file);
        out.put_u64s(&pages.offset);
        out.put_u64s(&pages.date);
        out.put_u64s(&pages.digest);
        let captures = (out.len() - start - 8) as u64;
        out[start..start + 8].copy_from_slice(&captures.to_le_bytes());
        self.urls.pack(out);
        self.words.pack(out);
        out.put_u64s(&self.terms);
        pages.title.pack(out);
        out.put_u32s(&pages.title_word_ends);
        out.put_u32s(&pages.title_words);
        out.put_u32s(&pages.word_ends);
        out.put_small(&pages.words);
        out.put_u32s(&pages.cited_ends);
        out.put_u64s(&pages.cited);
        let links = &self.links;
        out.put_u32s(&links.target);
        out.put_u64s(&links.source);
        out.put_u32s(&links.page);
        out.put_small(&links.places);
        out.put_small(&links.counts);
        out.put_small(&links.windows);
        out.put_small(&links.back);
    }

    /// What tells captures apart, from the bytes after its length.
    pub fn unpack_captures(bytes: &[u8]) -> Result<Self, Damage> {
        let mut segment = Self::default();
        segment.refill_captures(&mut Unpack::new(bytes))?;
        Ok(segment)
    }

    /// Becomes the segment that was packed, and keeps its memory.
    pub fn refill(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let from = &mut Unpack::new(bytes.get(8..).ok_or(Damage { at: 0 })?);
        self.refill_captures(from)?;
        self.urls.refill(from)?;
        self.words.refill(from)?;
        from.u64s_to(&mut self.terms)?;
        let pages = &mut self.pages;
        pages.title.refill(from)?;
        from.u32s_to(&mut pages.title_word_ends)?;
        from.u32s_to(&mut pages.title_words)?;
        from.u32s_to(&mut pages.word_ends)?;
        from.small_to(&mut pages.words)?;
        from.u32s_to(&mut pages.cited_ends)?;
        from.u64s_to(&mut pages.cited)?;
        let links = &mut self.links;
        from.u32s_to(&mut links.target)?;
        from.u64s_to(&mut links.source)?;
        from.u32s_to(&mut links.page)?;
        from.small_to(&mut links.places)?;
        from.small_to(&mut links.counts)?;
        from.small_to(&mut links.windows)?;
        from.small_to(&mut links.back)?;
        links.find_starts().ok_or(Damage { at: bytes.len() })
    }

    fn refill_captures(&mut self, from: &mut Unpack<'_>) -> Result<(), Damage> {
        self.run = from.u32s()?.first().copied().ok_or(Damage { at: 0 })?;
        self.files.refill(from)?;
        from.u64s_to(&mut self.url_ids)?;
        let pages = &mut self.pages;
        from.u32s_to(&mut pages.number)?;
        from.u32s_to(&mut pages.url)?;
        from.u32s_to(&mut pages.file)?;
        from.u64s_to(&mut pages.offset)?;
        from.u64s_to(&mut pages.date)?;
        from.u64s_to(&mut pages.digest)
    }

    /// About how many entries the bags have by this segment, as a rule no more: what windows share
    /// counts once and comes to several bags, and what comes to a bag twice is one entry.
    pub(crate) fn likely_entries(&self) -> usize {
        let pages = &self.pages;
        pages.words.len() + pages.title_words.len() + self.links.windows.len()
    }

    /// The name of a page's file.
    pub fn file_of(&self, page: usize) -> &str {
        self.files.get(self.pages.file[page] as usize)
    }

    /// The id of a page's URL.
    pub fn url_id_of(&self, page: usize) -> u64 {
        self.url_ids[self.pages.url[page] as usize]
    }
}
