//! Deduplication by URL: the latest capture wins, whatever the order of the files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::fragments::CaptureColumns;
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

/// How many distinct URLs the blocks of one partition speak of.
pub fn distinct_urls(blocks: &[CaptureColumns]) -> usize {
    let ids = blocks.iter().flat_map(|block| &block.url_ids);
    Ranks::new(ids.copied().collect()).len()
}

/// What orders the captures of a URL, the one that stays first.
fn place<'a>(&(block, page): &(&'a CaptureColumns, usize)) -> impl Ord + 'a {
    let latest = Reverse((block.date[page], block.digest[page]));
    (latest, block.file_of(page), block.offset[page])
}

/// The captures (run, page) of one partition that are replaced by a later one.
/// Of captures with the same date, the content decides, then the place.
pub fn superseded(blocks: &[CaptureColumns]) -> Vec<(u32, u32)> {
    let mut captures: Vec<(&CaptureColumns, usize)> = blocks
        .iter()
        .flat_map(|block| (0..block.len()).map(move |page| (block, page)))
        .collect();
    let url = |&(block, page): &(&CaptureColumns, usize)| block.url_id_of(page);
    captures.sort_unstable_by(|one, other| {
        let by_url = url(one).cmp(&url(other));
        by_url.then_with(|| place(one).cmp(&place(other)))
    });
    captures
        .windows(2)
        .filter(|pair| url(&pair[0]) == url(&pair[1]))
        .map(|pair| (pair[1].0.run(), pair[1].0.number[pair[1].1]))
        .collect()
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
