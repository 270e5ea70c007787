//! Direct-mapped cache of recent words, and the misses of one batch of look-ups.

use super::short::ShortWord;

/// How many words are looked up in one batch.
pub(super) const BATCH: usize = 128;

/// A word of up to eleven bytes and, in the bytes above them, its number: so small that many words
/// fit the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct CachedWord(u128);

impl CachedWord {
    pub(super) const NONE: Self = Self(u128::MAX);
    const LONGEST: usize = 11;
    const NUMBER: u128 = 0xffff_ffff << (8 * Self::LONGEST);

    pub(super) fn new(word: ShortWord, number: u32) -> Option<Self> {
        let with_number = word.key() | u128::from(number) << (8 * Self::LONGEST);
        (word.length() <= Self::LONGEST).then_some(Self(with_number))
    }

    #[inline]
    pub(super) fn is(self, word: ShortWord) -> bool {
        (self.0 ^ word.key()) & !Self::NUMBER == 0
    }

    #[inline]
    pub(super) fn number(self) -> u32 {
        (self.0 >> (8 * Self::LONGEST)) as u32
    }
}

/// The places of the words of a batch that were not found.
#[derive(Clone, Copy)]
pub(super) struct CacheMisses {
    places: [usize; BATCH],
    count: usize,
}

impl Default for CacheMisses {
    fn default() -> Self {
        Self {
            places: [0; BATCH],
            count: 0,
        }
    }
}

impl CacheMisses {
    /// Adds a place if it is a miss, without a branch, which would be mispredicted.
    #[inline]
    pub(super) fn add(&mut self, place: usize, is_miss: bool) {
        self.places[self.count % BATCH] = place;
        self.count += usize::from(is_miss);
    }

    pub(super) fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }
}
