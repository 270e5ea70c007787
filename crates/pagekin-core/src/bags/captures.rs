//! One capture a URL: the latest wins, whatever the order of the files.

use std::collections::BTreeMap;

use crate::exchange::Segment;

/// The captures that a later one of the same URL replaces, one bit a capture.
#[derive(Debug, Default)]
pub struct Superseded {
    runs: BTreeMap<u32, Vec<u64>>,
    count: usize,
}

impl Superseded {
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
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// How many distinct URLs the segments of one partition speak of.
pub fn distinct_urls(segments: &[Segment]) -> usize {
    let mut ids: Vec<u64> = segments
        .iter()
        .flat_map(|segment| &segment.url_ids)
        .copied()
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

/// The captures (run, page) of one partition that are replaced by a later one.
/// Of captures with the same date, the content decides, then the place.
pub fn superseded(segments: &[Segment]) -> Vec<(u32, u32)> {
    let mut captures: Vec<(usize, usize)> = segments
        .iter()
        .enumerate()
        .flat_map(|(segment, part)| (0..part.pages.number.len()).map(move |page| (segment, page)))
        .collect();
    let url = |&(segment, page): &(usize, usize)| segments[segment].url_id_of(page);
    let place = |&(segment, page): &(usize, usize)| {
        let part = &segments[segment];
        let pages = &part.pages;
        (
            std::cmp::Reverse((pages.date[page], pages.digest[page])),
            part.file_of(page),
            pages.offset[page],
        )
    };
    captures.sort_unstable_by(|one, other| {
        url(one)
            .cmp(&url(other))
            .then_with(|| place(one).cmp(&place(other)))
    });
    captures
        .windows(2)
        .filter(|pair| url(&pair[0]) == url(&pair[1]))
        .map(|pair| {
            (
                segments[pair[1].0].run,
                segments[pair[1].0].pages.number[pair[1].1],
            )
        })
        .collect()
}
