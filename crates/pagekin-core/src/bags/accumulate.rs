//! The evidence about one URL after another, summed by term.

use super::merge::LinkRow;
use super::rank::Ranks;
use super::raw::RawBags;
use crate::exchange::Segment;
use crate::hash;
use crate::strategy::{Strategy, UNIT};

/// The place of a stop word among the terms: it has none.
pub(super) const STOP: u32 = u32::MAX;

/// What a bag holds of one term so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    linked: u64,
    content: u32,
    early: u32,
}

/// Sums up one bag after another.
pub(super) struct Accumulator<'a> {
    segments: &'a [Segment],
    maps: &'a [Vec<u32>],
    strategy: &'a Strategy,
    weights: Vec<u64>,
    sums: Vec<Sums>,
    touched: Touched,
    distinct: Vec<u32>,
    page_counts: Vec<Vec<u32>>,
    pub(super) frequencies: Vec<u32>,
    pub(super) bags: RawBags,
    pub(super) word_counts: Vec<Vec<u32>>,
}

impl<'a> Accumulator<'a> {
    pub(super) fn new(
        segments: &'a [Segment],
        maps: &'a [Vec<u32>],
        strategy: &'a Strategy,
        terms: usize,
    ) -> Self {
        let word_counts: Vec<Vec<u32>> = segments
            .iter()
            .map(|segment| vec![0; segment.words.len()])
            .collect();
        Self {
            segments,
            maps,
            strategy,
            weights: strategy.distance_weights(),
            sums: vec![Sums::default(); terms],
            touched: Touched::new(terms),
            distinct: Vec::new(),
            page_counts: word_counts.clone(),
            frequencies: vec![0; terms],
            bags: RawBags::default(),
            word_counts,
        }
    }

    /// The words of the page itself; its title also speaks as an anchor would.
    pub(super) fn add_page(&mut self, page: Option<(u32, u32)>) {
        let Some((number, page)) = page else { return };
        let pages = &self.segments[number as usize].pages;
        let (words, title) = (
            pages.words_of(page as usize),
            pages.title_words_of(page as usize),
        );
        let map = &self.maps[number as usize];
        self.count_words(number as usize, words.iter().chain(title));
        if self.strategy.lead > 0 {
            self.weigh_words(map, words, title);
        }
        if self.strategy.needs_anchor() {
            let weight = self.weights.first().copied().unwrap_or(UNIT);
            for &word in title {
                self.add_linked(map[word as usize], weight);
            }
        }
    }

    /// The pages that the page links to.
    pub(super) fn add_cited(&mut self, page: Option<(u32, u32)>) {
        if !self.strategy.needs_cited() {
            return;
        }
        if let Some((number, page)) = page {
            let pages = &self.segments[number as usize].pages;
            let cited = pages.cited_by(page as usize);
            self.bags.cited.extend_from_slice(cited);
        }
        self.bags.cited_ends.push(self.bags.cited.len() as u64);
    }

