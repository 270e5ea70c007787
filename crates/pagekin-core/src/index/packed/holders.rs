//! Inverted lists of bags, packed: the places and weights of a term, or its weight for every page.
//!
//! Lists are read block by block, so a search adds the weights of 128 pages while they are in the
//! nearest cache, and nothing is unpacked that it does not read.

use std::sync::Arc;

use arrow_array::types::{UInt16Type, UInt32Type};
use arrow_array::{
    ArrayRef, LargeBinaryArray, LargeListArray, RecordBatch, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::ArrowError;

use super::weights::{put_weights, read_weights, WeightBlock};
use super::{batch, column, damaged, list, numbers, PackedTable, BROKEN, LARGEST_BATCH};
use crate::columns::{
    from_gaps, list_array, put_block, put_number, to_gaps, Block, Ends, PackedReader, PACKED_BLOCK,
};

/// Bytes of a posting in memory.
const POSTING: usize = 6;

/// The table of inverted lists of bags.
#[derive(Debug, Default)]
pub struct PackedHolders;

/// What a packed list begins with: twice its length, and 1 more if it is a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListHead {
    /// How many weights there are.
    pub count: usize,
    /// Whether there is one for every page.
    pub is_column: bool,
}

impl ListHead {
    /// The bytes that are enough to read a head.
    pub const BYTES: usize = 5;

    /// Reads the head of a list. A list without bytes is empty.
    pub fn read(reader: &mut PackedReader<'_>) -> Option<Self> {
        if reader.is_empty() {
            return Some(Self::default());
        }
        let number = reader.number()?;
        Some(Self {
            count: (number >> 1) as usize,
            is_column: number & 1 == 1,
        })
    }
}

/// Room for a block of a list.
#[derive(Debug)]
pub struct ListBlock {
    places: Block,
    weights: Block,
}

impl Default for ListBlock {
    fn default() -> Self {
        Self {
            places: [0; PACKED_BLOCK],
            weights: [0; PACKED_BLOCK],
        }
    }
}

impl ListBlock {
    /// The place and the weight at a position below 128.
    #[inline]
    pub fn entry(&self, at: usize) -> (u32, u32) {
        (self.places[at], self.weights[at])
    }
}

/// Reads the places and weights of a list, block by block.
#[derive(Debug, Clone, Copy)]
pub struct ListReader<'a> {
    packed: PackedReader<'a>,
    left: usize,
    place: u32,
}

impl<'a> ListReader<'a> {
    /// A reader of a list with this head.
    pub fn new(packed: PackedReader<'a>, head: ListHead) -> Self {
        Self {
            packed,
            left: head.count,
            place: 0,
        }
    }

    /// Reads the next block: as many places as weights, none at the end. `None` if it is broken.
    #[inline]
    pub fn next<'b>(&mut self, block: &'b mut ListBlock) -> Option<(&'b [u32], &'b [u32])> {
        let count = self.left.min(PACKED_BLOCK);
        if count > 0 {
            self.packed.block(count, &mut block.places)?;
            from_gaps(&mut block.places[..count], self.place);
            self.place = block.places[count - 1];
            self.packed.block(count, &mut block.weights)?;
            self.left -= count;
        } else if !self.packed.is_empty() {
            return None;
        }
        Some((&block.places[..count], &block.weights[..count]))
    }
}

/// Reads the weights of a column, block by block.
#[derive(Debug, Clone, Copy)]
pub struct ColumnReader<'a> {
    bytes: &'a [u8],
    left: usize,
}

impl<'a> ColumnReader<'a> {
    /// A reader of a column with this head.
    pub fn new(packed: PackedReader<'a>, head: ListHead) -> Self {
        Self {
            bytes: packed.rest(),
            left: head.count,
        }
    }

    /// Reads the next block; returns how many weights it has, 0 at the end. `None` if it is broken.
    #[inline]
    pub fn next(&mut self, weights: &mut WeightBlock) -> Option<usize> {
        let count = self.left.min(PACKED_BLOCK);
        if count == 0 {
            return self.bytes.is_empty().then_some(0);
        }
        self.bytes = read_weights(self.bytes, count, weights)?;
        self.left -= count;
        Some(count)
    }
}

/// Packs a list of places, or a column if there are no places.
pub fn pack_list(places: &[u32], weights: &[u16], out: &mut Vec<u8>) {
    let is_column = places.is_empty();
    if weights.is_empty() {
        return;
    }
    put_number((weights.len() as u32) << 1 | u32::from(is_column), out);
    if is_column {
        let blocks = weights.chunks(PACKED_BLOCK);
        return blocks.for_each(|block| put_weights(block, out));
    }
    let (mut before, mut block): (u32, Block) = (0, [0; PACKED_BLOCK]);
    for (places, weights) in places
        .chunks(PACKED_BLOCK)
        .zip(weights.chunks(PACKED_BLOCK))
    {
        let gaps = &mut block[..places.len()];
        gaps.copy_from_slice(places);
        to_gaps(gaps, before);
        before = places[places.len() - 1];
        put_block(gaps, out);
        for (wide, &weight) in gaps.iter_mut().zip(weights) {
            *wide = weight.into();
        }
        put_block(gaps, out);
    }
}

/// The postings of a segment, unpacked.
#[derive(Default)]
struct SegmentColumns {
    places: Vec<u32>,
    weights: Vec<u16>,
    place_ends: Ends,
    weight_ends: Ends,
}

