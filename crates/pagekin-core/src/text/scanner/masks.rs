//! Words of ASCII text by bit masks (SIMD), sixty-four bytes at a time.
//!
//! Counting bits finds the end of a word without looking at one byte after another. Word lengths
//! are unpredictable, and a mispredicted branch costs as much as sixty-four bytes do here.

use std::ops::Range;

use wide::{i8x16, CmpEq, CmpGt, CmpLt};

use crate::text::scanner::{TextEnd, WordSink};
use crate::text::short::{ShortWord, LONGEST_SHORT, WINDOW};

/// How many bytes one mask covers.
const MARKED: usize = 64;
/// Those, and as many more as it takes to copy a word that begins in them.
const SEEN: usize = MARKED + WINDOW;

/// One bit for each byte, the first byte lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextMasks {
    /// ASCII letters.
    letters: u64,
    /// The bytes that end the text, and non-ASCII.
    ends: u64,
}

impl TextMasks {
    /// The masks of the first bytes.
    #[inline]
    fn of<E: TextEnd>(seen: &[u8; SEEN]) -> Self {
        let mut masks = Self {
            letters: 0,
            ends: 0,
        };
        let (sixteens, _) = seen[..MARKED].as_chunks();
        for (place, sixteen) in sixteens.iter().enumerate() {
            let (letters, ends) = masks_of_sixteen::<E>(sixteen);
            masks.letters |= letters << (16 * place);
            masks.ends |= ends << (16 * place);
        }
        masks
    }

    /// Where ASCII text ends.
    #[inline]
    fn end(self) -> usize {
        self.ends.trailing_zeros() as usize
    }

    /// The letters of the words before the end, and the range of the last word if it reaches the
    /// end, where it may go on.
    #[inline]
    fn words(self) -> (u64, Range<usize>) {
        let end = self.end();
        let letters = self.letters & below(end);
        let reaching = letters << ((MARKED - end) % MARKED);
        let start = end - (reaching.leading_ones() as usize).min(end);
        (letters & below(start), start..end)
    }
}

/// The lowest bits.
#[inline]
fn below(count: usize) -> u64 {
    !u64::MAX.checked_shl(count as u32).unwrap_or(0)
}

/// Letters and ends.
#[inline]
fn masks_of_sixteen<E: TextEnd>(bytes: &[u8; 16]) -> (u64, u64) {
    let bytes = i8x16::from(bytes.map(|byte| byte as i8));
    let all = |byte: u8| i8x16::splat(byte as i8);
    let lower = bytes | all(0x20);
    // Bytes are signed here: non-ASCII is below all letters.
    let letters = lower.cmp_gt(all(b'a' - 1)) & lower.cmp_lt(all(b'z' + 1));
    let ends = E::BYTES.iter().map(|&end| bytes.cmp_eq(all(end)));
    let ends = ends.fold(all(0), |ends, end| ends | end);
    // A mask takes the highest bit of each byte, which is set in non-ASCII.
    let mask = |marked: i8x16| u64::from(marked.move_mask() as u32);
    (mask(letters), mask(ends | bytes))
}

/// Hands on the words of ASCII text from here on. Returns where it stops: at the text's end, at
/// non-ASCII, or at a word that is long or may go on.
#[inline]
pub(in crate::text) fn scan_ascii<E: TextEnd>(
    text: &[u8],
    from: usize,
    sink: &mut impl WordSink,
) -> usize {
    let mut at = from;
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let masks = TextMasks::of::<E>(bytes);
        let (whole, open) = masks.words();
        let mut letters = whole;
        while letters != 0 {
            let start = letters.trailing_zeros() as usize;
            let length = (letters >> start).trailing_ones() as usize;
            if length > LONGEST_SHORT {
                return at + start;
            }
            sink.short_word(ShortWord::cut(bytes, start, length));
            letters &= u64::MAX << (start + length);
        }
        let end = masks.end();
        if end < MARKED {
            if open.is_empty() {
                return at + end;
            }
            let is_short = open.len() <= LONGEST_SHORT;
            if !is_short || !bytes[end].is_ascii() || !E::ends_word(&text[at + end..]) {
                return at + open.start;
            }
            sink.short_word(ShortWord::cut(bytes, open.start, open.len()));
            return at + end;
        }
        if open.len() == MARKED {
            return at;
        }
        at += open.start;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Markup;

    impl TextEnd for Markup {
        const BYTES: &'static [u8] = b"<&\0";

        fn ends_word(_: &[u8]) -> bool {
            true
        }
    }

    fn masks(text: &[u8]) -> TextMasks {
        let mut bytes = [b' '; SEEN];
        bytes[..text.len()].copy_from_slice(text);
        TextMasks::of::<Markup>(&bytes)
    }

    #[test]
    fn masks_are_right_for_every_byte_and_position() {
        for byte in 0..=255u8 {
            for place in 0..MARKED {
                let mut text = [b' '; MARKED];
                text[place] = byte;
                let bit = |is: bool| u64::from(is) << place;
                let expected = TextMasks {
                    letters: bit(byte.is_ascii_alphabetic()),
                    ends: bit(matches!(byte, b'<' | b'&' | 0) || !byte.is_ascii()),
                };
                assert_eq!(masks(&text), expected, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn word_that_reaches_the_end_is_reported_separately() {
        assert_eq!(masks(b"a bc<d").words(), (0b1, 2..4));
        assert_eq!(masks(b"a bc <d").words(), (0b1101, 5..5));
        assert_eq!(masks(b"<d").words(), (0, 0..0));
        assert_eq!(masks(b"bc<d").words(), (0, 0..2));
        assert_eq!(masks(b"bc").words(), (0b11, 64..64));
        assert_eq!(masks(&[b'x'; MARKED]).words(), (0, 0..64));
        let mut text = [b'x'; MARKED];
        text[3] = b' ';
        assert_eq!(masks(&text).words(), (0b111, 4..64));
    }
}
