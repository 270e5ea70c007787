//! A block of pages to fragments, distributed by a hash of the URL that they are about.

use super::block_terms::BlockTerms;
use super::pagelets::Pagelets;
use super::windows::PageWindows;
use crate::hash;
use crate::pages::{PageBlock, PageView};
use crate::strategy::Strategy;

/// The evidence of a block in memory. A page's own words are in the block; here are
/// their terms, and every link with its window, by partition of the target.
pub struct Fragments {
    pub(super) ids: BlockIds,
    /// The words of all pages with links, without stop words, by their places among the block's
    /// terms. Each window is a slice of them; copies would take more memory than everything else.
    pub(super) content_words: Vec<u32>,
    pub(super) pagelets: Pagelets,
    /// Where in `content_words` the words of a pagelet begin, and its key.
    pub(super) content_pagelets: Vec<(u32, u64)>,
    pub(super) links: Vec<Vec<LinkFragment>>,
}

/// A link by numbers of the block, without the words of its window. There are many, so it is
/// kept small.
pub(super) struct LinkFragment {
    pub(super) page: u32,
    /// Its place among the page's links.
    pub(super) anchor: u32,
    /// Where its window is on the page, in words.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Words left, own, right.
    pub(super) counts: [u32; 3],
    /// Where its window begins in [`Fragments::content_words`].
    pub(super) start: u32,
}

impl Fragments {
    /// The evidence of a block for `2^bits` partitions.
    pub fn new(block: &PageBlock, strategy: &Strategy, bits: u32) -> Self {
        // Targets are hashes, so all partitions have about the same number of links; memory that is
        // not needed is never touched.
        let room = (block.anchors.values().len() >> bits) * 5 / 4;
        let mut fragments = Self {
            ids: BlockIds::new(block, strategy),
            content_words: Vec::with_capacity(block.words.values().len()),
            pagelets: match strategy.template_pages {
                0 => Pagelets::default(),
                _ => Pagelets::new(block),
            },
            content_pagelets: Vec::new(),
            links: (0..1 << bits).map(|_| Vec::with_capacity(room)).collect(),
        };
        let mut windows = PageWindows::default();
        let reach = strategy.distance_weights().len().saturating_sub(1);
        let extent = (reach, strategy.needs_anchor());
        for number in 0..block.len() {
            let page = block.page(number);
            if !page.anchors.is_empty() {
                let terms = &fragments.ids.terms;
                let first = terms.first_of(number);
                windows.turn_to(&page, terms.of_page(number), strategy);
                fragments.add_links(number as u32, &page, &windows, extent);
                fragments.add_pagelets(number, &windows);
                let words = windows.content_words().iter();
                fragments
                    .content_words
                    .extend(words.map(|&word| first + word));
            }
        }
        fragments
    }

    /// Adds where a page's pagelets begin among the words of windows.
    fn add_pagelets(&mut self, number: usize, windows: &PageWindows) {
        if self.pagelets.starts.is_empty() {
            return;
        }
        let before = self.content_words.len() as u32;
        let starts = self.pagelets.starts.row(number).iter();
        let keys = self.pagelets.keys.row(number);
        let places = starts.map(|&start| before + windows.rank(start));
        self.content_pagelets
            .extend(places.zip(keys.iter().copied()));
    }

    /// Adds a page's links to others with their windows: how far they reach, and whether
    /// their words are evidence. Numbers are the block's.
    fn add_links(
        &mut self,
        number: u32,
        page: &PageView<'_>,
        windows: &PageWindows,
        (reach, has_words): (usize, bool),
    ) {
        let bits = self.links.len().trailing_zeros();
        let content_words = self.content_words.len();
        for (place, anchor) in (0..).zip(page.anchors) {
            if anchor.target == page.url {
                continue;
            }
            let window = windows.around(anchor, reach);
            let sides = [window.left, window.own, window.right];
            self.links[self.ids.partition(anchor.target, bits)].push(LinkFragment {
                page: number,
                anchor: place,
                from: window.from,
                to: window.to,
                counts: sides.map(|side| if has_words { side.len() as u32 } else { 0 }),
                start: (content_words + window.start) as u32,
            });
        }
    }
}

/// The stable ids of the block's URLs.
pub(super) struct BlockIds {
    pub(super) url_ids: Vec<u64>,
    pub(super) terms: BlockTerms,
}

impl BlockIds {
    fn new(block: &PageBlock, strategy: &Strategy) -> Self {
        let urls = 0..block.urls.len() as u32;
        Self {
            url_ids: urls
                .map(|url| hash::url_id(block.urls.bytes_of(url)))
                .collect(),
            terms: BlockTerms::new(block, &strategy.terms),
        }
    }

    pub(super) fn partition(&self, url: u32, bits: u32) -> usize {
        hash::partition_of(self.url_ids[url as usize], bits)
    }
}