    /// Counts each word first and looks at the distinct ones then: a word
    /// stands three times on a page on average.
    fn count_words<'w>(&mut self, number: usize, words: impl Iterator<Item = &'w u32>) {
        let counts = &mut self.page_counts[number];
        let mut distinct = 0;
        // Without branches: whether a word is new cannot be foretold.
        for &word in words {
            if distinct == self.distinct.len() {
                self.distinct.resize(distinct * 2 + 64, 0);
            }
            let count = &mut counts[word as usize];
            self.distinct[distinct] = word;
            distinct += usize::from(*count == 0);
            *count += 1;
        }
        for at in 0..distinct {
            let word = self.distinct[at];
            let count = std::mem::take(&mut self.page_counts[number][word as usize]);
            self.word_counts[number][word as usize] += count;
            let term = self.maps[number][word as usize];
            if term != STOP {
                self.touch(term).content += count;
            }
        }
    }

    /// Adds up the weights of counted words by position; the title stands at the first.
    fn weigh_words(&mut self, map: &[u32], words: &[u32], title: &[u32]) {
        let strategy = self.strategy;
        let term = |word: &u32| Some(map[*word as usize]).filter(|&term| term != STOP);
        for (position, term) in (0..).zip(words.iter().filter_map(term)) {
            self.sums[term as usize].early += strategy.lead_weight(position);
        }
        for term in title.iter().filter_map(term) {
            self.sums[term as usize].early += strategy.lead_weight(0);
        }
    }

    /// The windows of the links to the page, and the linking pages.
    pub(super) fn add_links(&mut self, links: &[LinkRow], terms: &Ranks) {
        for link in links {
            if self.strategy.needs_anchor() {
                self.add_window(link);
            }
        }
        if self.strategy.needs_link() {
            for same in links.chunk_by(|one, other| one.source == other.source) {
                self.add_linked(terms.of(hash::link_term(same[0].source)), UNIT);
            }
        }
    }

    fn add_window(&mut self, link: &LinkRow) {
        let segment = &self.segments[link.segment as usize];
        let map = &self.maps[link.segment as usize];
        let at = link.link as usize * 3;
        let [left, own, right] = [0, 1, 2].map(|side| segment.links.counts[at + side] as usize);
        let start = segment.links.window_start(link.link as usize);
        let words = &segment.links.windows[start..start + left + own + right];
        for (place, &word) in words.iter().enumerate() {
            let distance = if place < left {
                left - place
            } else {
                (place + 1).saturating_sub(left + own)
            };
            self.add_linked(map[word as usize], self.weights[distance]);
        }
    }

    #[inline]
    fn add_linked(&mut self, term: u32, weight: u64) {
        if term != STOP {
            self.touch(term).linked += weight;
        }
    }

    #[inline]
    fn touch(&mut self, term: u32) -> &mut Sums {
        let sums = &mut self.sums[term as usize];
        let is_new = sums.content == 0 && sums.linked == 0;
        self.touched.add(term, is_new);
        sums
    }

    pub(super) fn finish(&mut self) {
        let Self {
            sums,
            bags,
            frequencies,
            ..
        } = self;
        // Without the content kind a page's own words weigh nothing, and are counted all the
        // same: postings need them.
        let counts = self.strategy.needs_content();
        let early = self.strategy.lead > 0;
        self.touched.drain(|term| {
            let sums = std::mem::take(&mut sums[term as usize]);
            frequencies[term as usize] += u32::from(counts || sums.linked > 0);
            bags.term.push(term);
            bags.content.push(sums.content);
            if early {
                bags.early.push(sums.early);
            }
            bags.linked.push(sums.linked);
        });
        bags.ends.push(bags.term.len() as u64);
    }
}

/// The terms of the bag under way. They come out in order: sorted if they are
/// few, by looking through one bit a term if they are many.
struct Touched {
    /// Only the first `count` mean something.
    terms: Vec<u32>,
    count: usize,
    bits: Vec<u64>,
}

impl Touched {
    fn new(terms: usize) -> Self {
        Self {
            terms: Vec::new(),
            count: 0,
            bits: vec![0; terms.div_ceil(64)],
        }
    }

    /// Adds a term if it is new; which one is cannot be foretold, so without a branch.
    #[inline]
    fn add(&mut self, term: u32, is_new: bool) {
        if self.count == self.terms.len() {
            self.terms.resize(self.count * 2 + 64, 0);
        }
        self.terms[self.count] = term;
        self.count += usize::from(is_new);
    }

    fn drain(&mut self, mut each: impl FnMut(u32)) {
        let terms = &mut self.terms[..std::mem::take(&mut self.count)];
        if terms.len() * 8 < self.bits.len() {
            terms.sort_unstable();
            terms.iter().copied().for_each(each);
            return;
        }
        for term in terms {
            self.bits[*term as usize / 64] |= 1 << (*term % 64);
        }
        for (place, bits) in self.bits.iter_mut().enumerate() {
            while *bits != 0 {
                each(place as u32 * 64 + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touched_terms_come_out_in_order_either_way() {
        for count in [3, 300] {
            let mut touched = Touched::new(4000);
            let terms: Vec<u32> = (0..count).map(|i| i * 7919 % 4000).collect();
            terms.iter().for_each(|&term| {
                touched.add(term, true);
                touched.add(term, false);
            });
            let mut out = Vec::new();
            touched.drain(|term| out.push(term));
            let mut sorted = terms;
            sorted.sort_unstable();
            assert_eq!(out, sorted);
            touched.drain(|_| panic!("nothing is left"));
        }
    }
}
