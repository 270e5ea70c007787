//! Word interner: an open-addressing hash table, looked up for many words at once.
//!
//! It numbers words in order of first sight. Built for the hottest look-up of a build (every word
//! of every page): a word of up to 15 bytes is its own key, and words lie in order of first sight,
//! so that common ones are close together.

use super::short::{ShortWord, LONGEST_SHORT};
use super::string_interner::{place, StringInterner};
use crate::hash::KeySeed;

/// Words by number and numbers by word.
#[derive(Debug)]
pub struct WordInterner {
    /// Each word by its number plus one; a long word by its number among the long ones. The first
    /// entry is not a word.
    words: Vec<ShortWord>,
    long: StringInterner,
    /// The number of each long word among all words.
    long_numbers: Vec<u32>,
    /// Numbers plus one, by hash of the key.
    short: Vec<u32>,
    short_count: usize,
    seed: KeySeed,
}

/// How many words are looked up in one batch.
const BATCH: usize = 128;
const MIN_SLOTS: usize = 1 << 10;

impl Default for WordInterner {
    fn default() -> Self {
        Self {
            words: vec![ShortWord::NONE],
            long: StringInterner::default(),
            long_numbers: Vec::new(),
            short: vec![0; MIN_SLOTS],
            short_count: 0,
            seed: KeySeed::default(),
        }
    }
}

impl WordInterner {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        if text.len() > LONGEST_SHORT {
            self.intern_long(text)
        } else {
            self.intern_short(ShortWord::new(text))
        }
    }

    /// A word of any length as a short one: a word that does not fit gets its number now.
    pub fn shorten(&mut self, word: &[u8]) -> ShortWord {
        if word.len() > LONGEST_SHORT {
            ShortWord::numbered(self.intern_long(word))
        } else {
            ShortWord::new(word)
        }
    }

    /// Appends the numbers of many words. Waiting for memory is most of the work, so first all
    /// slots of a batch are fetched and then all keys.
    pub fn intern_all(&mut self, words: &[ShortWord], numbers: &mut Vec<u32>) {
        for words in words.chunks(BATCH) {
            let mut slots = [0; BATCH];
            let (mask, seed) = (self.short.len() - 1, self.seed);
            for (slot, word) in slots.iter_mut().zip(words) {
                *slot = self.short[seed.hash(word.key()) as usize & mask];
            }
            for (&slot, &word) in slots.iter().zip(words) {
                let is_known = self.words[slot as usize].key() == word.key();
                numbers.push(match word.number() {
                    _ if is_known => slot - 1,
                    Some(number) => number,
                    None => self.intern_short(word),
                });
            }
        }
    }

    /// The word with this number.
    pub fn get(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes_of(number)).unwrap_or_default()
    }

    /// The bytes of the word with this number.
    #[inline]
    pub fn bytes_of(&self, number: u32) -> &[u8] {
        let word = &self.words[number as usize + 1];
        match word.number() {
            None => word.bytes(),
            Some(long) => self.long.bytes_of(long),
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len() - 1
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Roughly its size in memory.
    pub fn bytes_held(&self) -> usize {
        let numbers = self.short.len() + self.long_numbers.len();
        self.long.bytes_held() + self.words.len() * size_of::<ShortWord>() + numbers * 4
    }

    /// Drops all words and keeps the memory.
    pub fn clear(&mut self) {
        self.words.truncate(1);
        self.long.clear();
        self.long_numbers.clear();
        self.short.fill(0);
        self.short_count = 0;
    }

    /// The number of a short word, which is added if it is new.
    #[inline]
    pub fn intern_short(&mut self, word: ShortWord) -> u32 {
        let key = word.key();
        if self.short_count * 2 >= self.short.len() {
            self.grow_short();
        }
        let mask = self.short.len() - 1;
        let mut at = self.seed.hash(key) as usize & mask;
        loop {
            let slot = self.short[at];
            if slot == 0 {
                return self.add_short(word, at);
            }
            if self.words[slot as usize].key() == key {
                return slot - 1;
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn add_short(&mut self, word: ShortWord, at: usize) -> u32 {
        let number = self.add(word);
        self.short[at] = number + 1;
        self.short_count += 1;
        number
    }

    fn add(&mut self, word: ShortWord) -> u32 {
        self.words.push(word);
        self.len() as u32 - 1
    }

    /// Words are read in memory order, and the table grows in place: touching fresh memory is slow.
    #[cold]
    fn grow_short(&mut self) {
        let size = self.short.len() * 2;
        self.short.fill(0);
        self.short.resize(size, 0);
        for (slot, word) in self.words.iter().enumerate().skip(1) {
            if word.number().is_none() {
                let start = self.seed.hash(word.key()) as usize;
                place(&mut self.short, start, slot as u32);
            }
        }
    }

    fn intern_long(&mut self, text: &[u8]) -> u32 {
        let long = self.long.intern(text);
        if long as usize == self.long_numbers.len() {
            let number = self.add(ShortWord::numbered(long));
            self.long_numbers.push(number);
        }
        self.long_numbers[long as usize]
    }
}

#[cfg(test)]
mod flooding;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stable() {
        let mut interner = WordInterner::default();
        let words: Vec<String> = (0..20_000)
            .map(|i| {
                if i % 3 == 0 {
                    format!("a-long-word-with-{i}")
                } else {
                    format!("word{i}")
                }
            })
            .collect();
        for (i, word) in words.iter().enumerate() {
            assert_eq!(interner.intern(word.as_bytes()), i as u32);
        }
        for (i, word) in words.iter().enumerate() {
            assert_eq!(interner.intern(word.as_bytes()), i as u32);
            assert_eq!(interner.get(i as u32), word);
        }
        assert_eq!(interner.len(), words.len());
    }

    #[test]
    fn empty_string_survives_growth() {
        let mut interner = WordInterner::default();
        for number in 0..2000 {
            assert_eq!(interner.intern(b""), 0);
            interner.intern(format!("word{number}").as_bytes());
        }
    }

    #[test]
    fn empty_string_is_interned() {
        let mut interner = WordInterner::default();
        assert_eq!(interner.intern(b""), 0);
        assert_eq!(interner.intern(b"a"), 1);
        assert_eq!(interner.intern(b"a\0"), 2);
        assert_eq!(interner.intern(b""), 0);
        interner.clear();
        assert!(interner.is_empty());
        assert_eq!(interner.intern(b"a"), 0);
    }

    #[test]
    fn batch_interning_gives_the_same_numbers() {
        let mut together = WordInterner::default();
        // Nothing may be left of the first round in the second.
        for round in 0..2 {
            let mut alone = WordInterner::default();
            let words: Vec<String> = (0..20_000u32)
                .map(|i| format!("word{}{}", i * i % 7919, "x".repeat((i % 3 * 8) as usize)))
                .skip(round * 5)
                .collect();
            let short: Vec<ShortWord> = words
                .iter()
                .map(|word| together.shorten(word.as_bytes()))
                .collect();
            let mut numbers = Vec::new();
            together.intern_all(&short, &mut numbers);
            for (word, &number) in words.iter().zip(&numbers) {
                assert_eq!(together.get(number), word);
                alone.intern(word.as_bytes());
            }
            assert_eq!(together.len(), alone.len());
            together.clear();
        }
    }
}
