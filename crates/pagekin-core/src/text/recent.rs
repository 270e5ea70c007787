//! Words that were met not long ago, and those that were not.

use super::short::ShortWord;

/// How many words are looked up side by side.
pub(super) const SIDE_BY_SIDE: usize = 128;

/// A key of up to eleven bytes, and its number in the bytes above them: so small that many
/// words fit the processor's own memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recent(u128);

impl Recent {
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

/// Places of some of the words that are looked up side by side.
#[derive(Clone, Copy)]
pub(super) struct Others {
    places: [usize; SIDE_BY_SIDE],
    count: usize,
}

impl Default for Others {
    fn default() -> Self {
        Self {
            places: [0; SIDE_BY_SIDE],
            count: 0,
        }
    }
}

impl Others {
    /// Adds a place if it is one; which is cannot be foretold, so without a branch.
    #[inline]
    pub(super) fn add(&mut self, place: usize, is_one: bool) {
        self.places[self.count % SIDE_BY_SIDE] = place;
        self.count += usize::from(is_one);
    }

    pub(super) fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }
}
