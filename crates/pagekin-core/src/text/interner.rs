//! A set of strings that gives each a small number, in order of first sight.
//!
//! Built for the hottest look-up of the build (every word of every page): a
//! string of up to 15 bytes is its own key, and keys are kept in order of first
//! sight, so that those of common words lie side by side.

use super::recent::{Others, Recent, SIDE_BY_SIDE};
use super::short::{ShortWord, LONGEST_SHORT};

/// Strings by number and numbers by string.
#[derive(Debug)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The key of each short string by its number plus one, [`LONG_KEY`] for a long one;
    /// the first is no word's.
    keys: Vec<u128>,
    /// Numbers plus one, by hash of the key.
    short: Vec<u32>,
    short_count: usize,
    /// The upper half of the hash, and the number plus one.
    long: Vec<u64>,
    /// What is in `long`, in order of first sight.
    long_slots: Vec<u64>,
    /// Words met of late, by hash of the key.
    recent: Vec<Recent>,
}

/// What a first look for a string told.
#[derive(Debug, Clone, Copy)]
pub struct Glance {
    hash: u64,
    slot: u64,
}

impl Glance {
    /// The hash by which a string is looked for.
    pub fn hash(text: &[u8]) -> u64 {
        xxhash_rust::xxh3::xxh3_64(text)
    }
}

/// How many words may be met again without a look-up among all.
const RECENT: usize = 1 << 12;
const SMALLEST: usize = 1 << 10;
/// The key of a string that is too long for one.
const LONG_KEY: u128 = ShortWord::NONE.key();
const TAG: u64 = 0xffff_ffff_0000_0000;

impl Default for Interner {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            keys: vec![LONG_KEY],
            short: vec![0; SMALLEST],
            short_count: 0,
            long: Vec::new(),
            long_slots: Vec::new(),
            recent: Vec::new(),
        }
    }
}

