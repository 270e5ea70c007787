//! Aggregation by group: the evidence about one URL after another, summed by term.

use std::iter::repeat;

use super::merge::LinkRow;
use super::raw::RawBags;
use super::term_accumulator::TermAccumulator;
use crate::columns::zeros;
use crate::fragments::FragmentBlock;
use crate::strategy::{Strategy, UNIT};

/// The place of a stop word among the terms: it has none.
pub(super) const STOP: u32 = u32::MAX;

/// What the words of a window weigh, by how far they are from the anchor.
struct WindowWeights {
    /// Of the words before it, the farthest first.
    before: Vec<u32>,
    own: u32,
    after: Vec<u32>,
}

impl WindowWeights {
    fn new(strategy: &Strategy) -> Self {
        let weights = strategy.distance_weights();
        let (own, after) = weights.split_first().unwrap_or((&UNIT, &[]));
        let after: Vec<u32> = after.iter().map(|&weight| weight as u32).collect();
        Self {
            before: after.iter().rev().copied().collect(),
            own: *own as u32,
            after,
        }
    }

    /// Of the last N words before the anchor.
    fn before(&self, words: usize) -> &[u32] {
        &self.before[self.before.len() - words..]
    }
}

/// What is gathered about the URLs of a partition, and the memory for it.
#[derive(Debug, Default)]
pub(crate) struct PartitionBags {
    /// In how many of the partition's bags each term is.
    pub frequencies: Vec<u32>,
    /// The bags, not yet weighed.
    pub raw: RawBags,
    /// How often each block's words stand on crawled pages.
    pub word_counts: Vec<Vec<u32>>,
    page_counts: Vec<Vec<u32>>,
    distinct: Vec<u32>,
    bag: TermAccumulator,
}

impl PartitionBags {
    /// Nothing yet about blocks whose terms are those of the bags.
    fn begin(&mut self, blocks: &[FragmentBlock], strategy: &Strategy) {
        let terms = self.raw.terms.len();
        zeros(&mut self.frequencies, terms);
        for counts in [&mut self.word_counts, &mut self.page_counts] {
            counts.resize_with(blocks.len(), Vec::new);
            for (counts, block) in counts.iter_mut().zip(blocks) {
                zeros(counts, block.words.len());
            }
        }
        self.bag.begin(terms, strategy.lead > 0);
    }
}

/// Sums up one bag after another.
pub(super) struct BagAccumulator<'a> {
    blocks: &'a [FragmentBlock],
    maps: &'a [Vec<u32>],
    strategy: &'a Strategy,
    weights: WindowWeights,
    to: &'a mut PartitionBags,
}

impl<'a> BagAccumulator<'a> {
    /// `maps` tell of each block's words which of the bags' terms they are.
    pub(super) fn new(
        blocks: &'a [FragmentBlock],
        maps: &'a [Vec<u32>],
        strategy: &'a Strategy,
        to: &'a mut PartitionBags,
    ) -> Self {
        to.begin(blocks, strategy);
        Self {
            blocks,
            maps,
            strategy,
            weights: WindowWeights::new(strategy),
            to,
        }
    }

    /// The words of the page itself; its title also speaks as an anchor would.
    pub(super) fn add_page(&mut self, page: Option<(u32, u32)>) {
        let Some((number, page)) = page else { return };
        let texts = &self.blocks[number as usize].texts;
        let words = texts.words.row(page as usize);
        let title = texts.title_words.row(page as usize);
        let map = &self.maps[number as usize];
        self.count_words(number as usize, words.iter().chain(title));
        if self.strategy.lead > 0 {
            self.weigh_words(map, words, title);
        }
        if self.strategy.needs_anchor() {
            let title = title.iter().zip(repeat(&self.weights.own));
            add_linked(&mut self.to.bag, map, title);
        }
    }

