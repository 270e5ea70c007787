//! The page parser: captures to a block of pages.

use xxhash_rust::xxh3::xxh3_64;

use super::block::{PageBlock, PageRow};
use super::builder::PageBuilder;
use super::stream::{self, StreamOutcome};
use super::{encoding, tree};
use crate::url;

/// How a page was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As a stream of tokens.
    Tokens,
    /// Through the tree.
    Tree,
    /// As a stream of tokens although its tree matters: the tree is too deep or too large.
    TooDeep,
}

/// What is known of a page besides its bytes.
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
    /// Adds a page. `None` if its URL is not one of a web page.
    pub fn add(
        &mut self,
        url: &str,
        body: &[u8],
        charset: Option<&str>,
        origin: Origin,
    ) -> Option<Reading> {
        let url = url::canonical(url)?;
        let html = encoding::decode(body, charset, encoding::domain(&url));
        let reading = self.read(&html);
        self.builder.finish(
            &url,
            PageRow {
                file: origin.file,
                offset: origin.offset,
                date: origin.date,
                digest: xxh3_64(body),
                ..PageRow::default()
            },
        );
        Some(reading)
    }

    /// The pages so far.
    pub fn block(&self) -> &PageBlock {
        &self.builder.block
    }

    /// Links left out so far because their page has too many.
    pub fn links_left_out(&self) -> u64 {
        self.builder.links_left_out
    }

    /// Roughly the memory that the pages and their windows take.
    pub fn bytes_held(&self) -> usize {
        const WINDOW: usize = 256;
        self.block().bytes_held() + self.block().anchors.values().len() * WINDOW
    }

    /// Drops the pages and keeps the memory.
    pub fn clear(&mut self) {
        self.builder.block.clear();
    }

    fn read(&mut self, html: &str) -> Reading {
        let builder = &mut self.builder;
        if stream::read(html, builder, false) == StreamOutcome::Complete {
            return Reading::Tokens;
        }
        builder.abandon();
        if tree::read(html, builder) {
            return Reading::Tree;
        }
        builder.abandon();
        stream::read(html, builder, true);
        Reading::TooDeep
    }
}
