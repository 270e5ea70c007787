//! All evidence about the URLs of one partition, merged.
//!
//! Sums of integers only, so the order of the evidence does not matter.

use super::accumulate::{Accumulator, STOP};
use super::captures::Superseded;
use super::rank::Ranks;
use super::raw::RawBags;
use crate::exchange::Segment;
use crate::hash;
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
        bag.add_cited(row.page);
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
    if strategy.needs_link() {
        terms.extend(links.iter().map(|link| hash::link_term(link.source)));
    }
    Ranks::new(terms)
}

fn term_map(segment: &Segment, terms: &Ranks) -> Vec<u32> {
    segment
        .terms
        .iter()
        .map(|&term| if term == 0 { STOP } else { terms.of(term) })
        .collect()
}
