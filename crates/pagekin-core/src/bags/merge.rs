//! All evidence about the URLs of one partition, merged.
//!
//! Sums of integers only, so the order of the evidence does not matter.

use super::captures::Superseded;
use super::rank::Ranks;
use super::raw::RawBags;
use crate::exchange::Segment;
use crate::hash;
use crate::strategy::{Strategy, UNIT};

/// What is known of one URL of the partition.
#[derive(Debug, Default, Clone)]
pub(crate) struct UrlRow {
    /// Segment and number of its URL in it.
    pub name: (u32, u32),
    /// Segment and place of its page, if it was crawled.
    pub page: Option<(u32, u32)>,
    /// How many pages link to it.
    pub inlinks: u32,
}

/// A link, ready for the link table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkRow {
    pub target: u64,
    pub source: u64,
    pub segment: u32,
    pub link: u32,
}

/// The merged partition: URLs in order of their ids, and their raw bags.
#[derive(Debug)]
pub struct Merged {
    pub(crate) segments: Vec<Segment>,
    pub(crate) urls: Ranks,
    pub(crate) rows: Vec<UrlRow>,
    pub(crate) links: Vec<LinkRow>,
    /// In how many of the partition's bags each term is.
    pub(crate) frequencies: Vec<u32>,
    /// The bags, not yet weighed.
    pub bags: RawBags,
    /// How often each segment's words stand on crawled pages.
    pub(crate) word_counts: Vec<Vec<u32>>,
}

impl Merged {
    /// How many URLs there are.
    pub fn urls(&self) -> usize {
        self.rows.len()
    }

    /// How many of them were crawled.
    pub fn crawled(&self) -> usize {
        self.rows.iter().filter(|row| row.page.is_some()).count()
    }

    /// How many links there are.
    pub fn links(&self) -> usize {
        self.links.len()
    }
}

/// Merges the segments of one partition.
pub fn merge(segments: Vec<Segment>, superseded: &Superseded, strategy: &Strategy) -> Merged {
    let (urls, mut rows) = url_rows(&segments, superseded);
    let links = live_links(&segments, superseded);
    let terms = distinct_terms(&segments, &links, strategy);
    let maps: Vec<Vec<u32>> = segments
        .iter()
        .map(|segment| term_map(segment, &terms))
        .collect();
    let mut bag = Accumulator::new(&segments, &maps, strategy, terms.len());
    let mut next_link = 0;
    for (place, &id) in urls.values().iter().enumerate() {
        let from = next_link;
        while links.get(next_link).is_some_and(|link| link.target == id) {
            next_link += 1;
        }
        let row = &mut rows[place];
        row.inlinks = distinct_sources(&links[from..next_link]);
        bag.add_page(row.page);
        bag.add_links(&links[from..next_link], &terms);
        bag.finish();
    }
    let Accumulator {
        frequencies,
        mut bags,
        word_counts,
        ..
    } = bag;
    bags.urls = urls.values().to_vec();
    bags.terms = terms.into_values();
    Merged {
        segments,
        urls,
        rows,
        links,
        frequencies,
        bags,
        word_counts,
    }
}

/// The partition's URLs: those of live pages and of targets of live links.
fn url_rows(segments: &[Segment], superseded: &Superseded) -> (Ranks, Vec<UrlRow>) {
    let mut ids = Vec::new();
    let mut seen: Vec<Vec<bool>> = Vec::new();
    for segment in segments {
        let mut used = vec![false; segment.url_ids.len()];
        for (page, &url) in segment.pages.url.iter().enumerate() {
            used[url as usize] |= !superseded.contains(segment.run, segment.pages.number[page]);
        }
        for (link, &url) in segment.links.target.iter().enumerate() {
            used[url as usize] |= !superseded.contains(segment.run, segment.links.page[link]);
        }
        ids.extend(
            segment
                .url_ids
                .iter()
                .zip(&used)
                .filter(|(_, &used)| used)
                .map(|(&id, _)| id),
        );
        seen.push(used);
    }
    let urls = Ranks::new(ids);
    let mut rows = vec![UrlRow::default(); urls.len()];
    for (number, segment) in segments.iter().enumerate() {
        let number = number as u32;
        for (url, &id) in segment
            .url_ids
            .iter()
            .enumerate()
            .filter(|(url, _)| seen[number as usize][*url])
        {
            rows[urls.of(id) as usize].name = (number, url as u32);
        }
        for page in 0..segment.pages.url.len() {
            if !superseded.contains(segment.run, segment.pages.number[page]) {
                rows[urls.of(segment.url_id_of(page)) as usize].page = Some((number, page as u32));
            }
        }
    }
    (urls, rows)
}

/// The links of live pages by target, source and place.
fn live_links(segments: &[Segment], superseded: &Superseded) -> Vec<LinkRow> {
    let mut links = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        for (link, &target) in segment.links.target.iter().enumerate() {
            if !superseded.contains(segment.run, segment.links.page[link]) {
                links.push(LinkRow {
                    target: segment.url_ids[target as usize],
                    source: segment.links.source[link],
                    segment: number as u32,
                    link: link as u32,
                });
            }
        }
    }
    let place =
        |row: &LinkRow| segments[row.segment as usize].links.places[row.link as usize * 4 + 1];
    let last =
        |row: &LinkRow| segments[row.segment as usize].links.places[row.link as usize * 4 + 2];
    links.sort_unstable_by_key(|row| (row.target, row.source, place(row), last(row)));
    links
}

