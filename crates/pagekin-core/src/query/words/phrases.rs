//! Phrase matching: which sequences of words a text has, found in one pass over its words.

use crate::interrupt;
use crate::text::{scan_words, ShortWord, WordSink};

/// A set of phrases.
#[derive(Debug)]
pub struct PhraseMatcher<'a> {
    /// Phrases with their numbers, by their first two bytes.
    by_start: Vec<Vec<(usize, &'a str)>>,
    words: JoinedWords,
}

/// The words of a text with single spaces between them.
#[derive(Debug, Default)]
struct JoinedWords(Vec<u8>);

impl WordSink for JoinedWords {
    fn word(&mut self, word: &[u8]) {
        if !self.0.is_empty() {
            self.0.push(b' ');
        }
        self.0.extend_from_slice(word);
    }

    fn short_word(&mut self, word: ShortWord) {
        self.word(word.bytes());
    }
}

impl<'a> PhraseMatcher<'a> {
    /// Phrases, each with single spaces between its words.
    pub fn new(phrases: &'a [String]) -> Self {
        let mut by_start = vec![Vec::new(); 1 << 16];
        for (number, phrase) in phrases.iter().enumerate() {
            by_start[start(phrase.as_bytes())].push((number, phrase.as_str()));
        }
        Self {
            by_start,
            words: JoinedWords::default(),
        }
    }

    /// Marks the phrases that a text has. `found` has one mark for each phrase.
    pub fn mark(&mut self, text: &str, found: &mut [bool]) {
        interrupt::check();
        let mut words = std::mem::take(&mut self.words);
        words.0.clear();
        scan_words(text, &mut words);
        self.mark_words(&words.0, found);
        self.words = words;
    }

    /// The same for words with single spaces between them.
    fn mark_words(&self, words: &[u8], found: &mut [bool]) {
        let mut rest = words;
        while !rest.is_empty() {
            for &(number, phrase) in &self.by_start[start(rest)] {
                if !found[number] {
                    found[number] = starts_with_words(rest, phrase.as_bytes());
                }
            }
            let end = rest.iter().position(|&byte| byte == b' ');
            rest = end.map_or(&[], |end| &rest[end + 1..]);
        }
    }
}

/// The first two bytes as a number. No word is shorter than one, and a space follows it.
fn start(text: &[u8]) -> usize {
    let byte = |at| usize::from(text.get(at).copied().unwrap_or(b' '));
    byte(0) << 8 | byte(1)
}

fn starts_with_words(text: &[u8], phrase: &[u8]) -> bool {
    let rest = text.strip_prefix(phrase);
    rest.is_some_and(|rest| rest.first().is_none_or(|&next| next == b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(phrases: &[&str], text: &str) -> Vec<bool> {
        let phrases: Vec<String> = phrases.iter().map(|&phrase| phrase.into()).collect();
        let mut found = vec![false; phrases.len()];
        PhraseMatcher::new(&phrases).mark(text, &mut found);
        found
    }

    #[test]
    fn phrases_match_whole_words_in_order() {
        let phrases = [
            "old rose",
            "rose garden",
            "old rose garden",
            "garden old",
            "rose",
        ];
        assert_eq!(
            marks(&phrases, "An old: rose garden!"),
            [true, true, true, false, true]
        );
        assert_eq!(
            marks(&phrases, "old roses and rose gardens"),
            [false, false, false, false, true]
        );
        assert_eq!(marks(&phrases, ""), [false; 5]);
        assert_eq!(marks(&["a a b"], "a a a b"), [true]);
        assert!(marks(&[], "a").is_empty());
    }
}
