//! Small integers in blocks of at most 128, bit-packed with patches (PFOR, Zukowski et al. 2006).
//!
//! A block has one width for all its numbers. The few that need more bits are patched: their place
//! and their high bits follow. A whole block lies in four lanes, as SIMD reads it (Lemire and
//! Boytsov 2015); a shorter one is one stream of bits. The bytes are not trusted: those that are not
//! a block give `None`, and nothing is allocated for them.

use bitpacking::{BitPacker, BitPacker4x};

/// Numbers of a whole block.
pub const BLOCK: usize = BitPacker4x::BLOCK_LEN;
/// Room for the numbers of a block.
pub type Block = [u32; BLOCK];

/// In the first byte of a block, beside the width: that numbers are patched.
const PATCHED: u8 = 0x80;

/// Appends a number as unsigned LEB128.
pub fn put_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a block of at most [`BLOCK`] numbers.
pub fn put_block(numbers: &[u32], out: &mut Vec<u8>) {
    let width = best_width(numbers);
    let mask = mask(width);
    let places = 0..numbers.len() as u8;
    let high = places.zip(numbers).filter(|(_, &number)| number > mask);
    let patches: Vec<(u8, u32)> = high.map(|(at, &number)| (at, number >> width)).collect();
    match patches.len() {
        0 => out.push(width),
        count => out.extend([width | PATCHED, count as u8]),
    }
    let mut low = [0; BLOCK];
    for (low, number) in low.iter_mut().zip(numbers) {
        *low = number & mask;
    }
    put_bits(&low, numbers.len(), width, out);
    for (at, high) in patches {
        out.push(at);
        put_number(high, out);
    }
}

/// The largest number of a width.
fn mask(width: u8) -> u32 {
    u32::MAX.checked_shr(32 - u32::from(width)).unwrap_or(0)
}

/// The width at which a block is the smallest.
fn best_width(numbers: &[u32]) -> u8 {
    let mut counts = [0; 33];
    for number in numbers {
        counts[(32 - number.leading_zeros()) as usize] += 1;
    }
    let widest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let size = |width: usize| {
        let patch = |bits: usize| counts[bits] * (1 + (bits - width).div_ceil(7));
        let patches: usize = (width + 1..=widest).map(patch).sum();
        packed_bytes(numbers.len(), width) + patches + usize::from(patches > 0)
    };
    (0..=widest).min_by_key(|&width| size(width)).unwrap_or(0) as u8
}

/// The bytes of this many numbers of a width.
fn packed_bytes(count: usize, width: usize) -> usize {
    (count * width).div_ceil(8)
}

fn put_bits(numbers: &Block, count: usize, width: u8, out: &mut Vec<u8>) {
    let start = out.len();
    let bytes = packed_bytes(count, width.into());
    if count == BLOCK && width > 0 {
        out.resize(start + bytes, 0);
        BitPacker4x::new().compress(numbers, &mut out[start..], width);
        return;
    }
    let (mut bits, mut held) = (0u64, 0);
    for &number in &numbers[..count] {
        bits |= u64::from(number) << held;
        held += u32::from(width);
        if held >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            held -= 32;
        }
    }
    out.extend_from_slice(&bits.to_le_bytes());
    out.truncate(start + bytes);
}

/// Reads what was packed, from its beginning on.
#[derive(Debug, Clone, Copy)]
pub struct PackedReader<'a>(&'a [u8]);

