//! Text to words.
//!
//! A word is a run of Unicode letters with the combining marks that follow
//! them, in lower case and NFC. Soft hyphens and joiners inside a run are
//! dropped. Scripts that are written without spaces (Han, kana, Thai, Lao,
//! Khmer, Myanmar) have no runs that are words, so there each pair of
//! neighbouring letters is a word, and a lone letter is one.

use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

use super::letters::{
    decode, is_ignorable, is_mark, is_plain_spaceless, is_punctuation, is_spaceless, kind_of, Kind,
};
use super::marks::{parts, plain_words};
use super::run::Run;
use super::short::ShortWord;
use super::units::Units;

/// Lower-case letter for an ASCII letter, 0 for other ASCII, 1 for the rest.
const CLASS: [u8; 256] = classes();

/// The same, and 2 for what may end text in a page or is none: what becomes of NUL, a page's
/// tree decides.
const MARKUP_CLASS: [u8; 256] = {
    let mut table = CLASS;
    table[b'<' as usize] = 2;
    table[b'&' as usize] = 2;
    table[0] = 2;
    table
};

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => byte as u8 + 32,
            b'a'..=b'z' => byte as u8,
            0x80..=0xff => 1,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Takes words as they are found.
pub trait WordSink {
    /// A word in its final form.
    fn word(&mut self, word: &[u8]);
    /// A word of up to 15 letters in its final form: the usual word.
    fn short_word(&mut self, word: ShortWord);
}

/// Cuts text into words, piece by piece: a run may go on in the next piece
/// until [`WordScanner::finish`] ends it.
#[derive(Debug, Default)]
pub struct WordScanner {
    run: Run,
    plain: bool,
    units: Units,
}

impl WordScanner {
    /// Scans a piece of UTF-8 text and hands each finished word to `sink`.
    #[inline]
    pub fn scan(&mut self, text: &[u8], sink: &mut impl WordSink) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at = match CLASS[byte as usize] {
                0 => {
                    self.finish(sink);
                    past_separators(text, at + 1)
                }
                1 => self.other(text, at, sink),
                _ => self.ascii_letters(text, at, sink),
            };
        }
    }

    /// Scans a page from `from` to the next `<`, `&` or NUL and returns where that is.
    /// A word that a tag or comment ends is handed on, for no word goes on behind them.
    #[inline]
    pub fn scan_before_markup(
        &mut self,
        html: &[u8],
        from: usize,
        sink: &mut impl WordSink,
    ) -> usize {
        let mut at = if self.is_idle() {
            plain_words(html, from, sink)
        } else {
            from
        };
        while let Some(&byte) = html.get(at) {
            at = match MARKUP_CLASS[byte as usize] {
                0 => {
                    self.finish(sink);
                    plain_words(html, at + 1, sink)
                }
                1 => self.other(html, at, sink),
                2 => break,
                _ => self.letters_before_markup(html, at, sink),
            };
        }
        at
    }

    #[inline]
    fn letters_before_markup(
        &mut self,
        html: &[u8],
        start: usize,
        sink: &mut impl WordSink,
    ) -> usize {
        if self.is_idle() {
            if let Some(word) = ShortWord::at(html, start) {
                let end = start + word.length();
                if parts(&html[end..]) {
                    sink.short_word(word);
                    return plain_words(html, end, sink);
                }
            }
        }
        self.more_letters(html, start, sink)
    }

    /// Ends the run, if there is one.
    #[inline]
    pub fn finish(&mut self, sink: &mut impl WordSink) {
        if !self.run.is_empty() {
            match self.run.short() {
                Some(word) if self.plain => sink.short_word(word),
                None if self.plain => sink.word(self.run.bytes()),
                _ => self.normalised(sink),
            }
            self.run.clear();
        } else {
            self.units.finish(sink);
        }
    }

    /// Whether no run is under way.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.run.is_empty() && self.units.is_empty()
    }

    #[inline]
    fn ascii_letters(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        if self.is_idle() {
            if let Some(word) = ShortWord::at(text, start) {
                sink.short_word(word);
                return past_separators(text, start + word.length());
            }
        }
        self.more_letters(text, start, sink)
    }

    fn more_letters(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        self.units.finish(sink);
        if self.run.is_empty() {
            self.plain = true;
        }
        let rest = &text[start..];
        let length = rest
            .iter()
            .position(|&byte| CLASS[byte as usize] < 2)
            .unwrap_or(rest.len());
        self.run.push_ascii(&rest[..length]);
        start + length
    }

    /// What is not ASCII, from `start` on; most of it is told by a look at two bytes.
    fn other(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        let mut at = start;
        while let [first @ 0x80..=0xff, second, third, ..] = text[at..] {
            at += match kind_of(first, second) {
                Kind::Letter(lower) => self.letter(lower, sink),
                Kind::Separator => self.separator(2, sink),
                Kind::Other if is_punctuation([first, second, third]) => self.separator(3, sink),
                Kind::Other => break,
            };
        }
        if at > start {
            at
        } else {
            self.any_other(text, at, sink)
        }
    }

    fn letter(&mut self, lower: [u8; 2], sink: &mut impl WordSink) -> usize {
        self.units.finish(sink);
        if self.run.is_empty() {
            self.plain = true;
        }
        self.run.push(&lower);
        lower.len()
    }

    fn separator(&mut self, length: usize, sink: &mut impl WordSink) -> usize {
        self.finish(sink);
        length
    }

    fn any_other(&mut self, text: &[u8], start: usize, sink: &mut impl WordSink) -> usize {
        let (letter, length) = decode(&text[start..]);
        self.other_letter(letter, sink);
        start + length
    }

    fn other_letter(&mut self, letter: char, sink: &mut impl WordSink) {
        let plain = is_plain_spaceless(letter);
        if plain || letter.is_alphabetic() && !is_mark(letter) {
            if plain || is_spaceless(letter) {
                if !self.run.is_empty() {
                    self.finish(sink);
                }
                self.units.letter(letter, sink);
            } else {
                self.units.finish(sink);
                self.push(letter);
            }
        } else if is_ignorable(letter) {
        } else if is_mark(letter) && !self.run.is_empty() {
            self.push(letter);
        } else if is_mark(letter) && !self.units.is_empty() {
            self.units.mark(letter);
        } else {
            self.finish(sink);
        }
    }

    fn push(&mut self, letter: char) {
        self.plain = false;
        self.run.push(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn normalised(&mut self, sink: &mut impl WordSink) {
        let run = String::from_utf8_lossy(self.run.bytes());
        let lower = run.to_lowercase();
        if is_nfc_quick(lower.chars()) == IsNormalized::Yes {
            sink.word(lower.as_bytes());
        } else {
            sink.word(lower.nfc().collect::<String>().as_bytes());
        }
    }
}

/// The first place from here that is not ASCII, is a letter or may end text.
#[inline]
fn past_separators(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && MARKUP_CLASS[text[at] as usize] == 0 {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests;
