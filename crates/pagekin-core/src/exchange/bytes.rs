//! Arrays of integers and bytes, written one after another.
//!
//! Each array is its length in items (u64) and its items, little-endian.

use std::ops::Range;

use thiserror::Error;

use crate::memory::clear_for;

/// An array that does not fit the bytes it is read from.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the exchange data is damaged at byte {at}: build again")]
pub struct Damage {
    /// Where reading failed.
    pub at: usize,
}

/// How many numbers are packed at once.
const SMALL_STEP: usize = 64;
/// How many numbers of two bytes lie together, the large ones among them behind them.
const SMALL_BLOCK: usize = 1 << 16;
/// The bytes of a large number: its place in the block, and it itself.
const LARGE: usize = 6;

/// Writes arrays.
pub trait Pack {
    /// Appends an array of u32.
    fn put_u32s(&mut self, items: &[u32]);
    /// Appends an array of u64.
    fn put_u64s(&mut self, items: &[u64]);
    /// Appends an array of u32, most of them small: two bytes each, and six more if they
    /// are not enough.
    fn put_small(&mut self, items: &[u32]);
    /// The same of so many numbers, which are asked for a few at a time: from the place of the
    /// first on, as many as there is room for.
    fn put_small_of(&mut self, count: usize, some: impl FnMut(usize, &mut [u32]));
    /// Appends an array of bytes.
    fn put_bytes(&mut self, items: &[u8]);
}

impl Pack for Vec<u8> {
    fn put_u32s(&mut self, items: &[u32]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        let start = self.len();
        self.resize(start + items.len() * 4, 0);
        for (bytes, item) in self[start..].chunks_exact_mut(4).zip(items) {
            bytes.copy_from_slice(&item.to_le_bytes());
        }
    }

    fn put_u64s(&mut self, items: &[u64]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        let start = self.len();
        self.resize(start + items.len() * 8, 0);
        for (bytes, item) in self[start..].chunks_exact_mut(8).zip(items) {
            bytes.copy_from_slice(&item.to_le_bytes());
        }
    }

    fn put_small(&mut self, items: &[u32]) {
        self.put_small_of(items.len(), |first, some| {
            some.copy_from_slice(&items[first..first + some.len()]);
        });
    }

    fn put_small_of(&mut self, count: usize, mut some: impl FnMut(usize, &mut [u32])) {
        let start = self.len();
        self.extend_from_slice(&(count as u64).to_le_bytes());
        self.extend_from_slice(&[0; 8]);
        let mut large = Vec::new();
        for first in (0..count).step_by(SMALL_BLOCK) {
            let block = first..count.min(first + SMALL_BLOCK);
            put_block(self, block, &mut some, &mut large);
        }
        let length = (self.len() - start - 16) as u64;
        self[start + 8..start + 16].copy_from_slice(&length.to_le_bytes());
    }

    fn put_bytes(&mut self, items: &[u8]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        self.extend_from_slice(items);
    }
}

/// Packs a block: how many numbers are large (u32), two bytes of every number, then those
/// that are large. `large` is memory that is used again.
fn put_block(
    out: &mut Vec<u8>,
    block: Range<usize>,
    some: &mut impl FnMut(usize, &mut [u32]),
    large: &mut Vec<[u8; LARGE]>,
) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    large.clear();
    let mut step = [0; SMALL_STEP];
    for first in block.clone().step_by(SMALL_STEP) {
        let items = &mut step[..SMALL_STEP.min(block.end - first)];
        some(first, items);
        put_step(out, items, first - block.start, large);
    }
    out[start..start + 4].copy_from_slice(&(large.len() as u32).to_le_bytes());
    out.extend_from_slice(large.as_flattened());
}

/// Packs some numbers of a block from a place on; most often none of them is large.
#[inline]
fn put_step(out: &mut Vec<u8>, items: &[u32], first: usize, large: &mut Vec<[u8; LARGE]>) {
    let mut packed = [[0; 2]; SMALL_STEP];
    let mut all = 0;
    for (bytes, &item) in packed.iter_mut().zip(items) {
        *bytes = (item as u16).to_le_bytes();
        all |= item;
    }
    out.extend_from_slice(packed[..items.len()].as_flattened());
    if all >> 16 == 0 {
        return;
    }
    for (place, &item) in (first..).zip(items).filter(|(_, item)| *item >> 16 != 0) {
        let mut bytes = [0; LARGE];
        bytes[..2].copy_from_slice(&(place as u16).to_le_bytes());
        bytes[2..].copy_from_slice(&item.to_le_bytes());
        large.push(bytes);
    }
}

