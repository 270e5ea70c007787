//! All evidence about the URLs of one partition, merged.
//!
//! Sums of integers only, so the order of the evidence does not matter.

use super::accumulate::{Accumulator, Gathered, STOP};
use super::captures::Superseded;
use super::rank::Ranks;
use super::raw::RawBags;
use super::spread::sort_by_hash;
use crate::exchange::{Damage, Segment};
use crate::hash;
use crate::memory::clear_for;
use crate::strategy::Strategy;

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

/// A term, and by which word of which segment it is named.
type Named = (u64, u32, u32);

/// A merged partition: URLs in order of their ids, and their raw bags. The next one is merged
/// in the same memory, since memory that is touched for the first time costs as much as what is
/// done with it.
#[derive(Debug, Default)]
pub struct Merged {
    pub(crate) segments: Vec<Segment>,
    pub(crate) urls: Ranks,
    pub(crate) rows: Vec<UrlRow>,
    pub(crate) links: Vec<LinkRow>,
    pub(crate) gathered: Gathered,
    /// Of each segment's words, and last of the links' sources, the places of their terms.
    pub(super) maps: Vec<Vec<u32>>,
    named: Vec<Named>,
    spare: Vec<Named>,
}

impl Merged {
    /// How many URLs there are.
    pub fn urls(&self) -> usize {
        self.rows.len()
    }

    /// The bags, not yet weighed.
    pub fn bags(&self) -> &RawBags {
        &self.gathered.bags
    }

    /// Merges the packed segments of one partition, read one by one, in place of the one
    /// before.
    pub fn merge<B: AsRef<[u8]>, E: From<Damage>>(
        &mut self,
        packed: impl ExactSizeIterator<Item = Result<B, E>>,
        superseded: &Superseded,
        strategy: &Strategy,
    ) -> Result<(), E> {
        self.segments.resize_with(packed.len(), Segment::default);
        for (segment, bytes) in self.segments.iter_mut().zip(packed) {
            segment.refill(bytes?.as_ref())?;
        }
        (self.urls, self.rows) = url_rows(&self.segments, superseded);
        self.find_links(superseded);
        let entries = self.segments.iter().map(Segment::likely_entries);
        let entries = entries.sum::<usize>() + self.links.len();
        let bags = &mut self.gathered.bags;
        bags.begin(entries, strategy.lead > 0);
        bags.urls.extend_from_slice(self.urls.values());
        self.find_terms(strategy);
        self.gather(strategy);
        Ok(())
    }

    /// The links of live pages by target, source and place.
    fn find_links(&mut self, superseded: &Superseded) {
        let Self {
            segments, links, ..
        } = self;
        let count = segments.iter().map(|segment| segment.links.target.len());
        clear_for(links, count.sum());
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
        let anchor = |row: &LinkRow| {
            let places = &segments[row.segment as usize].links.places;
            [1, 2].map(|at| places[row.link as usize * 4 + at])
        };
        let target = |row: &LinkRow| row.target;
        sort_by_hash((links, &mut Vec::new()), target, |one, other| {
            let by_page = (one.target, one.source).cmp(&(other.target, other.source));
            by_page.then_with(|| anchor(one).cmp(&anchor(other)))
        });
    }

    /// The distinct terms, and of each segment's words which of them they are.
    fn find_terms(&mut self, strategy: &Strategy) {
        let mut named = std::mem::take(&mut self.named);
        let words = self.segments.iter().map(|segment| segment.terms.len());
        clear_for(&mut named, words.sum::<usize>() + self.links.len());
        for (number, segment) in (0..).zip(&self.segments) {
            let words = (0..).zip(&segment.terms);
            let words = words.map(|(word, &term)| (term, number, word));
            named.extend(words.filter(|named| named.0 != 0));
        }
        if strategy.needs_link() {
            let links = (0..).zip(&self.links);
            let number = self.segments.len() as u32;
            named.extend(links.map(|(at, link)| (hash::link_term(link.source), number, at)));
        }
        let all = (&mut named, &mut self.spare);
        sort_by_hash(all, |named| named.0, |one, other| one.0.cmp(&other.0));
        self.number_terms(&named);
        self.named = named;
    }

    /// Gives terms that are in order their places.
    fn number_terms(&mut self, named: &[Named]) {
        let words = self.segments.iter().map(|segment| segment.terms.len());
        let lengths = words.chain([self.links.len()]);
        self.maps.resize_with(self.segments.len() + 1, Vec::new);
        for (map, length) in self.maps.iter_mut().zip(lengths) {
            clear_for(map, length);
            map.resize(length, STOP);
        }
        let terms = &mut self.gathered.bags.terms;
        for same in named.chunk_by(|one, other| one.0 == other.0) {
            for &(_, segment, word) in same {
                self.maps[segment as usize][word as usize] = terms.len() as u32;
            }
            terms.push(same[0].0);
        }
    }

    /// Adds up the evidence about each URL.
    fn gather(&mut self, strategy: &Strategy) {
        let (maps, sources) = self.maps.split_at(self.segments.len());
        let sources = sources.first().map_or(&[][..], |places| places);
        let mut bag = Accumulator::new(&self.segments, maps, strategy, &mut self.gathered);
        let mut next_link = 0;
        for (row, &id) in self.rows.iter_mut().zip(self.urls.values()) {
            let from = next_link;
            let more = self.links[from..].iter();
            next_link += more.take_while(|link| link.target == id).count();
            let links = &self.links[from..next_link];
            row.inlinks = distinct_sources(links);
            bag.add_page(row.page);
            bag.add_cited(row.page);
            bag.add_links(links, &sources[from..next_link]);
            bag.finish();
        }
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

fn distinct_sources(links: &[LinkRow]) -> u32 {
    links
        .chunk_by(|one, other| one.source == other.source)
        .count() as u32
}