impl<'a> PackedReader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next single number.
    #[inline]
    pub fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            let bits = u32::from(byte & 0x7f);
            // The fifth byte has four bits.
            if shift > 28 || (shift == 28 && bits > 0xf) {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    }

    /// Reads a block of `count` numbers, at most [`BLOCK`]. The rest of `numbers` is undefined.
    #[inline]
    pub fn block(&mut self, count: usize, numbers: &mut Block) -> Option<()> {
        let head = self.byte()?;
        let width = head & !PATCHED;
        if width > 32 || count > BLOCK {
            return None;
        }
        let patches = if head == width { 0 } else { self.byte()? };
        let bits = self.take(packed_bytes(count, width.into()))?;
        read_bits(bits, count, width, numbers);
        for _ in 0..patches {
            let at = usize::from(self.byte()?);
            let high = self.number()?.checked_shl(width.into())?;
            *numbers[..count].get_mut(at)? |= high;
        }
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Reads numbers of at most 32 bits from exactly the bytes that they take.
#[inline]
fn read_bits(bits: &[u8], count: usize, width: u8, numbers: &mut Block) {
    if width == 0 {
        numbers[..count].fill(0);
    } else if count == BLOCK {
        BitPacker4x::new().decompress(bits, numbers, width);
    } else {
        read_short(bits, width, &mut numbers[..count]);
    }
}

fn read_short(bits: &[u8], width: u8, numbers: &mut [u32]) {
    let mask = mask(width);
    if bits.len() <= 8 {
        let mut word = [0; 8];
        word[..bits.len()].copy_from_slice(bits);
        let mut word = u64::from_le_bytes(word);
        for number in numbers {
            *number = word as u32 & mask;
            word >>= width;
        }
        return;
    }
    let mut words = [0u32; BLOCK + 1];
    let (whole, rest) = bits.as_chunks::<4>();
    for (word, bytes) in words.iter_mut().zip(whole) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    words[whole.len()] = u32::from_le_bytes(last);
    let mut bit = 0;
    for number in numbers {
        let (at, shift) = (bit / 32 % BLOCK, bit % 32);
        let pair = u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        *number = (pair >> shift) as u32 & mask;
        bit += usize::from(width);
    }
}

/// Turns ascending numbers into gaps, the first one from `before`.
pub fn to_gaps(numbers: &mut [u32], mut before: u32) {
    for number in numbers {
        let gap = number.wrapping_sub(before);
        before = std::mem::replace(number, gap);
    }
}

/// Turns gaps back into numbers. Forged gaps may give numbers that do not ascend.
#[inline]
pub fn from_gaps(numbers: &mut [u32], mut before: u32) {
    for number in numbers {
        before = before.wrapping_add(*number);
        *number = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, most of them small, and are the same each time.
    fn numbers(seed: u32, count: usize) -> Vec<u32> {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let width = seed % 34;
        (0..count)
            .map(|_| match next() % 20 {
                0 => next(),
                _ => next() & mask(width.min(32) as u8),
            })
            .collect()
    }

    fn packed(numbers: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_block(numbers, &mut bytes);
        bytes
    }

    fn unpacked(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
        let (mut reader, mut block) = (PackedReader::new(bytes), [7; BLOCK]);
        reader.block(count, &mut block)?;
        reader.is_empty().then(|| block[..count].to_vec())
    }

    #[test]
    fn blocks_are_read_back() {
        for seed in 0..2_000 {
            let count = [1, 2, 31, 32, 33, 100, 127, 128][seed as usize % 8];
            let numbers = numbers(seed, count);
            let bytes = packed(&numbers);
            assert!(bytes.len() <= 4 * count + 2, "{seed}");
            assert_eq!(unpacked(&bytes, count), Some(numbers), "{seed}");
        }
        assert_eq!(unpacked(&packed(&[]), 0), Some(vec![]));
    }

    #[test]
    fn few_large_numbers_do_not_widen_a_block() {
        let mut numbers = [3; BLOCK];
        numbers[77] = u32::MAX;
        assert_eq!(packed(&numbers).len(), 2 + BLOCK / 4 + 1 + 5);
        assert_eq!(packed(&[0; BLOCK]), [0]);
    }

    #[test]
    fn damaged_blocks_never_panic() {
        for seed in 0..200 {
            let count = [5, 64, 127, 128][seed as usize % 4];
            let bytes = packed(&numbers(seed, count));
            for cut in 0..bytes.len() {
                assert_eq!(unpacked(&bytes[..cut], count), None, "{seed} {cut}");
            }
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                for bit in 0..8 {
                    changed[at] ^= 1 << bit;
                    let _ = unpacked(&changed, count);
                }
            }
        }
        assert_eq!(unpacked(&[33; 600], 128), None, "a width beyond 32 bits");
        let patch_behind_the_last = [PATCHED | 1, 1, 0, 3, 1];
        assert_eq!(unpacked(&patch_behind_the_last, 3), None);
    }

    #[test]
    fn numbers_of_their_own_are_read_back() {
        let mut bytes = Vec::new();
        let all = [0, 1, 127, 128, 16_383, 16_384, u32::MAX];
        all.iter()
            .for_each(|&number| put_number(number, &mut bytes));
        let mut reader = PackedReader::new(&bytes);
        assert_eq!(all.map(|_| reader.number()), all.map(Some));
        assert_eq!(reader.number(), None);
        for bytes in [&[0xff; 9][..], &[0xff, 0xff, 0xff, 0xff, 0x10]] {
            assert_eq!(PackedReader::new(bytes).number(), None);
        }
    }

    #[test]
    fn gaps_are_undone() {
        let mut gaps = [5, 6, 60, 61];
        to_gaps(&mut gaps, 2);
        assert_eq!(gaps, [3, 1, 54, 1]);
        from_gaps(&mut gaps, 2);
        assert_eq!(gaps, [5, 6, 60, 61]);
    }
}
