//! String interner: an open-addressing hash table that numbers strings in order of first sight.

use crate::columns::Ends;
use crate::hash::string_hash;

/// Strings by number and numbers by string.
#[derive(Debug, Default)]
pub struct StringInterner {
    bytes: Vec<u8>,
    ends: Ends<u32>,
    /// The upper half of the hash, and the number plus one, by the hash.
    slots: Vec<u64>,
    /// The contents of the slots, in order of first sight.
    placed: Vec<u64>,
}

const MIN_SLOTS: usize = 1 << 10;
const UPPER_HALF: u64 = 0xffff_ffff_0000_0000;

impl StringInterner {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        let hash = string_hash(text);
        if self.placed.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = start_of(hash) & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.bytes.extend_from_slice(text);
                self.ends.push(self.bytes.len());
                self.slots[at] = (hash & UPPER_HALF) | self.len() as u64;
                self.placed.push(self.slots[at]);
                return self.len() as u32 - 1;
            }
            let number = slot as u32 - 1;
            if (slot ^ hash) & UPPER_HALF == 0 && self.bytes_of(number) == text {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    /// The string with this number.
    pub fn get(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes_of(number)).unwrap_or_default()
    }

    /// The bytes of the string with this number.
    #[inline]
    pub fn bytes_of(&self, number: u32) -> &[u8] {
        &self.bytes[self.ends.range(number as usize)]
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Roughly its size in memory.
    pub fn bytes_held(&self) -> usize {
        self.bytes.len() + self.ends.len() * 4 + (self.slots.len() + self.placed.len()) * 8
    }

    /// Drops all strings and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.slots.fill(0);
        self.placed.clear();
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(MIN_SLOTS);
        self.slots.fill(0);
        self.slots.resize(size, 0);
        for &slot in &self.placed {
            place(&mut self.slots, start_of(slot), slot);
        }
    }
}

/// Linear probing: fills the first free slot from `start` on.
#[inline]
pub(super) fn place<T: Copy + Default + PartialEq>(slots: &mut [T], start: usize, slot: T) {
    let mask = slots.len() - 1;
    let mut at = start & mask;
    while slots[at] != T::default() {
        at = (at + 1) & mask;
    }
    slots[at] = slot;
}

/// Where the search for a string starts, by its hash or its slot, which share the upper half.
#[inline]
fn start_of(hash: u64) -> usize {
    (hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_while_strings_are_added() {
        let mut strings = StringInterner::default();
        let text = |number: usize| format!("http://a.example/{}", number % 3000).into_bytes();
        for number in 0..9000 {
            let number_of_text = strings.intern(&text(number));
            assert_eq!(number_of_text as usize, number % 3000);
            assert_eq!(strings.bytes_of(number_of_text), text(number));
        }
        assert_eq!((strings.len(), strings.intern(b"")), (3000, 3000));
        strings.clear();
        assert_eq!(strings.intern(&text(7)), 0);
    }
}
