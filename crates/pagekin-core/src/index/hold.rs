//! From bags to holders: for each term the bags that hold it, and how heavily.
//!
//! With them every page that shares anything is found at about a nanosecond a
//! holder. A term of a large crawl has too many; there sketches cost less.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use arrow_array::{ArrayRef, LargeListArray, RecordBatch, UInt16Array, UInt32Array, UInt64Array};
use arrow_buffer::{ArrowNativeType, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::bag::Bag;

/// An index of at most so many bags has holders.
pub const FEW_BAGS: usize = 1 << 16;

/// Terms are hashes already: their middle bits, which no kind of term sets, will do.
#[derive(Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, term: u64) {
        self.0 = term.rotate_left(32);
    }
}

/// The holders of the terms of a range, while they are gathered.
#[derive(Debug, Default)]
pub struct Holders {
    slots: HashMap<u64, u32, BuildHasherDefault<TermHasher>>,
    /// How many holders the term of each slot has.
    counts: Vec<u32>,
    /// Of each entry its slot, row and weight; rows ascend.
    entries: Vec<(u32, u32, u16)>,
}

impl Holders {
    /// Adds the terms of a bag that lie in a range, both ends included. Bags
    /// come in order of their rows.
    pub fn add(&mut self, row: u32, bag: &Bag<'_>, first: u64, last: u64) {
        let from = bag.terms.partition_point(|&term| term < first);
        let to = bag.terms.partition_point(|&term| term <= last);
        for (&term, &weight) in bag.terms[from..to].iter().zip(&bag.weights[from..to]) {
            let next = self.counts.len() as u32;
            let slot = *self.slots.entry(term).or_insert(next);
            if slot == next {
                self.counts.push(0);
            }
            self.counts[slot as usize] += 1;
            self.entries.push((slot, row, weight));
        }
    }

    /// One row a term, in order of terms; the holders of a term in order of rows.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let mut terms: Vec<(u64, u32)> = self.slots.into_iter().collect();
        terms.sort_unstable();
        let mut next = vec![0usize; terms.len()];
        let mut ends = Vec::with_capacity(terms.len() + 1);
        let mut end = 0;
        ends.push(0i64);
        for &(_, slot) in &terms {
            next[slot as usize] = end;
            end += self.counts[slot as usize] as usize;
            ends.push(end as i64);
        }
        let (mut rows, mut weights) = (vec![0u32; end], vec![0u16; end]);
        for (slot, row, weight) in self.entries {
            let at = &mut next[slot as usize];
            (rows[*at], weights[*at]) = (row, weight);
            *at += 1;
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        let terms = UInt64Array::from_iter_values(terms.into_iter().map(|(term, _)| term));
        let columns: [(&str, ArrayRef); 3] = [
            ("term", Arc::new(terms)),
            (
                "rows",
                list(DataType::UInt32, &offsets, UInt32Array::from(rows))?,
            ),
            (
                "weights",
                list(DataType::UInt16, &offsets, UInt16Array::from(weights))?,
            ),
        ];
        RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, column)| (name, column, false)),
        )
    }
}

fn list<T: arrow_array::ArrowPrimitiveType>(
    kind: DataType,
    offsets: &OffsetBuffer<i64>,
    values: arrow_array::PrimitiveArray<T>,
) -> Result<ArrayRef, ArrowError>
where
    T::Native: ArrowNativeType,
{
    let field = Arc::new(Field::new("item", kind, false));
    let list = LargeListArray::try_new(field, offsets.clone(), Arc::new(values), None)?;
    Ok(Arc::new(list))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{UInt16Type, UInt32Type, UInt64Type};

    use super::*;

    #[test]
    fn each_term_names_the_bags_that_hold_it() {
        let bags: [(&[u64], &[u16]); 3] = [
            (&[3, 7, 1 << 63], &[10, 20, 30]),
            (&[], &[]),
            (&[7, 9, 1 << 63], &[40, 50, 60]),
        ];
        let mut holders = Holders::default();
        for (row, (terms, weights)) in (0..).zip(bags) {
            holders.add(row, &Bag { terms, weights }, 4, 1 << 63);
        }
        let batch = holders.into_batch().expect("sound");
        let terms = batch.column(0).as_primitive::<UInt64Type>();
        assert_eq!(terms.values(), &[7, 9, 1 << 63]);
        let rows = batch.column(1).as_list::<i64>();
        let weights = batch.column(2).as_list::<i64>();
        assert_eq!(rows.value_offsets(), &[0, 2, 3, 5]);
        assert_eq!(
            rows.values().as_primitive::<UInt32Type>().values(),
            &[0, 2, 2, 0, 2]
        );
        assert_eq!(
            weights.values().as_primitive::<UInt16Type>().values(),
            &[20, 40, 50, 30, 60]
        );
    }
}
