//! Links that move: those to another address of a page, on their way to the page's partition.
//!
//! A moved link has its own copy of its window, as terms: its words are needed for nothing else.

use std::io;

use super::block::FragmentBlock;
use super::links::LinkColumns;
use crate::hash::partition_of;
use crate::spill::SpillWriter;

/// Stands for the run of blocks of moved links: all of them are of captures that count.
pub(crate) const MOVED: u32 = u32::MAX;

/// The links of one partition that move, and the addresses that they lead to, by the partition
/// that they move to.
#[derive(Debug)]
pub struct MovedLinks {
    blocks: Vec<FragmentBlock>,
}

impl MovedLinks {
    /// None yet, to `2^bits` partitions.
    pub fn new(bits: u32) -> Self {
        let begun = || {
            let mut block = FragmentBlock::default();
            block.begin(MOVED);
            block
        };
        Self {
            blocks: (0..1 << bits).map(|_| begun()).collect(),
        }
    }

    /// Adds the links of a block whose targets are other addresses of a page by `page_of`, if
    /// `is_live` says that their page counts, and those addresses.
    pub fn add(
        &mut self,
        block: &FragmentBlock,
        page_of: impl Fn(u64) -> Option<u64>,
        is_live: impl Fn(u32) -> bool,
    ) {
        let ids = &block.captures.url_ids;
        let pages: Vec<Option<u64>> = ids.iter().map(|&id| page_of(id)).collect();
        for (number, page) in pages.iter().enumerate() {
            if let Some(page) = *page {
                let to = self.block_of(page);
                to.variant_of.push(page);
                to.variants.push(block.urls.bytes_of(number));
            }
        }
        for (link, &target) in block.links.target.iter().enumerate() {
            let Some(page) = pages[target as usize] else {
                continue;
            };
            // A page that links to another address of its own links to itself.
            if page != block.links.source[link] && is_live(block.links.page[link]) {
                let name = block.urls.bytes_of(target as usize);
                self.block_of(page).take_link(block, link, (page, name));
            }
        }
    }

    fn block_of(&mut self, page: u64) -> &mut FragmentBlock {
        let bits = self.blocks.len().trailing_zeros();
        &mut self.blocks[partition_of(page, bits)]
    }

    /// Writes one block for each partition.
    pub fn write(&self, out: &mut SpillWriter<'_>) -> io::Result<()> {
        self.blocks.iter().try_for_each(|block| block.write(out))
    }
}

impl FragmentBlock {
    /// Whether it has moved links, and no captures.
    pub(crate) fn is_moved(&self) -> bool {
        self.captures.run() == MOVED
    }

    /// Adds a link of another block, whose target has another number there.
    fn take_link(&mut self, from: &FragmentBlock, link: usize, (page, name): (u64, &[u8])) {
        self.links.target.push(self.captures.url_ids.len() as u32);
        self.captures.url_ids.push(page);
        self.urls.push(name);
        let window = from.links.window_range(link);
        let words = &from.links.windows[window.clone()];
        let first = self.terms.len() as u32;
        self.terms
            .extend(words.iter().map(|&word| from.terms[word as usize]));
        self.links.take(&from.links, link, window.start);
        self.links.windows.extend(first..self.terms.len() as u32);
    }
}

impl LinkColumns {
    /// Adds a link of another block, all but its target and its words, which began at `start`.
    fn take(&mut self, from: &Self, link: usize, start: usize) {
        self.source.push(from.source[link]);
        self.page.push(0);
        self.places
            .extend_from_slice(&from.places[link * 4..link * 4 + 4]);
        let counts = &from.counts[link * 3..link * 3 + 3];
        self.counts.extend_from_slice(counts);
        self.back.push(0);
        let Some(&pagelet) = from.pagelet.get(link) else {
            return;
        };
        self.pagelet.push(pagelet);
        let end = start + counts.iter().sum::<u32>() as usize;
        let before = from.shown_at.partition_point(|&at| at as usize <= start);
        let shown = from.shown_at.iter().zip(&from.shown_key);
        for (&at, &key) in shown.skip(before.saturating_sub(1)) {
            if at as usize >= end {
                break;
            }
            let inside = (at as usize).saturating_sub(start);
            self.shown_at.push((self.windows.len() + inside) as u32);
            self.shown_key.push(key);
        }
    }
}
