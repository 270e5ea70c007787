//! Arrays of integers as bytes; those of 32 bits by patched coding (PFOR, Zukowski et al. 2006).
//!
//! Each array is its number of items (u64) and its items, little-endian. Of u32 every item has
//! two bytes, and the few that need more follow their block as exceptions.

use std::ops::Range;

use thiserror::Error;

use super::reuse::clear_for;

/// The error of bytes that no writer of ours wrote.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "damaged data between two stages ({what}: expected {expected}, found {found}): build again"
)]
pub struct CodecError {
    /// What was read.
    pub what: &'static str,
    /// How many there should be.
    pub expected: u64,
    /// How many there are.
    pub found: u64,
}

impl CodecError {
    /// A number that should be below another.
    pub fn outside(what: &'static str, expected: u64, found: u64) -> Self {
        Self {
            what,
            expected,
            found,
        }
    }
}

/// Checks that there are as many of something as expected.
pub fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), CodecError> {
    let (expected, found) = (expected as u64, found as u64);
    let error = CodecError {
        what,
        expected,
        found,
    };
    if expected == found {
        Ok(())
    } else {
        Err(error)
    }
}

/// An array, or several, that is written and read whole.
pub trait Column {
    /// Takes everything out and keeps the memory.
    fn clear(&mut self);
    /// Appends the column as bytes.
    fn write(&self, out: &mut Vec<u8>);
    /// Becomes the next column that was written, and keeps its memory.
    fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError>;
}

/// Makes a struct a column of its fields, in the order given.
macro_rules! impl_column {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::columns::Column for $type {
            fn clear(&mut self) {
                $($crate::columns::Column::clear(&mut self.$field);)+
            }

            fn write(&self, out: &mut Vec<u8>) {
                $($crate::columns::Column::write(&self.$field, out);)+
            }

            fn read(
                &mut self,
                from: &mut $crate::columns::ArrayReader<'_>,
            ) -> Result<(), $crate::columns::CodecError> {
                $($crate::columns::Column::read(&mut self.$field, from)?;)+
                Ok(())
            }
        }
    };
}
pub(crate) use impl_column;

macro_rules! impl_array {
    ($item:ty, $put:ident, $read:ident) => {
        impl Column for Vec<$item> {
            fn clear(&mut self) {
                Vec::clear(self);
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.$put(self);
            }

            fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError> {
                from.$read(self)
            }
        }
    };
}
impl_array!(u8, put_bytes, bytes_to);
impl_array!(u32, put_u32s, u32s_to);
impl_array!(u64, put_u64s, u64s_to);

/// How many u32 are packed at once.
const STEP: usize = 64;
/// How many low halves lie together, the exceptions among them behind them.
const BLOCK: usize = 1 << 16;
/// The bytes of an exception: its place in the block, and the item.
const EXCEPTION: usize = 6;

/// Writes arrays.
pub trait ArrayWriter {
    /// Appends an array of u32, which are best small.
    fn put_u32s(&mut self, items: &[u32]);
    /// The same for N items, which `fill` provides a few at a time from a place on.
    fn put_u32s_of(&mut self, count: usize, fill: impl FnMut(usize, &mut [u32]));
    /// Appends an array of u64.
    fn put_u64s(&mut self, items: &[u64]);
    /// Appends an array of bytes.
    fn put_bytes(&mut self, items: &[u8]);
}

impl ArrayWriter for Vec<u8> {
    fn put_u32s(&mut self, items: &[u32]) {
        self.put_u32s_of(items.len(), |first, some| {
            some.copy_from_slice(&items[first..first + some.len()]);
        });
    }

    fn put_u32s_of(&mut self, count: usize, mut fill: impl FnMut(usize, &mut [u32])) {
        let start = self.len();
        self.extend_from_slice(&(count as u64).to_le_bytes());
        self.extend_from_slice(&[0; 8]);
        let mut exceptions = Vec::new();
        for first in (0..count).step_by(BLOCK) {
            let block = first..count.min(first + BLOCK);
            put_block(self, block, &mut fill, &mut exceptions);
        }
        let length = (self.len() - start - 16) as u64;
        self[start + 8..start + 16].copy_from_slice(&length.to_le_bytes());
    }

