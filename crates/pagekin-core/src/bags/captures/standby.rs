//! Captures and redirects that an index keeps beside its pages: captures of other addresses of
//! pages, captures whose URL has the id of another, and redirects. They count once a page is removed
//! or changes.
//!
//! Only the latest capture of each URL is kept, as a build does.

use std::collections::BTreeMap;

use crate::bags::captures::latest::{place, since, CaptureRef, SupersededCaptures};
use crate::bags::merge::UrlRow;
use crate::fragments::{FragmentBlock, REDIRECT};
use crate::sorting::Ranks;

/// A block and a row of it.
pub(in crate::bags) type BlockRow = (u32, u32);

/// The captures and redirects of a partition that are kept beside its pages.
#[derive(Debug, Default)]
pub(crate) struct Standby {
    /// Captures, by the id of their URL and then the URL.
    pub(in crate::bags) captures: Vec<BlockRow>,
    /// URLs that redirect to a variant of themselves, in the same order: block and number.
    pub(in crate::bags) redirects: Vec<BlockRow>,
    /// The earliest known date of a capture's URL, where another capture has it.
    earliest: BTreeMap<BlockRow, u64>,
}

impl Standby {
    /// Finds what to keep of captures that do not count, besides the pages in `rows`.
    pub(in crate::bags) fn find(
        blocks: &[FragmentBlock],
        urls: &Ranks,
        rows: &[UrlRow],
        superseded: &SupersededCaptures,
    ) -> Self {
        let mut standby = Self::default();
        standby.find_redirects(blocks);
        if superseded.count() > 0 {
            standby.find_captures(blocks, urls, rows, superseded);
        }
        standby
    }

    /// The earliest known date of a capture's URL, in the form of a block's dates.
    pub(in crate::bags) fn since(&self, blocks: &[FragmentBlock], capture: BlockRow) -> u64 {
        let own = || blocks[capture.0 as usize].captures.since[capture.1 as usize];
        self.earliest.get(&capture).copied().unwrap_or_else(own)
    }

    fn find_captures(
        &mut self,
        blocks: &[FragmentBlock],
        urls: &Ranks,
        rows: &[UrlRow],
        superseded: &SupersededCaptures,
    ) {
        let capture =
            |at: BlockRow| -> CaptureRef<'_> { (&blocks[at.0 as usize].captures, at.1 as usize) };
        let url = |at: BlockRow| {
            let (block, page) = capture(at);
            (block.url_id_of(page), block.page_urls.bytes_of(page))
        };
        let mut others: Vec<BlockRow> = Vec::new();
        for (number, block) in (0..).zip(blocks) {
            let (run, pages) = (block.captures.run(), &block.captures.number);
            let idle = (0..).zip(pages);
            let idle = idle.filter(|&(_, &page)| superseded.contains(run, page));
            others.extend(idle.map(|(row, _)| (number, row)));
        }
        others.sort_unstable_by(|&one, &other| {
            let by_url = url(one).cmp(&url(other));
            by_url.then_with(|| place(&capture(one)).cmp(&place(&capture(other))))
        });
        for same in others.chunk_by(|&one, &other| url(one) == url(other)) {
            let page = urls.find(url(same[0]).0);
            let page = page.and_then(|row| rows[row as usize].page);
            let page = page.filter(|&page| url(page) == url(same[0]));
            let kept = page.unwrap_or(same[0]);
            let all = same.iter().copied().chain([kept]);
            let earliest = all.map(|at| since(&capture(at))).min();
            if let Some(earliest) = earliest.filter(|&date| date < since(&capture(kept))) {
                self.earliest.insert(kept, earliest);
            }
            if page.is_none() {
                self.captures.push(kept);
            }
        }
    }

    fn find_redirects(&mut self, blocks: &[FragmentBlock]) {
        let url = |&(block, number): &BlockRow| {
            let block = &blocks[block as usize];
            let id = block.captures.url_ids[number as usize];
            (id, block.urls.bytes_of(number as usize))
        };
        for (number, block) in (0..).zip(blocks) {
            let named = block.captures.named.url.iter();
            let named = named.zip(&block.captures.named.by);
            let redirects = named.filter(|&(_, &by)| by == REDIRECT);
            self.redirects
                .extend(redirects.map(|(&url, _)| (number, url)));
        }
        self.redirects
            .sort_unstable_by(|one, other| url(one).cmp(&url(other)));
        self.redirects.dedup_by(|one, other| url(one) == url(other));
    }
}
