//! The places of anchors and breaks as bytes: gaps in LEB128, which are short where they are near.
//!
//! For each anchor: the gap from the first word of the anchor before, and its number of words. For
//! breaks: their number, the gap of each from the one before, and all kinds.

use super::block::{Anchor, Break};
use crate::columns::{put_number, PackedReader};

/// Appends the places of anchors, which are in order of their first words.
pub fn pack_anchors(anchors: &[Anchor], out: &mut Vec<u8>) {
    let mut before = 0;
    for anchor in anchors {
        put_number(anchor.first.wrapping_sub(before), out);
        put_number(anchor.last.wrapping_sub(anchor.first), out);
        before = anchor.first;
    }
}

/// Appends breaks, which are in order.
pub fn pack_breaks(breaks: &[Break], out: &mut Vec<u8>) {
    put_number(breaks.len() as u32, out);
    let mut before = 0;
    for at in breaks {
        put_number(at.position.wrapping_sub(before), out);
        before = at.position;
    }
    out.extend(breaks.iter().map(|at| at.kinds));
}

/// Reads the places of anchors and checks that they are within a page of `words` words.
pub(super) struct AnchorPlaces<'a> {
    numbers: PackedReader<'a>,
    first: u32,
    words: u32,
}

impl<'a> AnchorPlaces<'a> {
    pub(super) fn new(bytes: &'a [u8], words: usize) -> Self {
        Self {
            numbers: PackedReader::new(bytes),
            first: 0,
            words: words as u32,
        }
    }

    /// The first word of the next anchor, and the place after its last.
    pub(super) fn next(&mut self) -> Option<(u32, u32)> {
        self.first = self.first.checked_add(self.numbers.number()?)?;
        let last = self.first.checked_add(self.numbers.number()?)?;
        (last <= self.words).then_some((self.first, last))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// The breaks that [`pack_breaks`] wrote, if they are sound and within a page of `words` words.
pub(super) fn unpack_breaks(bytes: &[u8], words: usize) -> Option<Vec<Break>> {
    let mut numbers = PackedReader::new(bytes);
    let count = numbers.number()? as usize;
    let bytes = numbers.rest();
    // Each break has at least two bytes.
    let (places, kinds) = bytes.split_at(bytes.len().checked_sub(count)?);
    let mut places = PackedReader::new(places);
    let mut breaks = Vec::with_capacity(count);
    let mut position = 0_u32;
    for &kinds in kinds {
        position = position.checked_add(places.number()?)?;
        breaks.push(Break { position, kinds });
    }
    let fits = places.is_empty() && position as usize <= words;
    fits.then_some(breaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor((first, last): (u32, u32)) -> Anchor {
        Anchor {
            first,
            last,
            target: 0,
        }
    }

    #[test]
    fn places_are_read_as_they_were_written() {
        let places = [
            (0, 0),
            (0, 3),
            (3, 3),
            (400, 70_000),
            (u32::MAX - 1, u32::MAX),
        ];
        let mut bytes = Vec::new();
        pack_anchors(&places.map(anchor), &mut bytes);
        let mut read = AnchorPlaces::new(&bytes, u32::MAX as usize);
        assert_eq!(places.map(Some), places.map(|_| read.next()));
        assert!(read.is_at_end());
        assert_eq!(read.next(), None);

        let breaks: Vec<Break> = [(0, 1), (7, 255), (u32::MAX, 32)]
            .map(|(position, kinds)| Break { position, kinds })
            .to_vec();
        let mut bytes = Vec::new();
        pack_breaks(&breaks, &mut bytes);
        assert_eq!(unpack_breaks(&bytes, u32::MAX as usize), Some(breaks));
    }

    #[test]
    fn places_outside_of_a_page_are_refused() {
        let mut bytes = Vec::new();
        pack_anchors(&[anchor((2, 5))], &mut bytes);
        assert_eq!(AnchorPlaces::new(&bytes, 5).next(), Some((2, 5)));
        assert_eq!(AnchorPlaces::new(&bytes, 4).next(), None);
        bytes.clear();
        let breaks = [Break {
            position: 9,
            kinds: 1,
        }];
        pack_breaks(&breaks, &mut bytes);
        assert!(unpack_breaks(&bytes, 9).is_some());
        assert_eq!(unpack_breaks(&bytes, 8), None);
    }

    #[test]
    fn broken_bytes_are_refused() {
        for bytes in [&[0xff; 9][..], &[0xff, 0xff, 0xff, 0xff, 0x1f, 0], &[0x80]] {
            assert_eq!(
                AnchorPlaces::new(bytes, usize::MAX).next(),
                None,
                "{bytes:?}"
            );
        }
        for bytes in [&[][..], &[9, 1, 1], &[1, 0], &[1, 0, 0, 1], &[0, 7]] {
            assert_eq!(unpack_breaks(bytes, 100), None, "{bytes:?}");
        }
    }
}