/// Reads arrays in the order in which they were written.
#[derive(Debug)]
pub struct Unpack<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Unpack<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next array, of u32.
    pub fn u32s(&mut self) -> Result<Vec<u32>, Damage> {
        let mut items = Vec::new();
        self.u32s_to(&mut items).map(|()| items)
    }

    /// The next array, of u32, in place of what is there.
    pub fn u32s_to(&mut self, items: &mut Vec<u32>) -> Result<(), Damage> {
        let (raw, _) = self.items(4)?.as_chunks::<4>();
        clear_for(items, raw.len());
        items.extend(raw.iter().map(|&item| u32::from_le_bytes(item)));
        Ok(())
    }

    /// The next array, of u64.
    pub fn u64s(&mut self) -> Result<Vec<u64>, Damage> {
        let mut items = Vec::new();
        self.u64s_to(&mut items).map(|()| items)
    }

    /// The next array, of u64, in place of what is there.
    pub fn u64s_to(&mut self, items: &mut Vec<u64>) -> Result<(), Damage> {
        let (raw, _) = self.items(8)?.as_chunks::<8>();
        clear_for(items, raw.len());
        items.extend(raw.iter().map(|&item| u64::from_le_bytes(item)));
        Ok(())
    }

    /// The next array, of u32 written small.
    pub fn small(&mut self) -> Result<Vec<u32>, Damage> {
        let mut items = Vec::new();
        self.small_to(&mut items).map(|()| items)
    }

    /// The next array, of u32 written small, in place of what is there.
    pub fn small_to(&mut self, items: &mut Vec<u32>) -> Result<(), Damage> {
        let damage = Damage { at: self.at };
        let count = self
            .bytes
            .get(self.at..)
            .and_then(|rest| rest.first_chunk::<8>())
            .ok_or(damage)?;
        let count = u64::from_le_bytes(*count) as usize;
        self.at += 8;
        let packed = self.items(1)?;
        clear_for(items, count.min(packed.len() / 2));
        let mut rest = packed;
        while items.len() < count {
            let left = (count - items.len()).min(SMALL_BLOCK);
            rest = unpack_block(rest, left, items).ok_or(Damage { at: self.at })?;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(Damage { at: self.at })
        }
    }

    /// The next array, of bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], Damage> {
        self.items(1)
    }

    fn items(&mut self, width: usize) -> Result<&'a [u8], Damage> {
        let damage = Damage { at: self.at };
        let rest = self.bytes.get(self.at..).ok_or(Damage { at: self.at })?;
        let (length, rest) = rest
            .split_first_chunk::<8>()
            .ok_or(Damage { at: self.at })?;
        let length = usize::try_from(u64::from_le_bytes(*length))
            .ok()
            .and_then(|count| count.checked_mul(width));
        let items = length.and_then(|length| rest.get(..length)).ok_or(damage)?;
        self.at += 8 + items.len();
        Ok(items)
    }
}

/// Appends so many numbers, a block; returns the bytes after them.
fn unpack_block<'a>(bytes: &'a [u8], count: usize, items: &mut Vec<u32>) -> Option<&'a [u8]> {
    let (large, rest) = bytes.split_first_chunk::<4>()?;
    let (small, rest) = rest.split_at_checked(2 * count)?;
    let large = u32::from_le_bytes(*large) as usize;
    let (large, rest) = rest.split_at_checked(LARGE.checked_mul(large)?)?;
    let start = items.len();
    let (small, _) = small.as_chunks::<2>();
    items.extend(
        small
            .iter()
            .map(|&unit| u32::from(u16::from_le_bytes(unit))),
    );
    let (large, _) = large.as_chunks::<LARGE>();
    for &[low, high, a, b, c, d] in large {
        let place = usize::from(u16::from_le_bytes([low, high]));
        *items.get_mut(start + place)? = u32::from_le_bytes([a, b, c, d]);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_come_back() {
        let mut packed = Vec::new();
        packed.put_u32s(&[1, u32::MAX]);
        packed.put_bytes(b"garden");
        packed.put_u64s(&[]);
        packed.put_u64s(&[u64::MAX]);
        let mut unpack = Unpack::new(&packed);
        assert_eq!(unpack.u32s(), Ok(vec![1, u32::MAX]));
        assert_eq!(unpack.bytes(), Ok(&b"garden"[..]));
        assert_eq!(unpack.u64s(), Ok(vec![]));
        assert_eq!(unpack.u64s(), Ok(vec![u64::MAX]));
        assert_eq!(unpack.u64s(), Err(Damage { at: packed.len() }));
    }

    #[test]
    fn small_numbers_come_back() {
        let large = [65_534, 65_535, 65_536, u32::MAX, 5];
        let many = (0..200_000u32).map(|at| at * 3 % 70_000);
        let numbers: Vec<u32> = (0..200).chain(large).chain(many).chain(large).collect();
        let mut packed = Vec::new();
        packed.put_small(&numbers);
        packed.put_small(&[]);
        let mut unpack = Unpack::new(&packed);
        assert_eq!(unpack.small(), Ok(numbers));
        assert_eq!(unpack.small(), Ok(vec![]));
        assert!(Unpack::new(&packed[..20]).small().is_err());
    }

    #[test]
    fn damaged_small_numbers_are_damage() {
        let mut packed = Vec::new();
        packed.put_small(&[7, 70_000, 9]);
        assert_eq!(packed.len(), 16 + 4 + 3 * 2 + LARGE);
        let with = |at: usize, byte: u8| {
            let mut bytes = packed.clone();
            bytes[at] = byte;
            Unpack::new(&bytes).small()
        };
        assert!(with(0, 2).is_err(), "fewer numbers than bytes");
        assert!(with(0, 4).is_err(), "more numbers than bytes");
        assert!(with(16, 2).is_err(), "more large ones than bytes");
        assert!(with(26, 3).is_err(), "a large one behind the last");
        assert_eq!(with(26, 2), Ok(vec![7, 70_000 & 0xffff, 70_000]));
    }

    #[test]
    fn a_cut_array_is_damage() {
        let mut packed = Vec::new();
        packed.put_u64s(&[7]);
        assert!(Unpack::new(&packed[..packed.len() - 1]).u64s().is_err());
        assert!(Unpack::new(&u64::MAX.to_le_bytes()).u64s().is_err());
    }
}
