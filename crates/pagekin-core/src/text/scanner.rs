//! Word segmentation: text to words.
//!
//! A word is a sequence of Unicode letters with the combining marks that follow them, in lower case
//! and NFC. Soft hyphens and joiners inside it are dropped. In scripts that are written without
//! spaces (Han, kana, Thai, Lao, Khmer, Myanmar) each bigram of neighbouring letters is a word, and
//! so is a lone letter.

pub(super) mod bigrams;
pub(super) mod buffer;
pub(super) mod letters;
pub(super) mod masks;

use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

use super::scanner::bigrams::BigramBuffer;
use super::scanner::buffer::LetterBuffer;
use super::scanner::letters::{
    decode, is_ignorable, is_mark, is_plain_spaceless, is_punctuation, is_spaceless, kind_of,
    LetterKind,
};
use super::scanner::masks::scan_ascii;
use super::short::ShortWord;

/// Where a text ends inside a larger document.
pub trait TextEnd {
    /// The ASCII bytes that end the text; none of them is a letter.
    const BYTES: &'static [u8];

    /// Whether a word certainly ends before `rest`, which begins with another ASCII character.
    fn ends_word(rest: &[u8]) -> bool;
}

/// The text is the whole document.
struct DocumentEnd;

impl TextEnd for DocumentEnd {
    const BYTES: &'static [u8] = &[];

    fn ends_word(_: &[u8]) -> bool {
        true
    }
}

/// Takes words as they are found.
pub trait WordSink {
    /// A word in its final form.
    fn word(&mut self, word: &[u8]);
    /// A word of up to 15 letters in its final form: the usual word.
    fn short_word(&mut self, word: ShortWord);
}

impl WordSink for Vec<String> {
    fn word(&mut self, word: &[u8]) {
        self.push(String::from_utf8_lossy(word).into_owned());
    }

    fn short_word(&mut self, word: ShortWord) {
        self.word(word.bytes());
    }
}

/// Cuts text into words, piece by piece: a word may go on in the next piece until
/// [`WordScanner::finish`] ends it.
#[derive(Debug, Default)]
pub struct WordScanner {
    letters: LetterBuffer,
    /// The letters are in lower case and NFC.
    is_final: bool,
    bigrams: BigramBuffer,
}

impl WordScanner {
    /// Scans a piece of UTF-8 text and hands each finished word to `sink`.
    #[inline]
    pub fn scan(&mut self, text: &[u8], sink: &mut impl WordSink) {
        self.scan_until::<DocumentEnd>(text, 0, sink);
    }

    /// Scans text from `from` to its end and returns where that is. If [`TextEnd::ends_word`] says
    /// so, the last word is handed on; otherwise it may go on in the next piece.
    #[inline]
    pub fn scan_until<E: TextEnd>(
        &mut self,
        text: &[u8],
        from: usize,
        sink: &mut impl WordSink,
    ) -> usize {
        let mut at = if self.is_idle() {
            scan_ascii::<E>(text, from, sink)
        } else {
            from
        };
        while let Some(&byte) = text.get(at) {
            at = match byte {
                b'a'..=b'z' | b'A'..=b'Z' => self.ascii_letters(text, at, sink),
                0x80.. => self.non_ascii(text, at, sink),
                _ if E::BYTES.contains(&byte) => break,
                _ => {
                    self.finish(sink);
                    scan_ascii::<E>(text, at + 1, sink)
                }
            };
        }
        at
    }

    /// Ends the word, if one is open.
    #[inline]
    pub fn finish(&mut self, sink: &mut impl WordSink) {
        if !self.letters.is_empty() {
            match self.letters.short() {
                Some(word) if self.is_final => sink.short_word(word),
                None if self.is_final => sink.word(self.letters.bytes()),
                _ => self.normalise(sink),
            }
            self.letters.clear();
        } else {
            self.bigrams.finish(sink);
        }
    }

    /// Whether no word is open.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.letters.is_empty() && self.bigrams.is_empty()
    }

    fn ascii_letters(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        self.bigrams.finish(sink);
        if self.letters.is_empty() {
            self.is_final = true;
        }
        let rest = &text[start..];
        let length = rest
            .iter()
            .position(|&byte| !byte.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        self.letters.push_ascii(&rest[..length]);
        start + length
    }

    /// Scans non-ASCII from `start` on. A table knows most characters of two bytes.
    fn non_ascii(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        let mut at = start;
        while let [first @ 0x80..=0xff, second, third, ..] = text[at..] {
            at += match kind_of(first, second) {
                LetterKind::Letter(lower) => self.letter(lower, sink),
                LetterKind::Separator => self.separator(2, sink),
                LetterKind::Other if is_punctuation([first, second, third]) => {
                    self.separator(3, sink)
                }
                LetterKind::Other => break,
            };
        }
        if at > start {
            at
        } else {
            self.any_character(text, at, sink)
        }
    }

    fn letter(&mut self, lower: [u8; 2], sink: &mut impl WordSink) -> usize {
        self.bigrams.finish(sink);
        if self.letters.is_empty() {
            self.is_final = true;
        }
        self.letters.push(&lower);
        lower.len()
    }

    fn separator(&mut self, length: usize, sink: &mut impl WordSink) -> usize {
        self.finish(sink);
        length
    }

    fn any_character(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        let (letter, length) = decode(&text[start..]);
        self.character(letter, sink);
        start + length
    }

    fn character(&mut self, letter: char, sink: &mut impl WordSink) {
        let plain = is_plain_spaceless(letter);
        if plain || letter.is_alphabetic() && !is_mark(letter) {
            if plain || is_spaceless(letter) {
                if !self.letters.is_empty() {
                    self.finish(sink);
                }
                self.bigrams.letter(letter, sink);
            } else {
                self.bigrams.finish(sink);
                self.push(letter);
            }
        } else if is_ignorable(letter) {
        } else if is_mark(letter) && !self.letters.is_empty() {
            self.push(letter);
        } else if is_mark(letter) && !self.bigrams.is_empty() {
            self.bigrams.mark(letter);
        } else {
            self.finish(sink);
        }
    }

    fn push(&mut self, letter: char) {
        self.is_final = false;
        self.letters
            .push(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn normalise(&mut self, sink: &mut impl WordSink) {
        let letters = String::from_utf8_lossy(self.letters.bytes());
        let lower = letters.to_lowercase();
        if is_nfc_quick(lower.chars()) == IsNormalized::Yes {
            sink.word(lower.as_bytes());
        } else {
            sink.word(lower.nfc().collect::<String>().as_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