impl Interner {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        if text.len() > LONGEST_SHORT {
            self.intern_long(text)
        } else {
            self.intern_short(ShortWord::new(text))
        }
    }

    /// A first look for the string with this [`Glance::hash`], for [`Interner::intern_after`]:
    /// looks at many strings wait for memory at the same time.
    #[inline]
    pub fn glance(&self, hash: u64) -> Glance {
        let at = start_of(hash) & self.long.len().wrapping_sub(1);
        let slot = self.long.get(at).copied().unwrap_or(0);
        Glance { hash, slot }
    }

    /// The number of a string that was glanced at, which is added if it is new.
    pub fn intern_after(&mut self, glance: Glance, text: &[u8]) -> u32 {
        if text.len() <= LONGEST_SHORT {
            return self.intern_short(ShortWord::new(text));
        }
        match self.found(glance.slot, glance.hash, text) {
            Some(number) => number,
            None => self.intern_hashed(glance.hash, text),
        }
    }

    /// A word of any length as a short one: what does not fit gets its number now.
    pub fn shorten(&mut self, word: &[u8]) -> ShortWord {
        if word.len() > LONGEST_SHORT {
            ShortWord::numbered(self.intern_long(word))
        } else {
            ShortWord::new(word)
        }
    }

    /// Appends the numbers of many words. Most have been met not long ago.
    pub fn intern_all(&mut self, words: &[ShortWord], numbers: &mut Vec<u32>) {
        self.recent.resize(RECENT, Recent::NONE);
        for words in words.chunks(SIDE_BY_SIDE) {
            let start = numbers.len();
            let mut others = Others::default();
            for (place, &word) in words.iter().enumerate() {
                let recent = self.recent[hash_key(word.key()) % RECENT];
                numbers.push(recent.number());
                others.add(place, !recent.is(word));
            }
            self.intern_others(words, others, &mut numbers[start..]);
        }
    }

    /// Numbers the words that were not met of late. Waiting for memory is most of
    /// the work, so their slots and then their keys are fetched side by side.
    fn intern_others(&mut self, words: &[ShortWord], others: Others, numbers: &mut [u32]) {
        let mut slots = [0; SIDE_BY_SIDE];
        let mask = self.short.len() - 1;
        for (slot, &place) in slots.iter_mut().zip(others.places()) {
            *slot = self.short[hash_key(words[place].key()) & mask];
        }
        let mut rest = Others::default();
        for (&slot, &place) in slots.iter().zip(others.places()) {
            numbers[place] = slot.wrapping_sub(1);
            rest.add(place, self.keys[slot as usize] != words[place].key());
        }
        for &place in rest.places() {
            let word = words[place];
            numbers[place] = word.number().unwrap_or_else(|| self.intern_short(word));
        }
        for &place in others.places() {
            if let Some(recent) = Recent::new(words[place], numbers[place]) {
                self.recent[hash_key(words[place].key()) % RECENT] = recent;
            }
        }
    }

    /// The string with this number.
    pub fn get(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes_of(number)).unwrap_or_default()
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Roughly what it holds in memory.
    pub fn bytes_held(&self) -> usize {
        self.bytes.len() + self.ends.len() * 20 + self.short.len() * 4 + self.long.len() * 8
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.keys.truncate(1);
        self.short.fill(0);
        self.short_count = 0;
        self.long.fill(0);
        self.long_slots.clear();
        self.recent.clear();
    }

    /// The bytes of the string with this number.
    #[inline]
    pub fn bytes_of(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1] as usize
        };
        &self.bytes[start..self.ends[number] as usize]
    }

    fn add(&mut self, text: &[u8], key: u128) -> u32 {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as u32);
        self.keys.push(key);
        self.ends.len() as u32 - 1
    }

    /// The number of a short word, which is added if it is new.
    #[inline]
    pub fn intern_short(&mut self, word: ShortWord) -> u32 {
        let key = word.key();
        if self.short_count * 2 >= self.short.len() {
            self.grow_short();
        }
        let mask = self.short.len() - 1;
        let mut at = hash_key(key) & mask;
        loop {
            let slot = self.short[at];
            if slot == 0 {
                return self.add_short(word, at);
            }
            if self.keys[slot as usize] == key {
                return slot - 1;
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn add_short(&mut self, word: ShortWord, at: usize) -> u32 {
        let key = word.key();
        let number = self.add(&key.to_le_bytes()[..word.length()], key);
        self.short[at] = number + 1;
        self.short_count += 1;
        number
    }

    /// Keys are read in the order in which they lie, and the table grows where it is: memory
    /// that is touched for the first time is dear.
    #[cold]
    fn grow_short(&mut self) {
        let size = self.short.len() * 2;
        self.short.fill(0);
        self.short.resize(size, 0);
        for (slot, &key) in self.keys.iter().enumerate().skip(1) {
            if key != LONG_KEY {
                place(&mut self.short, hash_key(key), slot as u32);
            }
        }
    }

    fn intern_long(&mut self, text: &[u8]) -> u32 {
        self.intern_hashed(xxhash_rust::xxh3::xxh3_64(text), text)
    }

    fn intern_hashed(&mut self, hash: u64, text: &[u8]) -> u32 {
        if self.long_slots.len() * 2 >= self.long.len() {
            self.grow_long();
        }
        let mask = self.long.len() - 1;
        let mut at = start_of(hash) & mask;
        loop {
            let slot = self.long[at];
            if slot == 0 {
                let number = self.add(text, LONG_KEY);
                let slot = (hash & TAG) | u64::from(number + 1);
                self.long_slots.push(slot);
                self.long[at] = slot;
                return number;
            }
            if let Some(number) = self.found(slot, hash, text) {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number in a slot, if it is that of this long string.
    #[inline]
    fn found(&self, slot: u64, hash: u64, text: &[u8]) -> Option<u32> {
        let number = (slot as u32).checked_sub(1)?;
        ((slot ^ hash) & TAG == 0 && self.bytes_of(number) == text).then_some(number)
    }

    #[cold]
    fn grow_long(&mut self) {
        let size = (self.long.len() * 2).max(SMALLEST);
        self.long.fill(0);
        self.long.resize(size, 0);
        for &slot in &self.long_slots {
            place(&mut self.long, start_of(slot), slot);
        }
    }
}

/// Puts something into the first free slot from where it should be.
#[inline]
fn place<T: Copy + Default + PartialEq>(slots: &mut [T], start: usize, slot: T) {
    let mask = slots.len() - 1;
    let mut at = start & mask;
    while slots[at] != T::default() {
        at = (at + 1) & mask;
    }
    slots[at] = slot;
}

/// Where a long string is looked for, by its hash or its slot, which have the same upper half.
#[inline]
fn start_of(hash: u64) -> usize {
    (hash >> 32) as usize
}

/// A quick hash of a key; it never leaves the process.
#[inline]
fn hash_key(key: u128) -> usize {
    let product = u128::from(key as u64 ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from((key >> 64) as u64 ^ 0xd6e8_feb8_6659_fd93);
    ((product as u64) ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stable() {
        let mut interner = Interner::default();
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
    fn the_empty_string_stays_when_the_table_grows() {
        let mut interner = Interner::default();
        for number in 0..2000 {
            assert_eq!(interner.intern(b""), 0);
            interner.intern(format!("word{number}").as_bytes());
        }
    }

    #[test]
    fn the_empty_string_is_a_string() {
        let mut interner = Interner::default();
        assert_eq!(interner.intern(b""), 0);
        assert_eq!(interner.intern(b"a"), 1);
        assert_eq!(interner.intern(b"a\0"), 2);
        assert_eq!(interner.intern(b""), 0);
        interner.clear();
        assert!(interner.is_empty());
        assert_eq!(interner.intern(b"a"), 0);
    }

    #[test]
    fn many_at_once_get_the_numbers_that_they_get_one_by_one() {
        let mut together = Interner::default();
        // The second time around nothing may be left of the first.
        for round in 0..2 {
            let mut alone = Interner::default();
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
