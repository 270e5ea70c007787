//! Deduplication by URL: the latest capture wins, whatever the order of the files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::fragments::{CaptureColumns, NO_DATE};
use crate::sorting::Ranks;

/// The captures that a later one of the same URL replaces, one bit a capture.
#[derive(Debug, Default)]
pub struct SupersededCaptures {
    runs: BTreeMap<u32, Vec<u64>>,
    count: usize,
}

impl SupersededCaptures {
    /// Adds a capture.
    pub fn insert(&mut self, run: u32, page: u32) {
        let bits = self.runs.entry(run).or_default();
        let at = page as usize / 64;
        if bits.len() <= at {
            bits.resize(at + 1, 0);
        }
        bits[at] |= 1 << (page % 64);
        self.count += 1;
    }

    /// Whether a capture is replaced.
    #[inline]
    pub fn contains(&self, run: u32, page: u32) -> bool {
        self.count > 0
            && self
                .runs
                .get(&run)
                .and_then(|bits| bits.get(page as usize / 64))
                .is_some_and(|bits| bits >> (page % 64) & 1 == 1)
    }

    /// How many captures are replaced.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Number of distinct URLs in the blocks of one partition.
pub fn distinct_urls(blocks: &[CaptureColumns]) -> usize {
    let ids = blocks.iter().flat_map(|block| &block.url_ids);
    Ranks::new(ids.copied().collect()).len()
}

/// A capture: its block and its place there.
pub(in crate::bags) type CaptureRef<'a> = (&'a CaptureColumns, usize);

fn id(&(block, page): &CaptureRef<'_>) -> u64 {
    block.url_id_of(page)
}

fn url<'a>(&(block, page): &CaptureRef<'a>) -> &'a [u8] {
    block.page_urls.bytes_of(page)
}

/// The sort key of the captures of a URL; the one that counts comes first.
pub(in crate::bags) fn place<'a>(&(block, page): &CaptureRef<'a>) -> impl Ord + 'a {
    let latest = Reverse((block.date[page], block.digest[page]));
    (latest, block.file_of(page), block.offset[page])
}

/// The sort key of captures whose URLs have the same id; the URL that stays comes first. A forged
/// URL is younger than the one whose id it has. A URL without a date comes last.
fn claim<'a>(&(block, page): &CaptureRef<'a>) -> impl Ord + 'a {
    (since(&(block, page)), block.page_urls.bytes_of(page))
}

/// The earliest known date of a capture's URL; without one, the latest possible date.
pub(in crate::bags) fn since(&(block, page): &CaptureRef<'_>) -> u64 {
    let date = Some(block.since[page]).filter(|&date| date != NO_DATE);
    date.unwrap_or(u64::MAX)
}

/// The captures (run, page) of one partition that are replaced by a later one.
/// Of captures with the same date, the content decides, then the place. Of URLs with the same id one stays.
pub fn superseded(blocks: &[CaptureColumns]) -> Vec<(u32, u32)> {
    let mut captures: Vec<CaptureRef<'_>> = blocks
        .iter()
        .flat_map(|block| (0..block.len()).map(move |page| (block, page)))
        .collect();
    captures.sort_unstable_by(|one, other| {
        let by_url = (id(one), url(one)).cmp(&(id(other), url(other)));
        by_url.then_with(|| place(one).cmp(&place(other)))
    });
    let mut replaced = Vec::new();
    for same in captures.chunk_by(|one, other| id(one) == id(other)) {
        let stays = match same {
            [_] => continue,
            [first, .., last] if url(first) != url(last) => {
                same.iter().min_by_key(|one| claim(one))
            }
            _ => same.first(),
        };
        let stays = stays.map(url);
        let latest = same.iter().position(|one| Some(url(one)) == stays);
        let others = (0..).zip(same).filter(|&(at, _)| Some(at) != latest);
        replaced.extend(others.map(|(_, (block, page))| (block.run(), block.number[*page])));
    }
    replaced
}

/// The captures (run, page) of one partition that are of these URLs, whose ids are sorted.
pub fn captures_of(blocks: &[CaptureColumns], urls: &[u64]) -> Vec<(u32, u32)> {
    let pages = |block: &CaptureColumns| {
        let wanted =
            (0..block.len()).filter(|&at| urls.binary_search(&block.url_id_of(at)).is_ok());
        wanted
            .map(|at| (block.run(), block.number[at]))
            .collect::<Vec<_>>()
    };
    blocks.iter().flat_map(pages).collect()
}
