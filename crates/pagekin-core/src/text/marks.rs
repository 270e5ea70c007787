//! The words of plain text, by what sixty-four bytes are, one bit a byte.
//!
//! The end of a word is found by counting bits instead of by looking at one byte
//! after another: how long a word is cannot be foretold, and each wrong guess of
//! the processor costs as much as sixty-four bytes do here.

use std::ops::Range;

use wide::{i8x16, CmpEq, CmpGt, CmpLt};

use super::scanner::WordSink;
use super::short::{ShortWord, LONGEST_SHORT, WINDOW};

/// How many bytes are looked at together.
const MARKED: usize = 64;
/// Those, and as many more as it takes to cut out a word that begins in them.
const SEEN: usize = MARKED + WINDOW;

/// The first byte is the lowest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks {
    /// ASCII letters.
    letters: u64,
    /// Where plain text ends: `<`, `&`, NUL and what is not ASCII.
    ends: u64,
}

impl Marks {
    /// The marks of the first bytes.
    #[inline]
    fn of(seen: &[u8; SEEN]) -> Self {
        let mut marks = Self {
            letters: 0,
            ends: 0,
        };
        let (sixteens, _) = seen[..MARKED].as_chunks();
        for (place, sixteen) in sixteens.iter().enumerate() {
            let (letters, ends) = marks_of_sixteen(sixteen);
            marks.letters |= letters << (16 * place);
            marks.ends |= ends << (16 * place);
        }
        marks
    }

    /// Where plain text ends.
    #[inline]
    fn end(self) -> usize {
        self.ends.trailing_zeros() as usize
    }

    /// The letters of the words before the end, and where the last word is if it
    /// reaches the end: it may go on there.
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
fn marks_of_sixteen(bytes: &[u8; 16]) -> (u64, u64) {
    let bytes = i8x16::from(bytes.map(|byte| byte as i8));
    let all = |byte: u8| i8x16::splat(byte as i8);
    let lower = bytes | all(0x20);
    // Bytes are signed here: what is not ASCII is below all letters.
    let letters = lower.cmp_gt(all(b'a' - 1)) & lower.cmp_lt(all(b'z' + 1));
    let markup = bytes.cmp_eq(all(b'<')) | bytes.cmp_eq(all(b'&')) | bytes.cmp_eq(all(0));
    // A mask takes the highest bit of each byte, which is set in what is not ASCII.
    let mask = |marked: i8x16| u64::from(marked.move_mask() as u32);
    (mask(letters), mask(markup | bytes))
}

/// Hands on the words of plain text from here on, and returns where it ends: at
/// what is not ASCII or may be markup, or at a word that is long or may go on.
#[inline]
pub(super) fn plain_words(html: &[u8], from: usize, sink: &mut impl WordSink) -> usize {
    let mut at = from;
    while let Some(bytes) = html.get(at..).and_then(|rest| rest.first_chunk()) {
        let marks = Marks::of(bytes);
        let (whole, open) = marks.words();
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
        let end = marks.end();
        if end < MARKED {
            let ends =
                open.len() <= LONGEST_SHORT && bytes[end] == b'<' && parts(&html[at + end..]);
            if !open.is_empty() && !ends {
                return at + open.start;
            }
            if !open.is_empty() {
                sink.short_word(ShortWord::cut(bytes, open.start, open.len()));
            }
            return at + end;
        }
        if open.len() == MARKED {
            return at;
        }
        at += open.start;
    }
    at
}

/// Whether what follows a word surely parts it from the next: a reference may
/// be a letter, and what is no tag may be ignored.
#[inline]
pub(super) fn parts(rest: &[u8]) -> bool {
    match rest {
        [b'&', ..] => false,
        [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => true,
        [b'<', b'!', b'-', ..] => true,
        [b'<', ..] => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &[u8]) -> Marks {
        let mut bytes = [b' '; SEEN];
        bytes[..text.len()].copy_from_slice(text);
        Marks::of(&bytes)
    }

    #[test]
    fn every_byte_has_its_marks_in_every_place() {
        for byte in 0..=255u8 {
            for place in 0..MARKED {
                let mut text = [b' '; MARKED];
                text[place] = byte;
                let mark = |is: bool| u64::from(is) << place;
                let expected = Marks {
                    letters: mark(byte.is_ascii_alphabetic()),
                    ends: mark(matches!(byte, b'<' | b'&' | 0) || !byte.is_ascii()),
                };
                assert_eq!(marks(&text), expected, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn a_word_that_reaches_the_end_is_told_apart() {
        assert_eq!(marks(b"a bc<d").words(), (0b1, 2..4));
        assert_eq!(marks(b"a bc <d").words(), (0b1101, 5..5));
        assert_eq!(marks(b"<d").words(), (0, 0..0));
        assert_eq!(marks(b"bc<d").words(), (0, 0..2));
        assert_eq!(marks(b"bc").words(), (0b11, 64..64));
        assert_eq!(marks(&[b'x'; MARKED]).words(), (0, 0..64));
        let mut text = [b'x'; MARKED];
        text[3] = b' ';
        assert_eq!(marks(&text).words(), (0b111, 4..64));
    }
}