fn distinct_sources(links: &[LinkRow]) -> u32 {
    links
        .chunk_by(|one, other| one.source == other.source)
        .count() as u32
}

fn distinct_terms(segments: &[Segment], links: &[LinkRow], strategy: &Strategy) -> Ranks {
    let mut terms: Vec<u64> = segments
        .iter()
        .flat_map(|segment| &segment.terms)
        .copied()
        .filter(|&term| term != 0)
        .collect();
    if strategy.link > 0.0 {
        terms.extend(links.iter().map(|link| hash::link_term(link.source)));
    }
    Ranks::new(terms)
}

const STOP: u32 = u32::MAX;

fn term_map(segment: &Segment, terms: &Ranks) -> Vec<u32> {
    segment
        .terms
        .iter()
        .map(|&term| if term == 0 { STOP } else { terms.of(term) })
        .collect()
}

/// What a bag holds of one term so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    linked: u64,
    content: u32,
}

/// Sums up one bag after another.
struct Accumulator<'a> {
    segments: &'a [Segment],
    maps: &'a [Vec<u32>],
    strategy: &'a Strategy,
    weights: Vec<u64>,
    sums: Vec<Sums>,
    touched: Touched,
    distinct: Vec<u32>,
    page_counts: Vec<Vec<u32>>,
    frequencies: Vec<u32>,
    bags: RawBags,
    word_counts: Vec<Vec<u32>>,
}

impl<'a> Accumulator<'a> {
    fn new(
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
    fn add_page(&mut self, page: Option<(u32, u32)>) {
        let Some((number, page)) = page else { return };
        let pages = &self.segments[number as usize].pages;
        let (words, title) = (
            pages.words_of(page as usize),
            pages.title_words_of(page as usize),
        );
        let map = &self.maps[number as usize];
        self.count_words(number as usize, words.iter().chain(title));
        if self.strategy.anchor > 0.0 {
            let weight = self.weights.first().copied().unwrap_or(UNIT);
            for &word in title {
                self.add_linked(map[word as usize], weight);
            }
        }
    }

    /// Counts each word first and looks at the distinct ones then: a word
    /// stands three times on a page on average.
    fn count_words<'w>(&mut self, number: usize, words: impl Iterator<Item = &'w u32>) {
        let mut distinct = std::mem::take(&mut self.distinct);
        let counts = &mut self.page_counts[number];
        for &word in words {
            let count = &mut counts[word as usize];
            if *count == 0 {
                distinct.push(word);
            }
            *count += 1;
        }
        for word in distinct.drain(..) {
            let count = std::mem::take(&mut self.page_counts[number][word as usize]);
            self.word_counts[number][word as usize] += count;
            let term = self.maps[number][word as usize];
            if term != STOP && self.strategy.content > 0.0 {
                self.touch(term).content += count;
            }
        }
        self.distinct = distinct;
    }

    /// The windows of the links to the page, and the linking pages.
    fn add_links(&mut self, links: &[LinkRow], terms: &Ranks) {
        for link in links {
            if self.strategy.anchor > 0.0 {
                self.add_window(link);
            }
        }
        if self.strategy.link > 0.0 {
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
        if sums.content == 0 && sums.linked == 0 {
            self.touched.add(term);
        }
        sums
    }

    fn finish(&mut self) {
        let Self {
            sums,
            bags,
            frequencies,
            ..
        } = self;
        self.touched.drain(|term| {
            let sums = std::mem::take(&mut sums[term as usize]);
            frequencies[term as usize] += 1;
            bags.term.push(term);
            bags.content.push(sums.content);
            bags.linked.push(sums.linked);
        });
        bags.ends.push(bags.term.len() as u64);
    }
}

/// The terms of the bag under way. They come out in order: sorted if they are
/// few, by looking through one bit a term if they are many.
struct Touched {
    terms: Vec<u32>,
    bits: Vec<u64>,
}

impl Touched {
    fn new(terms: usize) -> Self {
        Self {
            terms: Vec::new(),
            bits: vec![0; terms.div_ceil(64)],
        }
    }

    #[inline]
    fn add(&mut self, term: u32) {
        self.terms.push(term);
    }

    fn drain(&mut self, mut each: impl FnMut(u32)) {
        if self.terms.len() * 8 < self.bits.len() {
            self.terms.sort_unstable();
            self.terms.drain(..).for_each(each);
            return;
        }
        for term in self.terms.drain(..) {
            self.bits[term as usize / 64] |= 1 << (term % 64);
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
            terms.iter().for_each(|&term| touched.add(term));
            let mut out = Vec::new();
            touched.drain(|term| out.push(term));
            let mut sorted = terms;
            sorted.sort_unstable();
            assert_eq!(out, sorted);
            touched.drain(|_| panic!("nothing is left"));
        }
    }
}
