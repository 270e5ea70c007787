//! The links of a block, with their windows as overlapping slices of one array.

use crate::columns::{check_length, clear_for, impl_column, CodecError};

/// Links of a block, as columns. `windows` holds each link's words: left,
/// own, right, without stop words. Windows of links near each other overlap, and what they share
/// is there once.
#[derive(Debug, Default)]
pub struct LinkColumns {
    pub(crate) target: Vec<u32>,
    pub(crate) source: Vec<u64>,
    pub(crate) page: Vec<u32>,
    /// from, first, last, to: word positions on the linking page, four a link.
    pub(crate) places: Vec<u32>,
    /// Words left, own, right: three a link.
    pub(crate) counts: Vec<u32>,
    pub(crate) windows: Vec<u32>,
    /// How far before the end of the windows of the links before it a link's window begins.
    pub(crate) back: Vec<u32>,
    /// Where each link's window begins in `windows`; filled when unpacked.
    starts: Vec<usize>,
}

impl_column!(LinkColumns {
    target,
    source,
    page,
    places,
    counts,
    windows,
    back,
});

impl LinkColumns {
    /// The words of a link's window: left, own, right.
    #[inline]
    pub(crate) fn window_of(&self, link: usize) -> [&[u32]; 3] {
        let counts = &self.counts[link * 3..link * 3 + 3];
        let rest = &self.windows[self.starts[link]..];
        let (left, rest) = rest.split_at(counts[0] as usize);
        let (own, rest) = rest.split_at(counts[1] as usize);
        [left, own, &rest[..counts[2] as usize]]
    }

    /// Finds where windows begin, if all columns have as many links and all words are there.
    pub(super) fn find_starts(&mut self) -> Result<(), CodecError> {
        let links = self.target.len();
        for length in [self.source.len(), self.page.len(), self.back.len()] {
            check_length("links of a block", links, length)?;
        }
        check_length("places of links", 4 * links, self.places.len())?;
        check_length("windows of links", 3 * links, self.counts.len())?;
        let (counts, _) = self.counts.as_chunks::<3>();
        clear_for(&mut self.starts, links);
        let mut end = 0;
        for (counts, &back) in counts.iter().zip(&self.back) {
            let start = usize::checked_sub(end, back as usize).ok_or(CodecError {
                what: "words before a window",
                expected: u64::from(back),
                found: end as u64,
            })?;
            let count: usize = counts.iter().map(|&count| count as usize).sum();
            self.starts.push(start);
            end = end.max(start + count);
        }
        check_length("words of windows", end, self.windows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(counts: &[[u32; 3]], back: &[u32], windows: &[u32]) -> LinkColumns {
        LinkColumns {
            target: vec![0; counts.len()],
            source: vec![0; counts.len()],
            page: vec![0; counts.len()],
            places: vec![0; 4 * counts.len()],
            counts: counts.as_flattened().to_vec(),
            back: back.to_vec(),
            windows: windows.to_vec(),
            ..LinkColumns::default()
        }
    }

    #[test]
    fn overlapping_and_separate_windows_are_found() {
        let counts = [[1, 1, 1], [0, 1, 1], [0, 0, 0], [1, 1, 0], [0, 0, 1]];
        let mut links = links(&counts, &[0, 1, 0, 2, 0], &[10, 11, 12, 13, 20]);
        assert_eq!(links.find_starts(), Ok(()));
        let window = |link| links.window_of(link).map(<[u32]>::to_vec);
        assert_eq!(window(0), [vec![10], vec![11], vec![12]]);
        assert_eq!(window(1), [vec![], vec![12], vec![13]]);
        assert_eq!(window(2), [vec![], vec![], vec![]]);
        assert_eq!(window(3), [vec![12], vec![13], vec![]]);
        assert_eq!(window(4), [vec![], vec![], vec![20]]);
    }

    #[test]
    fn windows_that_do_not_match_their_words_are_rejected() {
        let mut links = links(&[[0, 1, 0]], &[1], &[7]);
        assert!(links.find_starts().is_err());
        links.back[0] = 0;
        assert_eq!(links.find_starts(), Ok(()));
        links.windows.push(8);
        assert!(links.find_starts().is_err());
    }

    #[test]
    fn link_columns_of_different_lengths_are_rejected() {
        let sound = || links(&[[0, 1, 0], [0, 0, 0]], &[0, 0], &[7]);
        assert_eq!(sound().find_starts(), Ok(()));
        let changes: [fn(&mut LinkColumns); 6] = [
            |links| links.target.push(0),
            |links| links.source.push(0),
            |links| links.page.truncate(1),
            |links| links.places.truncate(7),
            |links| links.counts.push(0),
            |links| links.back.truncate(1),
        ];
        for change in changes {
            let mut links = sound();
            change(&mut links);
            assert!(links.find_starts().is_err());
        }
    }
}