impl SegmentColumns {
    /// Appends a list of at most `most` postings.
    fn unpack(&mut self, packed: &[u8], most: usize) -> Option<()> {
        let mut reader = PackedReader::new(packed);
        let head = ListHead::read(&mut reader).filter(|head| head.count <= most)?;
        if head.is_column {
            let (mut column, mut weights) = (ColumnReader::new(reader, head), [0; PACKED_BLOCK]);
            loop {
                match column.next(&mut weights)? {
                    0 => break,
                    count => self.weights.extend_from_slice(&weights[..count]),
                }
            }
        } else {
            let mut list = ListReader::new(reader, head);
            let mut block = ListBlock::default();
            loop {
                let (places, weights) = list.next(&mut block)?;
                if places.is_empty() {
                    break;
                }
                self.places.extend_from_slice(places);
                for &weight in weights {
                    self.weights.push(weight.try_into().ok()?);
                }
            }
        }
        self.place_ends.push(self.places.len());
        self.weight_ends.push(self.weights.len());
        Some(())
    }

    fn into_arrays(self) -> Result<[ArrayRef; 2], ArrowError> {
        let places = UInt32Array::from(self.places);
        let weights = UInt16Array::from(self.weights);
        Ok([
            list_array(&self.place_ends.offsets(), places)?,
            list_array(&self.weight_ends.offsets(), weights)?,
        ])
    }
}

/// The columns of a segment: places and weights.
const SEGMENTS: [[&str; 2]; 2] = [
    ["crawled", "crawled_weights"],
    ["uncrawled", "uncrawled_weights"],
];

impl PackedTable for PackedHolders {
    fn pack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let terms: &UInt64Array = column(rows, "term")?;
        let mut columns: Vec<(&str, ArrayRef)> = vec![("term", Arc::new(terms.clone()))];
        for [name, weights] in SEGMENTS {
            let places: (&LargeListArray, &[u32]) = numbers::<UInt32Type>(rows, name)?;
            let weights: (&LargeListArray, &[u16]) = numbers::<UInt16Type>(rows, weights)?;
            let (mut packed, mut ends) = (Vec::new(), Ends::<u64>::default());
            for row in 0..rows.num_rows() {
                let places = list(places.0, places.1, row)?;
                let weights = list(weights.0, weights.1, row)?;
                if !places.is_empty() && places.len() != weights.len() {
                    return Err(damaged("an inverted list has not one weight for each page"));
                }
                pack_list(places, weights, &mut packed);
                ends.push(packed.len());
            }
            let packed = LargeBinaryArray::try_new(ends.offsets(), packed.into(), None)?;
            columns.push((name, Arc::new(packed)));
        }
        batch(columns)
    }

    fn unpack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let terms: &UInt64Array = column(rows, "term")?;
        let mut columns: Vec<(&str, ArrayRef)> = vec![("term", Arc::new(terms.clone()))];
        for [name, weight_name] in SEGMENTS {
            let packed: &LargeBinaryArray = column(rows, name)?;
            let mut all = SegmentColumns::default();
            for row in 0..rows.num_rows() {
                let most = LARGEST_BATCH / POSTING - all.weights.len();
                let unpacked = all.unpack(packed.value(row), most);
                unpacked.ok_or_else(|| damaged(BROKEN))?;
            }
            let [places, weights] = all.into_arrays()?;
            columns.extend([(name, places), (weight_name, weights)]);
        }
        batch(columns)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    /// Lists of these lengths and columns of 300 weights in turn.
    fn rows(lengths: &[usize]) -> RecordBatch {
        let mut columns: Vec<(&str, ArrayRef)> = vec![(
            "term",
            Arc::new(UInt64Array::from_iter_values(0..lengths.len() as u64)),
        )];
        for (number, [places, weights]) in SEGMENTS.into_iter().enumerate() {
            let mut all = SegmentColumns::default();
            for (row, &length) in lengths.iter().enumerate() {
                let weight = |at: usize| (at * 7919 % 300 + at % 11 / 10 * 9_000) as u16;
                if row % 3 == number {
                    all.weights.extend((0..300).map(weight));
                } else {
                    all.places
                        .extend((0..length as u32).map(|at| 5 * at + row as u32));
                    all.weights.extend((0..length).map(weight));
                }
                all.place_ends.push(all.places.len());
                all.weight_ends.push(all.weights.len());
            }
            let [lists, values] = all.into_arrays().expect("sound");
            columns.extend([(places, lists), (weights, values)]);
        }
        batch(columns).expect("columns of one length")
    }

    #[test]
    fn lists_and_columns_are_read_back() {
        let rows = rows(&[1, 127, 128, 129, 0, 2_000, 5]);
        let packed = PackedHolders.pack(&rows).expect("sound");
        assert_eq!(PackedHolders.unpack(&packed).expect("sound"), rows);
        let one = PackedHolders.pack(&rows.slice(5, 1)).expect("sound");
        assert_eq!(one, packed.slice(5, 1));
    }

    #[test]
    fn broken_lists_are_refused() {
        let packed = PackedHolders.pack(&rows(&[300, 300])).expect("sound");
        for row in 0..2 {
            let bytes = packed.column(1).as_binary::<i64>().value(row).to_vec();
            let unpack = |bytes: &[u8], most| SegmentColumns::default().unpack(bytes, most);
            assert_eq!(unpack(&bytes, 300), Some(()));
            assert_eq!(unpack(&bytes, 299), None);
            assert_eq!(unpack(&[&bytes[..], &[0]].concat(), 300), None);
            for cut in 1..bytes.len() {
                assert_eq!(unpack(&bytes[..cut], 300), None);
            }
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut changed = bytes.clone();
                    changed[at] ^= 1 << bit;
                    let _ = unpack(&changed, 300);
                }
            }
        }
    }
}
