//! The page parser: captures to a block of pages.

use xxhash_rust::xxh3::xxh3_64;

use super::block::{PageBlock, PageRow};
use super::builder::{HeldOut, HoldOut, PageBuilder, StoredPage};
use super::declaration::declared_language;
use super::stream::{self, StreamOutcome};
use super::{charset, tree};
use crate::crawl::{MediaType, Skip};
use crate::text::Language;
use crate::url;

/// How a page was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseOutcome {
    /// In one pass.
    OnePass,
    /// Through the tree.
    Tree,
    /// In one pass although its tree matters: the tree is too deep or too large.
    TooDeep,
}

/// The bytes of a page, and what they mean.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its URL, in any form.
    pub url: &'a str,
    /// The URL of the folder whose file it is: there, `index.html` is its folder in links too.
    pub folder: Option<&'a str>,
    /// Which reader it needs.
    pub media: MediaType,
    /// The character encoding that the server sent.
    pub charset: Option<&'a str>,
    /// The language that the server sent.
    pub language: Option<&'a str>,
    /// The bytes.
    pub body: &'a [u8],
}

/// Where a page comes from.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// Number of the file.
    pub file: u32,
    /// Offset of the record.
    pub offset: u64,
    /// Date in seconds since 1970.
    pub date: Option<i64>,
}

/// Parses pages into a block.
#[derive(Debug, Default)]
pub struct PageParser {
    builder: PageBuilder,
}

impl PageParser {
    /// A parser that holds evidence out of the pages.
    pub fn holding_out(kind: Option<HoldOut>) -> Self {
        let builder = PageBuilder::holding_out(kind);
        Self { builder }
    }

    /// Takes the evidence that was left out so far.
    pub fn take_held_out(&mut self) -> HeldOut {
        self.builder.take_held_out()
    }

    /// Adds a page, or gives the reason for skipping it.
    pub fn add(&mut self, document: Document<'_>, origin: Origin) -> Result<ParseOutcome, Skip> {
        let url = url::canonical(document.url).ok_or(Skip::BadUrl)?;
        let (reading, declared) = match document.media {
            MediaType::Html => {
                let domain = charset::domain(&url);
                let html = charset::decode(document.body, document.charset, domain);
                (self.read_html(&html), declared_language(&html))
            }
        };
        let sent = || document.language.and_then(Language::named);
        self.builder.finish(
            &url,
            document.folder,
            declared.or_else(sent),
            PageRow {
                file: origin.file,
                offset: origin.offset,
                date: origin.date,
                since: origin.date,
                digest: xxh3_64(document.body),
                ..PageRow::default()
            },
        );
        Ok(reading)
    }

    /// Adds a page of an index. After an error, which says what is wrong with it, the block is not
    /// valid.
    pub fn add_stored(&mut self, page: &StoredPage<'_>) -> Result<(), &'static str> {
        self.builder.add_stored(page)
    }

    /// Notes a URL that redirects to a variant of itself.
    pub fn add_stored_redirect(&mut self, url: &str) {
        let block = &mut self.builder.block;
        block.redirects.push(block.urls.intern(url.as_bytes()));
    }

    /// Notes a redirect. Only one to a variant of the same address says that the two are one page.
    pub fn add_redirect(&mut self, from: &str, location: &str) {
        let Some(from) = url::canonical(from) else {
            return;
        };
        let resolver = url::Resolver::new(&from, None);
        let to = resolver.and_then(|resolver| resolver.resolve(location));
        if to.is_some_and(|to| to != from && url::are_variants(&to, &from)) {
            let block = &mut self.builder.block;
            block.redirects.push(block.urls.intern(from.as_bytes()));
        }
    }

    /// The pages so far.
    pub fn block(&self) -> &PageBlock {
        &self.builder.block
    }

    /// Links left out so far because their page has too many, or too long ones.
    pub fn links_left_out(&self) -> u64 {
        self.builder.links_left_out
    }

    /// Pages cut so far because they have too many distinct words.
    pub fn pages_cut(&self) -> u64 {
        self.builder.pages_cut
    }

    /// Roughly the memory that the pages, their windows and their terms by language take.
    pub fn bytes_held(&self) -> usize {
        const WINDOW: usize = 256;
        const TERM: usize = 16;
        let block = self.block();
        let others = block.languages.len().saturating_sub(1);
        block.bytes_held()
            + block.anchors.values().len() * WINDOW
            + block.vocabulary.len() * others * TERM
    }

    /// Drops the pages and keeps the memory.
    pub fn clear(&mut self) {
        self.builder.block.clear();
    }

    fn read_html(&mut self, html: &str) -> ParseOutcome {
        let builder = &mut self.builder;
        if stream::read(html, builder, false) == StreamOutcome::Complete {
            return ParseOutcome::OnePass;
        }
        builder.abandon();
        if tree::read(html, builder) {
            return ParseOutcome::Tree;
        }
        builder.abandon();
        stream::read(html, builder, true);
        ParseOutcome::TooDeep
    }
}