    fn put_u64s(&mut self, items: &[u64]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        let start = self.len();
        self.resize(start + items.len() * 8, 0);
        for (bytes, item) in self[start..].chunks_exact_mut(8).zip(items) {
            bytes.copy_from_slice(&item.to_le_bytes());
        }
    }

    fn put_bytes(&mut self, items: &[u8]) {
        self.extend_from_slice(&(items.len() as u64).to_le_bytes());
        self.extend_from_slice(items);
    }
}

/// Packs a block: how many exceptions there are (u32), the low half of every item, then the
/// exceptions. `exceptions` is memory that is used again.
fn put_block(
    out: &mut Vec<u8>,
    block: Range<usize>,
    fill: &mut impl FnMut(usize, &mut [u32]),
    exceptions: &mut Vec<[u8; EXCEPTION]>,
) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    exceptions.clear();
    let mut step = [0; STEP];
    for first in block.clone().step_by(STEP) {
        let items = &mut step[..STEP.min(block.end - first)];
        fill(first, items);
        put_step(out, items, first - block.start, exceptions);
    }
    out[start..start + 4].copy_from_slice(&(exceptions.len() as u32).to_le_bytes());
    out.extend_from_slice(exceptions.as_flattened());
}

/// Packs a few items of a block from a place on; usually none is an exception.
#[inline]
fn put_step(out: &mut Vec<u8>, items: &[u32], first: usize, exceptions: &mut Vec<[u8; EXCEPTION]>) {
    let mut packed = [[0; 2]; STEP];
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
        let mut bytes = [0; EXCEPTION];
        bytes[..2].copy_from_slice(&(place as u16).to_le_bytes());
        bytes[2..].copy_from_slice(&item.to_le_bytes());
        exceptions.push(bytes);
    }
}

/// Reads arrays in the order in which they were written.
#[derive(Debug)]
pub struct ArrayReader<'a> {
    rest: &'a [u8],
}

impl<'a> ArrayReader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next array, of u32.
    pub fn u32s(&mut self) -> Result<Vec<u32>, CodecError> {
        let mut items = Vec::new();
        self.u32s_to(&mut items).map(|()| items)
    }

    /// Replaces a list by the next array, of u32.
    pub fn u32s_to(&mut self, items: &mut Vec<u32>) -> Result<(), CodecError> {
        let count = self.length()?;
        let mut packed = self.items(1)?;
        clear_for(items, count.min(packed.len() / 2));
        while items.len() < count {
            let left = (count - items.len()).min(BLOCK);
            packed = read_block(packed, left, items).ok_or(CodecError {
                what: "items of an array",
                expected: count as u64,
                found: items.len() as u64,
            })?;
        }
        check_length("bytes behind an array", 0, packed.len())
    }

    /// The next array, of u64.
    pub fn u64s(&mut self) -> Result<Vec<u64>, CodecError> {
        let mut items = Vec::new();
        self.u64s_to(&mut items).map(|()| items)
    }

    /// Replaces a list by the next array, of u64.
    pub fn u64s_to(&mut self, items: &mut Vec<u64>) -> Result<(), CodecError> {
        let (raw, _) = self.items(8)?.as_chunks::<8>();
        clear_for(items, raw.len());
        items.extend(raw.iter().map(|&item| u64::from_le_bytes(item)));
        Ok(())
    }

    /// The next array, of bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], CodecError> {
        self.items(1)
    }

    /// Replaces a list by the next array, of bytes.
    pub fn bytes_to(&mut self, items: &mut Vec<u8>) -> Result<(), CodecError> {
        let bytes = self.bytes()?;
        clear_for(items, bytes.len());
        items.extend_from_slice(bytes);
        Ok(())
    }

    /// Checks that everything was read.
    pub fn finish(&self) -> Result<(), CodecError> {
        check_length("bytes behind the last array", 0, self.rest.len())
    }

    fn length(&mut self) -> Result<usize, CodecError> {
        let Some((length, rest)) = self.rest.split_first_chunk::<8>() else {
            return Err(self.missing(8));
        };
        self.rest = rest;
        let length = u64::from_le_bytes(*length);
        usize::try_from(length).map_err(|_| self.missing(length))
    }

    fn items(&mut self, width: usize) -> Result<&'a [u8], CodecError> {
        let length = self.length()?.saturating_mul(width);
        let (items, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| self.missing(length as u64))?;
        self.rest = rest;
        Ok(items)
    }

    fn missing(&self, expected: u64) -> CodecError {
        CodecError {
            what: "bytes of an array",
            expected,
            found: self.rest.len() as u64,
        }
    }
}

