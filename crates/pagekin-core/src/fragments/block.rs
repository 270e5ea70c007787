//! A partition's fragments of one run, as columns.
//!
//! `captures` and `texts` are the pages whose URL is in the partition; `links` are the
//! links, from whatever page, whose target is. Numbers of words and URLs are
//! the block's own.

use super::capture_list::CaptureList;
use super::layouts::LayoutColumns;
use super::links::LinkColumns;
use crate::columns::{
    check_length, impl_column, ArrayReader, CodecError, Column, Ragged, StringColumn,
};
use crate::spill::{PartLocation, SpillError, SpillWriter};

/// How a page without a date stands in a block.
pub const NO_DATE: u64 = 0;

/// What tells captures apart: it can be read without the rest of the block.
#[derive(Debug, Default)]
pub struct CaptureColumns {
    run: Vec<u32>,
    pub(crate) files: StringColumn,
    pub(crate) url_ids: Vec<u64>,
    /// Number of the page in its run.
    pub number: Vec<u32>,
    /// Number of its URL.
    pub url: Vec<u32>,
    /// Its URL: ids can be forged.
    pub(crate) page_urls: StringColumn,
    /// Number of its file.
    pub file: Vec<u32>,
    /// Offset in that file.
    pub offset: Vec<u64>,
    /// Date in seconds since 1970 plus 2^62, or [`NO_DATE`].
    pub date: Vec<u64>,
    /// Date of the earliest capture of its URL that is known, in the same way.
    pub(crate) since: Vec<u64>,
    /// Hash of the body.
    pub digest: Vec<u64>,
    /// What the variants of its URL share.
    pub(crate) variant_keys: VariantKeys,
    /// How far its URL is from the one that would name the page.
    pub(crate) form: Vec<u32>,
    pub(crate) named: NamedUrls,
    /// Number of the language of its text, or 0.
    pub language: Vec<u32>,
    /// Keys of the pagelets; no rows if templates are evidence.
    pub(crate) pagelets: Ragged<u64, u32>,
}

impl_column!(CaptureColumns {
    run,
    files,
    url_ids,
    number,
    url,
    page_urls,
    file,
    offset,
    date,
    since,
    digest,
    variant_keys,
    form,
    named,
    language,
    pagelets,
});

impl CaptureColumns {
    /// The captures of a block.
    pub fn read_part(part: &PartLocation) -> Result<Self, SpillError> {
        let mut captures = Self::default();
        captures.read_frame(&part.read_first()?)?;
        Ok(captures)
    }

    fn read_frame(&mut self, bytes: &[u8]) -> Result<(), CodecError> {
        let mut from = ArrayReader::new(bytes);
        self.read(&mut from)?;
        from.finish()?;
        check_length("runs of a block", 1, self.run.len())?;
        for length in [
            self.url.len(),
            self.page_urls.len(),
            self.file.len(),
            self.offset.len(),
            self.date.len(),
            self.since.len(),
            self.digest.len(),
            self.variant_keys.high.len(),
            self.variant_keys.low.len(),
            self.form.len(),
            self.language.len(),
        ] {
            check_length("captures of a block", self.number.len(), length)?;
        }
        self.named.check(self.number.len(), self.url_ids.len())?;
        if !self.pagelets.is_empty() {
            check_length(
                "pages with pagelets",
                self.number.len(),
                self.pagelets.len(),
            )?;
        }
        Ok(())
    }

    /// The run that the block is of.
    pub fn run(&self) -> u32 {
        self.run[0]
    }

    /// How many captures there are.
    pub fn len(&self) -> usize {
        self.number.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.number.is_empty()
    }

    /// The name of a page's file.
    pub fn file_of(&self, page: usize) -> &str {
        self.files.get(self.file[page] as usize)
    }

    /// The id of a page's URL.
    pub fn url_id_of(&self, page: usize) -> u64 {
        self.url_ids[self.url[page] as usize]
    }
}

/// Keys of variants, in halves.
#[derive(Debug, Default, Clone)]
pub(crate) struct VariantKeys {
    high: Vec<u64>,
    low: Vec<u64>,
}

impl_column!(VariantKeys { high, low });

impl VariantKeys {
    pub(super) fn push(&mut self, key: u128) {
        self.high.push((key >> 64) as u64);
        self.low.push(key as u64);
    }

    /// The key of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u128> + '_ {
        let halves = self.high.iter().zip(&self.low);
        halves.map(|(&high, &low)| u128::from(high) << 64 | u128::from(low))
    }
}

/// URLs that are named as the address of a page, which may not have been fetched.
#[derive(Debug, Default)]
pub(crate) struct NamedUrls {
    /// Number of the URL.
    pub url: Vec<u32>,
    /// What its variants share.
    pub variant_keys: VariantKeys,
    /// The capture that names it as its canonical URL, or [`REDIRECT`].
    pub by: Vec<u32>,
}

/// Takes the place of the capture that names a URL if the URL redirects to a variant of it.
pub(crate) const REDIRECT: u32 = u32::MAX;

impl_column!(NamedUrls {
    url,
    variant_keys,
    by,
});

impl NamedUrls {
    pub(super) fn push(&mut self, url: u32, variant_key: u128, by: u32) {
        self.url.push(url);
        self.variant_keys.push(variant_key);
        self.by.push(by);
    }

