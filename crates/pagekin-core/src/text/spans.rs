//! Where the words of a text stand in it: the same segmentation as the scanner's, by bytes.

use std::ops::Range;

use super::scanner::letters::{is_ignorable, is_mark, is_spaceless};
use super::scanner::{WordScanner, WordSink};

/// Whether a character may be inside a word: letters, marks, soft hyphens and joiners.
pub fn is_word_part(letter: char) -> bool {
    letter.is_alphabetic() || is_mark(letter) || is_ignorable(letter)
}

/// Hands the words of a text to a sink.
pub fn scan_words(text: &str, sink: &mut impl WordSink) {
    let mut scanner = WordScanner::default();
    scanner.scan(text.as_bytes(), sink);
    scanner.finish(sink);
}

/// The place of each word of a text, in the scanner's order. Bigrams overlap.
#[derive(Debug, Clone)]
pub struct WordSpans<'a> {
    text: &'a str,
    at: usize,
    /// The last letter of a script without spaces, with its marks: a bigram may begin with it.
    last: Option<Range<usize>>,
}

impl<'a> WordSpans<'a> {
    /// The words of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            last: None,
        }
    }

    /// The place of a range of words, counted from 0; empty, at the end, if the range is empty.
    pub fn range_of(text: &str, words: Range<usize>) -> Range<usize> {
        let mut spans = WordSpans::new(text).skip(words.start);
        let Some(first) = spans.next() else {
            return text.len()..text.len();
        };
        match words.len() {
            0 => first.start..first.start,
            1 => first,
            count => {
                first.start
                    ..spans
                        .take(count - 1)
                        .last()
                        .map_or(first.end, |last| last.end)
            }
        }
    }

    /// The characters from a place on.
    fn rest(&self, at: usize) -> impl Iterator<Item = (usize, char)> + 'a {
        self.text[at..]
            .char_indices()
            .map(move |(place, letter)| (at + place, letter))
    }

    /// The end of a word of a script with spaces that begins at a place.
    fn word_end(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let ascii = bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let mut end = start + ascii.count();
        if bytes.get(end).is_none_or(u8::is_ascii) {
            return end;
        }
        for (at, letter) in self.rest(end) {
            if is_mark(letter) || is_spaced(letter) {
                end = at + letter.len_utf8();
            } else if !is_ignorable(letter) {
                break;
            }
        }
        end
    }

    /// The next letter of a script without spaces, if it directly follows a place.
    fn next_letter(&self, from: usize) -> Option<Range<usize>> {
        let (start, first) = self.rest(from).find(|&(_, letter)| !is_ignorable(letter))?;
        if !is_bigram_letter(first) {
            return None;
        }
        let mut end = start + first.len_utf8();
        for (at, letter) in self.rest(end) {
            if is_mark(letter) {
                end = at + letter.len_utf8();
            } else if !is_ignorable(letter) {
                break;
            }
        }
        Some(start..end)
    }
}

impl Iterator for WordSpans<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if let Some(last) = self.last.take() {
            if let Some(next) = self.next_letter(last.end) {
                self.at = next.end;
                self.last = Some(next.clone());
                return Some(last.start..next.end);
            }
        }
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.at..];
            let start = rest
                .iter()
                .position(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
            let start = self.at + start?;
            let letter = self.text[start..].chars().next()?;
            self.at = start + letter.len_utf8();
            if is_spaced(letter) {
                self.at = self.word_end(start);
                return Some(start..self.at);
            }
            if is_bigram_letter(letter) {
                let first = self.next_letter(start)?;
                self.at = first.end;
                let Some(second) = self.next_letter(first.end) else {
                    return Some(first);
                };
                self.at = second.end;
                self.last = Some(second.clone());
                return Some(first.start..second.end);
            }
        }
    }
}

/// A letter of a script that is written with spaces.
fn is_spaced(letter: char) -> bool {
    letter.is_alphabetic() && !is_mark(letter) && !is_spaceless(letter)
}

fn is_bigram_letter(letter: char) -> bool {
    letter.is_alphabetic() && !is_mark(letter) && is_spaceless(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words_of;

    fn spanned(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for span in WordSpans::new(text) {
            let before = words.len();
            scan_words(&text[span], &mut words);
            assert_eq!(words.len(), before + 1, "{text:?}");
        }
        words
    }

    #[test]
    fn spans_are_the_words_of_the_scanner() {
        let long = "é".repeat(90) + "x";
        for text in [
            "Foot\u{200b}ball, don't; CAFÉ e\u{301}te\u{ad}rnal ",
            "東京都 a東b京c 都\u{301}市 タワー1階",
            "ภาษาไทย และ Ελλάδα ΟΔΟΣ \u{ad}x\u{ad}",
            "\u{301}a \u{200d}東\u{200d}京\u{ad} हिन्दी भाषा",
            &long,
            "",
        ] {
            assert_eq!(spanned(text), words_of(text));
        }
    }

    #[test]
    fn spans_of_random_texts_are_the_words_of_the_scanner() {
        let letters = "aZé ΣσIı.1-東京カー\u{30fc}ไทขक";
        let marks_and_others = "\u{ad}\u{200d}\u{200b}\u{301}\u{e31}\u{93f}\u{feff}ﬁ\u{1f1e6}";
        let alphabet: Vec<char> = letters.chars().chain(marks_and_others.chars()).collect();
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            assert_eq!(spanned(&text), words_of(&text), "{text:?}");
        }
    }

    #[test]
    fn words_are_found_by_their_numbers() {
        let text = "One, two; 3 three!";
        let found = |words| &text[WordSpans::range_of(text, words)];
        assert_eq!(found(0..1), "One");
        assert_eq!(found(0..2), "One, two");
        assert_eq!(found(1..9), "two; 3 three");
        assert_eq!(found(1..1), "");
        assert_eq!(WordSpans::range_of(text, 3..4), text.len()..text.len());
    }
}