/// Appends the N items of a block; returns the bytes after them.
fn read_block<'a>(bytes: &'a [u8], count: usize, items: &mut Vec<u32>) -> Option<&'a [u8]> {
    let (exceptions, rest) = bytes.split_first_chunk::<4>()?;
    let (halves, rest) = rest.split_at_checked(2 * count)?;
    let exceptions = u32::from_le_bytes(*exceptions) as usize;
    let (exceptions, rest) = rest.split_at_checked(EXCEPTION.checked_mul(exceptions)?)?;
    let start = items.len();
    let (halves, _) = halves.as_chunks::<2>();
    items.extend(
        halves
            .iter()
            .map(|&half| u32::from(u16::from_le_bytes(half))),
    );
    let (exceptions, _) = exceptions.as_chunks::<EXCEPTION>();
    for &[low, high, a, b, c, d] in exceptions {
        let place = usize::from(u16::from_le_bytes([low, high]));
        *items.get_mut(start + place)? = u32::from_le_bytes([a, b, c, d]);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_back() {
        let mut packed = Vec::new();
        packed.put_u32s(&[1, u32::MAX]);
        packed.put_bytes(b"garden");
        packed.put_u64s(&[]);
        packed.put_u64s(&[u64::MAX]);
        let mut reader = ArrayReader::new(&packed);
        assert_eq!(reader.u32s(), Ok(vec![1, u32::MAX]));
        assert_eq!(reader.bytes(), Ok(&b"garden"[..]));
        assert_eq!(reader.u64s(), Ok(vec![]));
        assert!(reader.finish().is_err());
        assert_eq!(reader.u64s(), Ok(vec![u64::MAX]));
        assert_eq!(reader.finish(), Ok(()));
        assert!(reader.u64s().is_err());
    }

    #[test]
    fn small_and_large_numbers_are_read_back() {
        let large = [65_534, 65_535, 65_536, u32::MAX, 5];
        let many = (0..200_000u32).map(|at| at * 3 % 70_000);
        let numbers: Vec<u32> = (0..200).chain(large).chain(many).chain(large).collect();
        let mut packed = Vec::new();
        packed.put_u32s(&numbers);
        packed.put_u32s(&[]);
        let mut reader = ArrayReader::new(&packed);
        assert_eq!(reader.u32s(), Ok(numbers));
        assert_eq!(reader.u32s(), Ok(vec![]));
        assert!(ArrayReader::new(&packed[..20]).u32s().is_err());
    }

    #[test]
    fn damaged_blocks_are_errors() {
        let mut packed = Vec::new();
        packed.put_u32s(&[7, 70_000, 9]);
        assert_eq!(packed.len(), 16 + 4 + 3 * 2 + EXCEPTION);
        let with = |at: usize, byte: u8| {
            let mut bytes = packed.clone();
            bytes[at] = byte;
            ArrayReader::new(&bytes).u32s()
        };
        assert!(with(0, 2).is_err(), "fewer numbers than bytes");
        assert!(with(0, 4).is_err(), "more numbers than bytes");
        assert!(with(16, 2).is_err(), "more exceptions than bytes");
        assert!(with(26, 3).is_err(), "an exception behind the last");
        assert_eq!(with(26, 2), Ok(vec![7, 70_000 & 0xffff, 70_000]));
    }

    #[test]
    fn truncated_array_is_an_error() {
        let mut packed = Vec::new();
        packed.put_u64s(&[7]);
        let cut = ArrayReader::new(&packed[..packed.len() - 1]).u64s();
        let error = CodecError {
            what: "bytes of an array",
            expected: 8,
            found: 7,
        };
        assert_eq!(cut, Err(error));
        assert!(ArrayReader::new(&u64::MAX.to_le_bytes()).u64s().is_err());
    }
}