    fn check(&self, captures: usize, urls: usize) -> Result<(), CodecError> {
        for half in [&self.variant_keys.high, &self.variant_keys.low] {
            check_length("named URLs", self.url.len(), half.len())?;
        }
        check_length("namers of URLs", self.url.len(), self.by.len())?;
        let outside = |&&by: &&u32| by != REDIRECT && by as usize >= captures;
        if let Some(&by) = self.by.iter().find(outside) {
            return Err(CodecError::outside("captures", captures as u64, by.into()));
        }
        match self.url.iter().find(|&&url| url as usize >= urls) {
            Some(&url) => Err(CodecError::outside("URLs", urls as u64, url.into())),
            None => Ok(()),
        }
    }
}

/// The contents of the captures, row by row.
#[derive(Debug, Default)]
pub(crate) struct TextColumns {
    pub title: StringColumn,
    pub title_words: Ragged<u32, u32>,
    pub words: Ragged<u32, u32>,
    /// Each page as it is read.
    pub text: StringColumn,
    pub layouts: LayoutColumns,
    /// Where the pagelets begin whose keys the captures have.
    pub pagelets: Ragged<u32, u32>,
    /// The ids of the pages that each links to, in the order of its links.
    pub cited: Ragged<u64, u32>,
    /// The position of each of those links.
    pub cited_at: Ragged<u32, u32>,
}

impl_column!(TextColumns {
    title,
    title_words,
    words,
    text,
    layouts,
    pagelets,
    cited,
    cited_at,
});

/// A partition's fragments of one run.
#[derive(Debug, Default)]
pub struct FragmentBlock {
    /// The captures.
    pub captures: CaptureColumns,
    pub(crate) urls: StringColumn,
    /// The words of its pages, in the order of their numbers.
    pub(crate) words: StringColumn,
    /// The terms of those words, and then of words that only windows hold.
    pub(crate) terms: Vec<u64>,
    pub(crate) texts: TextColumns,
    pub(crate) links: LinkColumns,
    /// Other addresses of pages: the id of the page, and the URL. Only blocks of moved links have any.
    pub(crate) variant_of: Vec<u64>,
    pub(crate) variants: StringColumn,
    /// All captures of its URLs, pages or not.
    pub(crate) listed: CaptureList,
}

impl FragmentBlock {
    /// Empties the block and keeps its memory: touching a new page of memory costs more than
    /// writing to it.
    pub(crate) fn begin(&mut self, run: u32) {
        self.captures.clear();
        self.captures.run.push(run);
        self.urls.clear();
        self.words.clear();
        self.terms.clear();
        self.texts.clear();
        self.links.clear();
        self.variant_of.clear();
        self.variants.clear();
        self.listed.clear();
    }

    /// Writes the block as a part of three frames, the captures being the first.
    pub(crate) fn write(&self, out: &mut SpillWriter<'_>) -> std::io::Result<()> {
        out.put_frame(|bytes| self.captures.write(bytes));
        out.put_frame(|bytes| {
            self.urls.write(bytes);
            self.words.write(bytes);
            self.terms.write(bytes);
            self.texts.write(bytes);
            self.links.write(bytes);
            self.variant_of.write(bytes);
            self.variants.write(bytes);
        });
        out.put_frame(|bytes| self.listed.write(bytes));
        out.end_part()
    }

    /// Becomes the block that was written, and keeps its memory.
    pub fn read_part(&mut self, part: &PartLocation) -> Result<(), SpillError> {
        let frames = part.read_frames()?;
        let mut frames = frames.iter();
        self.captures
            .read_frame(frames.next().unwrap_or_default())?;
        let mut from = ArrayReader::new(frames.next().unwrap_or_default());
        self.urls.read(&mut from)?;
        self.words.read(&mut from)?;
        self.terms.read(&mut from)?;
        self.texts.read(&mut from)?;
        self.links.read(&mut from)?;
        self.variant_of.read(&mut from)?;
        self.variants.read(&mut from)?;
        from.finish()?;
        let mut from = ArrayReader::new(frames.next().unwrap_or_default());
        self.listed.read(&mut from)?;
        from.finish()?;
        self.listed.check()?;
        check_length("variants", self.variant_of.len(), self.variants.len())?;
        self.links.find_starts()?;
        let texts = &self.texts;
        for rows in [
            texts.title.len(),
            texts.title_words.len(),
            texts.words.len(),
            texts.text.len(),
            texts.cited.len(),
            texts.cited_at.len(),
        ] {
            check_length("texts of a block", self.captures.len(), rows)?;
        }
        texts.layouts.check(self.captures.len())?;
        let (keys, starts) = (&self.captures.pagelets, &texts.pagelets);
        check_length(
            "pagelets of pages",
            keys.values().len(),
            starts.values().len(),
        )?;
        check_length("pages with pagelets", keys.len(), starts.len())?;
        for (page, starts) in starts.iter().enumerate() {
            let words = texts.words.row(page).len();
            let ends = starts.iter().map(|&start| start as usize).chain([words]);
            if !ends.is_sorted() || starts.len() != keys.row(page).len() {
                return Err(CodecError::outside("pagelets of pages in order", 1, 0).into());
            }
        }
        Ok(())
    }

    /// Estimated number of entries that this block adds to bags, rarely exceeded. Words that windows
    /// share count once but go to several bags; words that go to a bag twice are one entry.
    pub(crate) fn likely_entries(&self) -> usize {
        let texts = &self.texts;
        texts.words.values().len() + texts.title_words.values().len() + self.links.windows.len()
    }
}
