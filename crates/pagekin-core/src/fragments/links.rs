//! The links of a block, with their windows as overlapping slices of one array.

use std::ops::Range;

use crate::columns::{check_length, clear_for, impl_column, CodecError, Column, Ragged};

/// Links of a block, as columns. `windows` holds each link's words: left,
/// own, right, without stop words. Windows of neighbouring links overlap, and the words they share
/// are stored once.
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
    /// Overlap of a link's window with those of the links before it, in words.
    pub(crate) back: Vec<u32>,
    /// The key of the pagelet that each link is in; none if templates are evidence.
    pub(crate) pagelet: Vec<u64>,
    /// Where in `windows` the words of a pagelet begin, and its key.
    pub(crate) shown_at: Vec<u32>,
    pub(crate) shown_key: Vec<u64>,
    /// Where each link's window begins in `windows`; filled when unpacked.
    starts: Vec<usize>,
    /// Each link's place among those of templates, and the words of these; filled by
    /// [`LinkColumns::leave_out`].
    template_place: Vec<u32>,
    template_words: Ragged<u32>,
}

/// The place of a link that is not in a template.
const NO_TEMPLATE: u32 = u32::MAX;

impl_column!(LinkColumns {
    target,
    source,
    page,
    places,
    counts,
    windows,
    back,
    pagelet,
    shown_at,
    shown_key,
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

    /// Leaves out the words of templates: they become `none` in all windows. A link in a template
    /// keeps its own words.
    pub(crate) fn leave_out(&mut self, is_template: impl Fn(u64) -> bool, none: u32) {
        self.template_words.clear();
        self.template_place.clear();
        for (link, &key) in self.pagelet.iter().enumerate() {
            let is_template = is_template(key);
            let place = self.template_words.len() as u32;
            self.template_place
                .push(if is_template { place } else { NO_TEMPLATE });
            if is_template {
                let range = self.own_range(link);
                self.template_words
                    .push(self.windows[range].iter().copied());
            }
        }
        let ends = self.shown_at.iter().skip(1).copied();
        let ends = ends.chain([self.windows.len() as u32]);
        let parts = self.shown_at.iter().zip(ends).zip(&self.shown_key);
        for ((&start, end), _) in parts.filter(|(_, &key)| is_template(key)) {
            self.windows[start as usize..end as usize].fill(none);
        }
    }

    /// Where the words of a link's window are.
    pub(super) fn window_range(&self, link: usize) -> Range<usize> {
        let words: u32 = self.counts[link * 3..link * 3 + 3].iter().sum();
        self.starts[link]..self.starts[link] + words as usize
    }

    fn own_range(&self, link: usize) -> Range<usize> {
        let start = self.starts[link] + self.counts[link * 3] as usize;
        start..start + self.counts[link * 3 + 1] as usize
    }

    /// The own words of a link in a template; `None` for any other link.
    #[inline]
    pub(crate) fn template_words_of(&self, link: usize) -> Option<&[u32]> {
        let place = self.template_place.get(link).copied();
        let place = place.filter(|&place| place != NO_TEMPLATE)?;
        Some(self.template_words.row(place as usize))
    }

    /// Finds where windows begin, if all columns have as many links and all words are there.
    pub(super) fn find_starts(&mut self) -> Result<(), CodecError> {
        let links = self.target.len();
        for length in [self.source.len(), self.page.len(), self.back.len()] {
            check_length("links of a block", links, length)?;
        }
        if !self.pagelet.is_empty() {
            check_length("links in pagelets", links, self.pagelet.len())?;
        }
        self.check_shown()?;
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

    fn check_shown(&self) -> Result<(), CodecError> {
        check_length(
            "pagelets of windows",
            self.shown_at.len(),
            self.shown_key.len(),
        )?;
        let words = self.windows.len();
        let starts = self.shown_at.iter().map(|&at| at as usize).chain([words]);
        if starts.is_sorted() {
            return Ok(());
        }
        Err(CodecError::outside("pagelets of windows in order", 1, 0))
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