    /// The pages that the page links to.
    pub(super) fn add_cited(&mut self, page: Option<(u32, u32)>) {
        if !self.strategy.needs_cited() {
            return;
        }
        let cited = page.map_or(&[][..], |(number, page)| {
            self.blocks[number as usize].texts.cited.row(page as usize)
        });
        self.to.raw.cited.push(cited.iter().copied());
    }

    /// Counts each word first and looks at the distinct ones then: a word
    /// stands three times on a page on average.
    fn count_words<'w>(&mut self, number: usize, words: impl Iterator<Item = &'w u32>) {
        let counts = &mut self.to.page_counts[number];
        let mut distinct = 0;
        // Without branches: whether a word is new cannot be foretold.
        for &word in words {
            if distinct == self.to.distinct.len() {
                self.to.distinct.resize(distinct * 2 + 64, 0);
            }
            let count = &mut counts[word as usize];
            self.to.distinct[distinct] = word;
            distinct += usize::from(*count == 0);
            *count += 1;
        }
        for &word in &self.to.distinct[..distinct] {
            let count = std::mem::take(&mut self.to.page_counts[number][word as usize]);
            self.to.word_counts[number][word as usize] += count;
            let term = self.maps[number][word as usize];
            if term != STOP {
                self.to.bag.add_content(term, count);
            }
        }
    }

    /// Adds up the weights of counted words by position; the title stands at the first.
    fn weigh_words(&mut self, map: &[u32], words: &[u32], title: &[u32]) {
        let strategy = self.strategy;
        let term = |word: &u32| Some(map[*word as usize]).filter(|&term| term != STOP);
        for (position, term) in (0..).zip(words.iter().filter_map(term)) {
            self.to.bag.add_early(term, strategy.lead_weight(position));
        }
        for term in title.iter().filter_map(term) {
            self.to.bag.add_early(term, strategy.lead_weight(0));
        }
    }

    /// The windows of the links to the page, and the linking pages; `places` are those of their
    /// terms.
    pub(super) fn add_links(&mut self, links: &[LinkRow], places: &[u32]) {
        if self.strategy.needs_anchor() {
            links.iter().for_each(|link| self.add_window(link));
        }
        if self.strategy.needs_link() {
            let mut last = None;
            for (link, &term) in links.iter().zip(places) {
                if last.replace(link.source) != Some(link.source) {
                    self.to.bag.add_linked([(term, UNIT as u32)].into_iter());
                }
            }
        }
    }

    fn add_window(&mut self, link: &LinkRow) {
        let links = &self.blocks[link.block as usize].links;
        let map = &self.maps[link.block as usize];
        let [left, own, right] = links.window_of(link.link as usize);
        let weights = &self.weights;
        let before = weights.before(left.len());
        add_linked(&mut self.to.bag, map, left.iter().zip(before));
        add_linked(&mut self.to.bag, map, own.iter().zip(repeat(&weights.own)));
        add_linked(&mut self.to.bag, map, right.iter().zip(&weights.after));
    }

    pub(super) fn finish(&mut self) {
        let PartitionBags {
            frequencies,
            raw: bags,
            bag,
            ..
        } = &mut *self.to;
        let start = bags.term.len();
        bag.finish(bags);
        // Without the content kind a page's own words weigh nothing, and are counted all the
        // same: postings need them.
        let counts = self.strategy.needs_content();
        for (&term, &linked) in bags.term[start..].iter().zip(&bags.linked[start..]) {
            frequencies[term as usize] += u32::from(counts || linked > 0);
        }
    }
}

/// Adds words to a bag with the weights they have as anchors.
#[inline(always)]
fn add_linked<'w>(
    bag: &mut TermAccumulator,
    map: &[u32],
    words: impl Iterator<Item = (&'w u32, &'w u32)>,
) {
    let terms = words.map(|(&word, &weight)| (map[word as usize], weight));
    bag.add_linked(terms.filter(|&(term, _)| term != STOP));
}
