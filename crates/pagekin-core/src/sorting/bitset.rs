//! A two-level bitset: small numbers go in in any order and come out sorted.

use crate::columns::zeros;

/// A set of small numbers that come out in order. Each number has a bit, and each 64 bits have a bit
/// that says whether any of them is set: draining a small set does not look at all bits.
#[derive(Debug, Default)]
pub struct Bitset {
    bits: Vec<u64>,
    any: Vec<u64>,
    /// The numbers that were taken out last, and room for more.
    drained: Vec<u32>,
}

impl Bitset {
    /// Becomes an empty set of numbers below `numbers`, and keeps its memory.
    pub fn begin(&mut self, numbers: usize) {
        let words = numbers.div_ceil(64);
        zeros(&mut self.bits, words);
        zeros(&mut self.any, words.div_ceil(64));
        self.drained.resize(numbers.max(self.drained.len()), 0);
    }

    /// A view of the set that numbers are added to.
    pub fn open(&mut self) -> BitsetWriter<'_> {
        BitsetWriter {
            bits: &mut self.bits,
            any: &mut self.any,
        }
    }

    /// Takes all numbers out, in order.
    pub fn drain(&mut self) -> &[u32] {
        let (mut count, mut words) = (0, [0; 64]);
        for (group, any) in self.any.iter_mut().enumerate() {
            let set = put_ones(std::mem::take(any), group, &mut words);
            for &word in &words[..set] {
                let bits = std::mem::take(&mut self.bits[word as usize]);
                count += put_ones(bits, word as usize, &mut self.drained[count..]);
            }
        }
        &self.drained[..count]
    }
}

/// A set that numbers are added to, one after another.
pub struct BitsetWriter<'a> {
    bits: &'a mut [u64],
    any: &'a mut [u64],
}

impl BitsetWriter<'_> {
    /// Adds a number, if it is not there.
    #[inline(always)]
    pub fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        self.bits[word] |= 1 << (number % 64);
        self.any[word / 64] |= 1 << (word % 64);
    }
}

/// Writes the places of the bits that are set in a word, by the word's own place; returns how
/// many there are.
#[inline(always)]
fn put_ones(mut bits: u64, word: usize, out: &mut [u32]) -> usize {
    let mut count = 0;
    while bits != 0 {
        out[count] = word as u32 * 64 + bits.trailing_zeros();
        bits &= bits - 1;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_returned_once_in_order() {
        for count in [0, 1, 3, 300, 3000, 40_000] {
            let mut bitset = Bitset::default();
            bitset.begin(40_000);
            let numbers: Vec<u32> = (0..count).map(|i| i * 7919 % 40_000).collect();
            for number in numbers.iter().chain(&numbers) {
                bitset.open().add(*number);
            }
            let mut sorted = numbers;
            sorted.sort_unstable();
            assert_eq!(bitset.drain(), sorted);
            assert_eq!(bitset.drain(), [], "nothing is left");
        }
    }
}
