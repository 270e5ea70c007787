//! Arrays of integers and bytes, written one after another.
//!
//! Each array is its length in items (u64) and its items, little-endian.

use thiserror::Error;

/// An array that does not fit the bytes it is read from.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the exchange data is damaged at byte {at}: build again")]
pub struct Damage {
    /// Where reading failed.
    pub at: usize,
}

/// Stands before a number that does not fit two bytes.
const LARGE: u16 = 0xffff;
/// How many numbers are packed at once.
const SMALL_STEP: usize = 64;

/// Writes arrays.
pub trait Pack {
    /// Appends an array of u32.
    fn put_u32s(&mut self, items: &[u32]);
    /// Appends an array of u64.
    fn put_u64s(&mut self, items: &[u64]);
    /// Appends an array of u32, most of them small: two bytes each, or 0xffff
    /// and four bytes.
    fn put_small(&mut self, items: &[u32]);
    /// The same of what each item stands for.
    fn put_small_of<T>(&mut self, items: &[T], small: impl FnMut(&T) -> u32);
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
        self.put_small_of(items, |&item| item);
    }

    fn put_small_of<T>(&mut self, items: &[T], mut small: impl FnMut(&T) -> u32) {
        let start = self.len();
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        self.extend_from_slice(&[0; 8]);
        let (steps, rest) = items.as_chunks::<SMALL_STEP>();
        let mut step = [0; SMALL_STEP];
        for items in steps {
            for (place, item) in step.iter_mut().zip(items) {
                *place = small(item);
            }
            put_step(self, &step);
        }
        rest.iter().for_each(|item| put_one(self, small(item)));
        let length = (self.len() - start - 16) as u64;
        self[start + 8..start + 16].copy_from_slice(&length.to_le_bytes());
    }

    fn put_bytes(&mut self, items: &[u8]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        self.extend_from_slice(items);
    }
}

/// Packs some numbers, which are all small as a rule.
#[inline]
fn put_step(out: &mut Vec<u8>, items: &[u32; SMALL_STEP]) {
    if items.iter().fold(0, |all, item| all.max(*item)) >= u32::from(LARGE) {
        items.iter().for_each(|&item| put_one(out, item));
        return;
    }
    let mut packed = [[0; 2]; SMALL_STEP];
    for (bytes, &item) in packed.iter_mut().zip(items) {
        *bytes = (item as u16).to_le_bytes();
    }
    out.extend_from_slice(packed.as_flattened());
}

fn put_one(out: &mut Vec<u8>, item: u32) {
    if item < u32::from(LARGE) {
        out.extend_from_slice(&(item as u16).to_le_bytes());
    } else {
        out.extend_from_slice(&LARGE.to_le_bytes());
        out.extend_from_slice(&item.to_le_bytes());
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
        let raw = self.items(4)?;
        Ok(raw
            .chunks_exact(4)
            .map(|item| u32::from_le_bytes([item[0], item[1], item[2], item[3]]))
            .collect())
    }

    /// The next array, of u64.
    pub fn u64s(&mut self) -> Result<Vec<u64>, Damage> {
        let raw = self.items(8)?;
        Ok(raw
            .chunks_exact(8)
            .map(|item| {
                u64::from_le_bytes([
                    item[0], item[1], item[2], item[3], item[4], item[5], item[6], item[7],
                ])
            })
            .collect())
    }

    /// The next array, of u32 written small.
    pub fn small(&mut self) -> Result<Vec<u32>, Damage> {
        let damage = Damage { at: self.at };
        let count = self
            .bytes
            .get(self.at..)
            .and_then(|rest| rest.first_chunk::<8>())
            .ok_or(damage)?;
        let count = u64::from_le_bytes(*count) as usize;
        self.at += 8;
        let packed = self.items(1)?;
        let mut items = Vec::with_capacity(count.min(packed.len() / 2));
        let mut rest = packed;
        while !rest.is_empty() {
            let step = rest.first_chunk::<{ 2 * SMALL_STEP }>();
            rest = match step
                .filter(|step| units(*step).fold(true, |small, unit| small & (unit < LARGE)))
            {
                Some(step) => {
                    items.extend(units(step).map(u32::from));
                    &rest[step.len()..]
                }
                None => unpack_step(rest, &mut items),
            };
        }
        if items.len() == count {
            Ok(items)
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

fn units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let pairs = bytes.chunks_exact(2);
    pairs.map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
}

/// Appends the next numbers, large ones among them; returns the bytes after them.
fn unpack_step<'a>(bytes: &'a [u8], items: &mut Vec<u32>) -> &'a [u8] {
    let mut from = units(bytes);
    let mut read = 0;
    for _ in 0..SMALL_STEP {
        let Some(unit) = from.next() else {
            return &[];
        };
        read += 2;
        if unit < LARGE {
            items.push(u32::from(unit));
        } else if let (Some(low), Some(high)) = (from.next(), from.next()) {
            items.push(u32::from(low) | u32::from(high) << 16);
            read += 4;
        }
    }
    &bytes[read..]
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
        let numbers: Vec<u32> = (0..200).chain(large).chain(0..128).chain(large).collect();
        let mut packed = Vec::new();
        packed.put_small(&numbers);
        packed.put_small(&[]);
        let mut unpack = Unpack::new(&packed);
        assert_eq!(unpack.small(), Ok(numbers));
        assert_eq!(unpack.small(), Ok(vec![]));
        assert!(Unpack::new(&packed[..20]).small().is_err());
    }

    #[test]
    fn a_cut_array_is_damage() {
        let mut packed = Vec::new();
        packed.put_u64s(&[7]);
        assert!(Unpack::new(&packed[..packed.len() - 1]).u64s().is_err());
        assert!(Unpack::new(&u64::MAX.to_le_bytes()).u64s().is_err());
    }
}
