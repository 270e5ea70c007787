//! Bags, packed: a term is its place in the sorted terms of the shard, and a bag is stored as an
//! inverted list is, with places of terms where that has places of pages.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeBinaryArray, RecordBatch, UInt64Array};
use arrow_schema::ArrowError;

use super::holders::{pack_list, ListBlock, ListHead, ListReader};
use super::{batch, column, damaged, BROKEN, LARGEST_BATCH};
use crate::columns::{BagColumn, BagTable, Ends, PackedReader};

/// Bytes of a term and its weight in memory.
const ENTRY: usize = 10;
/// The terms of a shard are found by at most this many leading bits.
const MOST_BITS: u32 = 24;

/// Packs and unpacks the bags of a shard by its terms.
#[derive(Debug)]
pub struct BagPacker {
    terms: Vec<u64>,
    /// Where the terms begin that have the same leading bits.
    starts: Vec<u32>,
    /// The other bits of a term.
    shift: u32,
}

impl BagPacker {
    /// For a shard with these terms, which ascend.
    pub fn new(terms: Vec<u64>) -> Self {
        // At least one leading bit, so that the shift is below 64.
        let bits = (usize::BITS - terms.len().leading_zeros()).clamp(1, MOST_BITS);
        let shift = 64 - bits;
        let start = |leading| terms.partition_point(|&term| term >> shift < leading) as u32;
        Self {
            starts: (0..=1 << bits).map(start).collect(),
            terms,
            shift,
        }
    }

    /// Rows of bags as they are stored.
    pub fn pack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let bags = BagTable::new(rows).map_err(|error| damaged(&error.to_string()))?;
        let (mut packed, mut ends) = (Vec::new(), Ends::<u64>::default());
        let mut places = Vec::new();
        for bag in bags.bags() {
            let bag = bag.map_err(|error| damaged(&error.to_string()))?;
            places.clear();
            for &term in bag.terms {
                let place = self.place(term);
                places.push(place.ok_or_else(|| damaged("a term of a bag is not listed"))?);
            }
            pack_list(&places, bag.weights, &mut packed);
            ends.push(packed.len());
        }
        let ids: ArrayRef = Arc::new(UInt64Array::from(bags.ids().to_vec()));
        let packed = LargeBinaryArray::try_new(ends.offsets(), packed.into(), None)?;
        batch(vec![("id", ids), ("bag", Arc::new(packed))])
    }

    /// Stored rows as bags.
    pub fn unpack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let ids: &UInt64Array = column(rows, "id")?;
        let packed: &LargeBinaryArray = column(rows, "bag")?;
        let mut bags = BagColumn::default();
        let mut left = LARGEST_BATCH / ENTRY;
        for row in 0..rows.num_rows() {
            let count = unpack_bag(packed.value(row), left, &mut bags, |place| {
                self.terms.get(place as usize).copied()
            });
            left -= count.ok_or_else(|| damaged(BROKEN))?;
        }
        let [terms, weights] = bags.into_arrays()?;
        batch(vec![
            ("id", Arc::new(ids.clone())),
            ("terms", terms),
            ("weights", weights),
        ])
    }

    fn place(&self, term: u64) -> Option<u32> {
        let leading = (term >> self.shift) as usize;
        let start = self.starts[leading] as usize;
        let alike = &self.terms[start..self.starts[leading + 1] as usize];
        let place = alike.binary_search(&term).ok()?;
        Some((start + place) as u32)
    }
}

/// Appends a packed bag of at most `most` terms, which `term_at` knows by their places; returns how
/// many it has. `None` if it is broken.
pub fn unpack_bag(
    packed: &[u8],
    most: usize,
    bags: &mut BagColumn,
    mut term_at: impl FnMut(u32) -> Option<u64>,
) -> Option<usize> {
    let mut reader = PackedReader::new(packed);
    let head = ListHead::read(&mut reader).filter(|head| !head.is_column && head.count <= most)?;
    let (mut list, mut block) = (ListReader::new(reader, head), ListBlock::default());
    loop {
        let (places, weights) = list.next(&mut block)?;
        if places.is_empty() {
            bags.end();
            return Some(head.count);
        }
        for (&place, &weight) in places.iter().zip(weights) {
            bags.add(term_at(place)?, weight.try_into().ok()?);
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;
    use crate::columns::Bag;

    /// Bags of these lengths, and all their terms.
    fn bags(lengths: &[usize]) -> (RecordBatch, Vec<u64>) {
        let (mut column, mut all) = (BagColumn::default(), Vec::new());
        for (row, &length) in lengths.iter().enumerate() {
            let term = |at: u64| (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | (row as u64 & 1);
            let mut terms: Vec<u64> = (0..length as u64).map(term).collect();
            terms.sort_unstable();
            let weights: Vec<u16> = (0..length).map(|at| (at * 7919 % 300 + 1) as u16).collect();
            column.push(Bag {
                terms: &terms,
                weights: &weights,
            });
            all.extend(terms);
        }
        all.sort_unstable();
        all.dedup();
        let ids: ArrayRef = Arc::new(UInt64Array::from_iter_values(0..lengths.len() as u64));
        let [terms, weights] = column.into_arrays().expect("sound");
        let rows = batch(vec![("id", ids), ("terms", terms), ("weights", weights)]);
        (rows.expect("columns of one length"), all)
    }

    #[test]
    fn bags_are_read_back() {
        for lengths in [&[0][..], &[1], &[1, 127, 128, 129, 0, 2_000, 5]] {
            let (rows, terms) = bags(lengths);
            let packer = BagPacker::new(terms);
            let packed = packer.pack(&rows).expect("sound");
            assert_eq!(packer.unpack(&packed).expect("sound"), rows);
            let last = lengths.len() - 1;
            let one = packer.pack(&rows.slice(last, 1)).expect("sound");
            assert_eq!(one, packed.slice(last, 1));
        }
    }

    #[test]
    fn terms_that_begin_alike_are_told_apart() {
        let terms: Vec<u64> = (0..5_000).chain([1 << 63, u64::MAX]).collect();
        let packer = BagPacker::new(terms.clone());
        for (place, &term) in (0..).zip(&terms) {
            assert_eq!(packer.place(term), Some(place));
        }
        assert_eq!(
            [5_000, u64::MAX - 1].map(|term| packer.place(term)),
            [None; 2]
        );
        assert_eq!(BagPacker::new(vec![]).place(0), None);
    }

    #[test]
    fn broken_bags_are_refused() {
        let (rows, terms) = bags(&[300]);
        let count = terms.len();
        let packer = BagPacker::new(terms);
        let packed = packer.pack(&rows).expect("sound");
        let bytes = packed.column(1).as_binary::<i64>().value(0).to_vec();
        let unpack = |bytes: &[u8], most| {
            let term_at = |place: u32| packer.terms.get(place as usize).copied();
            unpack_bag(bytes, most, &mut BagColumn::default(), term_at)
        };
        assert_eq!(unpack(&bytes, count), Some(count));
        assert_eq!(unpack(&bytes, count - 1), None);
        assert_eq!(unpack(&[&bytes[..], &[0]].concat(), count), None);
        for cut in 1..bytes.len() {
            assert_eq!(unpack(&bytes[..cut], count), None);
        }
        let other = BagPacker::new(packer.terms[..count - 1].to_vec());
        assert!(
            other.unpack(&packed).is_err(),
            "a place beyond the last term"
        );
        assert!(other.pack(&rows).is_err(), "a term that is not listed");
    }
}
