//! A hash of a sequence of words, by which pages with the same words are found.

use xxhash_rust::xxh3::xxh3_64;

use super::scanner::WordSink;
use super::short::ShortWord;
use super::spans::scan_words;
use crate::hash::mixed;

/// The words of a text: how many, and a hash of all in their order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct WordDigest {
    /// How many there are.
    pub words: u32,
    /// A hash of them.
    pub digest: u64,
}

impl WordDigest {
    /// Of words by their hashes.
    pub fn of_hashes(hashes: impl ExactSizeIterator<Item = u64>) -> Self {
        Self {
            words: hashes.len() as u32,
            digest: mixed(0, hashes),
        }
    }

    /// Of the words of a text.
    pub fn of_text(text: &str) -> Self {
        let mut hashes = WordHashes(Vec::new());
        scan_words(text, &mut hashes);
        Self::of_hashes(hashes.0.into_iter())
    }

    /// The hash of one word.
    pub fn hash(word: &[u8]) -> u64 {
        xxh3_64(word)
    }
}

struct WordHashes(Vec<u64>);

impl WordSink for WordHashes {
    fn word(&mut self, word: &[u8]) {
        self.0.push(WordDigest::hash(word));
    }

    fn short_word(&mut self, word: ShortWord) {
        self.word(word.bytes());
    }
}
