//! Which terms the bag under way has.

use super::sums::zeros;

/// A set of small numbers that come out in order. A bit tells of each number whether it is
/// there, another one of each 64 bits whether any is set, so that the numbers of a small bag are
/// found without looking through all bits.
#[derive(Debug, Default)]
pub(super) struct Touched {
    bits: Vec<u64>,
    any: Vec<u64>,
}

impl Touched {
    /// Becomes a set of none of so many numbers, and keeps its memory.
    pub(super) fn begin(&mut self, numbers: usize) {
        let words = numbers.div_ceil(64);
        zeros(&mut self.bits, words);
        zeros(&mut self.any, words.div_ceil(64));
    }

    /// Adds a number, if it is not there.
    #[inline]
    pub(super) fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        self.bits[word] |= 1 << (number % 64);
        self.any[word / 64] |= 1 << (word % 64);
    }

    /// Takes all numbers out, in order.
    #[inline]
    pub(super) fn drain(&mut self, mut each: impl FnMut(u32)) {
        for (group, any) in self.any.iter_mut().enumerate() {
            for word in ones(std::mem::take(any), group) {
                for number in ones(std::mem::take(&mut self.bits[word]), word) {
                    each(number as u32);
                }
            }
        }
    }
}

/// The places of the bits that are set in a word, by the word's own place.
#[inline]
fn ones(mut bits: u64, word: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word * 64 + bits.trailing_zeros() as usize;
        let is_one = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_one.then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_in_order_and_once() {
        for count in [0, 1, 3, 300, 40_000] {
            let mut touched = Touched::default();
            touched.begin(40_000);
            let numbers: Vec<u32> = (0..count).map(|i| i * 7919 % 40_000).collect();
            for number in numbers.iter().chain(&numbers) {
                touched.add(*number);
            }
            let mut out = Vec::new();
            touched.drain(|number| out.push(number));
            let mut sorted = numbers;
            sorted.sort_unstable();
            assert_eq!(out, sorted);
            touched.drain(|_| panic!("nothing is left"));
        }
    }
}
