//! A trie of phrases over words: finds phrases of any length in one pass over a text. Its hash
//! tables have a random seed, because pages choose the words.

use std::collections::HashMap;

const ROOT: u32 = 0;

/// A set of phrases.
#[derive(Debug)]
pub struct PhraseTrie {
    words: HashMap<Box<str>, u32>,
    /// The node behind each node and word.
    next: HashMap<(u32, u32), u32>,
    /// The phrase that ends at each node.
    phrases: Vec<Option<u32>>,
    count: u32,
}

impl Default for PhraseTrie {
    fn default() -> Self {
        Self {
            words: HashMap::new(),
            next: HashMap::new(),
            phrases: vec![None],
            count: 0,
        }
    }
}

impl PhraseTrie {
    /// The number of no word.
    pub const UNKNOWN: u32 = u32::MAX;

    /// The number of a phrase, which must have a word; a new phrase gets the next number.
    pub fn insert(&mut self, phrase: &[&str]) -> u32 {
        let mut node = ROOT;
        for &word in phrase {
            let number = self.word(word);
            let fresh = self.phrases.len() as u32;
            node = *self.next.entry((node, number)).or_insert(fresh);
            if node == fresh {
                self.phrases.push(None);
            }
        }
        let phrase = self.phrases[node as usize].get_or_insert(self.count);
        if *phrase == self.count {
            self.count += 1;
        }
        *phrase
    }

    fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.insert(word.into(), number);
        number
    }

    /// How many phrases there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether it has no phrases.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The numbers of words; words that no phrase has are `UNKNOWN`.
    pub fn numbers(&self, words: &[&str]) -> Vec<u32> {
        let number = |word: &&str| self.words.get(*word).copied().unwrap_or(Self::UNKNOWN);
        words.iter().map(number).collect()
    }

    /// Calls `found` with the phrases of a text of numbered words, leftmost and longest first,
    /// each with the places of its first word and behind its last; none overlap.
    pub fn matches(&self, words: &[u32], mut found: impl FnMut(u32, usize, usize)) {
        let mut at = 0;
        while at < words.len() {
            match self.longest(&words[at..]) {
                Some((phrase, length)) => {
                    found(phrase, at, at + length);
                    at += length;
                }
                None => at += 1,
            }
        }
    }

    /// The longest phrase at the beginning of some words, and its length.
    fn longest(&self, words: &[u32]) -> Option<(u32, usize)> {
        let (mut node, mut longest) = (ROOT, None);
        for (&word, length) in words.iter().zip(1..) {
            if word == Self::UNKNOWN {
                break;
            }
            match self.next.get(&(node, word)) {
                Some(&next) => node = next,
                None => break,
            }
            if let Some(phrase) = self.phrases[node as usize] {
                longest = Some((phrase, length));
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(phrases: &[&[&str]], text: &str) -> Vec<(u32, usize, usize)> {
        let mut trie = PhraseTrie::default();
        for phrase in phrases {
            trie.insert(phrase);
        }
        let words: Vec<&str> = text.split(' ').collect();
        let mut all = Vec::new();
        trie.matches(&trie.numbers(&words), |phrase, from, to| {
            all.push((phrase, from, to));
        });
        all
    }

    #[test]
    fn phrases_are_found_leftmost_and_longest_first() {
        let phrases: [&[&str]; 4] = [
            &["old"],
            &["old", "rose", "garden"],
            &["rose"],
            &["of", "old"],
        ];
        assert_eq!(found(&phrases, "an old rose garden"), [(1, 1, 4)]);
        assert_eq!(found(&phrases, "an old rose bed"), [(0, 1, 2), (2, 2, 3)]);
        assert_eq!(found(&phrases, "roses of old"), [(3, 1, 3)]);
        assert_eq!(found(&phrases, "nothing here"), []);
        assert_eq!(found(&[], "old"), []);
    }

    #[test]
    fn a_phrase_keeps_its_number() {
        let mut trie = PhraseTrie::default();
        assert!(trie.is_empty());
        assert_eq!(trie.insert(&["a", "b"]), 0);
        assert_eq!(trie.insert(&["a"]), 1);
        assert_eq!(trie.insert(&["a", "b"]), 0);
        assert_eq!(trie.insert(&["b"]), 2);
        assert_eq!(trie.len(), 3);
    }
}
