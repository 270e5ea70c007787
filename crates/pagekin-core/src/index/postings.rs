//! Weighted inverted lists: for each term the bags that hold it, and its weight there.
//!
//! With them a query finds every page that shares a term, at about a nanosecond a posting.
//! The lists of a large crawl are too long for that; there sketches cost less.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeListArray, RecordBatch, UInt16Array, UInt32Array, UInt64Array};
use arrow_buffer::{ArrowNativeType, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::verified::{TableError, Unverified};
use crate::columns::Bag;
use crate::hash::TermMap;

/// An index of at most this many bags has inverted lists of them.
pub const FEW_BAGS: usize = 1 << 16;

/// A range of terms is cut into 2^5 groups: the memory to transpose a group then fits a near cache.
const GROUP_BITS: u32 = 5;

/// The inverted list of a term: the bags that hold it, and its weight in each.
#[derive(Debug, Clone, Copy)]
pub struct WeightedPostings<'a> {
    /// Rows of the bags, ascending.
    pub rows: &'a [u32],
    /// The weight of the term in each.
    pub weights: &'a [u16],
}

/// The inverted list of a term that has not been compared with its checksums yet.
#[derive(Debug, Clone, Copy)]
pub struct UnverifiedPostings<'a> {
    rows: Unverified<'a, u32>,
    weights: Unverified<'a, u16>,
}

impl<'a> UnverifiedPostings<'a> {
    /// A list of as many rows as weights, or nothing.
    pub(super) fn new(rows: Unverified<'a, u32>, weights: Unverified<'a, u16>) -> Option<Self> {
        (rows.len() == weights.len()).then_some(Self { rows, weights })
    }

    /// How many bags hold the term.
    pub fn len(self) -> usize {
        self.rows.len()
    }

    /// Whether no bag holds the term.
    pub fn is_empty(self) -> bool {
        self.rows.is_empty()
    }

    /// Prefetches the beginning of the list.
    pub fn prefetch(self) {
        self.rows.prefetch(usize::MAX);
        self.weights.prefetch(usize::MAX);
    }

    /// The error of a list that names a row beyond the last.
    pub fn row_error(self) -> TableError {
        self.rows.error("a row lies outside the shard")
    }

    /// The list, as it was written.
    pub fn verify(self) -> Result<WeightedPostings<'a>, TableError> {
        Ok(WeightedPostings {
            rows: self.rows.verify()?,
            weights: self.weights.verify()?,
        })
    }
}

/// Builds the inverted lists of the terms of a range from bags.
#[derive(Debug)]
pub struct WeightedPostingsBuilder {
    first: u64,
    last: u64,
    /// A group has the terms whose distances from the first begin alike.
    shift: u32,
    groups: Vec<TermGroup>,
}

/// Parts of bags, one after another.
#[derive(Debug, Default, Clone)]
struct TermGroup {
    terms: Vec<u64>,
    weights: Vec<u16>,
    /// Of each part its row and how many terms it has; rows ascend.
    bags: Vec<(u32, u32)>,
}

impl WeightedPostingsBuilder {
    /// No lists yet, of the terms from `first` to `last`.
    pub fn new(first: u64, last: u64) -> Self {
        let bits = 64 - last.saturating_sub(first).leading_zeros();
        Self {
            first,
            last,
            shift: bits.saturating_sub(GROUP_BITS),
            groups: vec![TermGroup::default(); 1 << GROUP_BITS],
        }
    }

    /// Adds the terms of a bag that lie in the range. Bags come in order of
    /// their rows.
    pub fn add(&mut self, row: u32, bag: &Bag<'_>) {
        let mut start = bag.terms.partition_point(|&term| term < self.first);
        let end = bag.terms.partition_point(|&term| term <= self.last);
        while start < end {
            let number = |&term: &u64| (term - self.first) >> self.shift;
            let group = number(&bag.terms[start]);
            let rest = bag.terms[start..end].iter();
            let count = rest.take_while(|term| number(term) == group).count();
            let own = start..start + count;
            let group = &mut self.groups[group as usize];
            group.terms.extend_from_slice(&bag.terms[own.clone()]);
            group.weights.extend_from_slice(&bag.weights[own]);
            group.bags.push((row, count as u32));
            start += count;
        }
    }

    /// One row a term, in order of terms; each list in order of rows.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let mut columns = PostingColumns::default();
        let total = self.groups.iter().map(|group| group.terms.len()).sum();
        columns.rows.reserve_exact(total);
        columns.weights.reserve_exact(total);
        let mut numbers = TermNumbers::default();
        for group in self.groups {
            columns.append(&group, &mut numbers);
        }
        columns.into_batch()
    }
}

/// The terms of a group, numbered in the order of their first occurrence.
#[derive(Default)]
struct TermNumbers {
    known: TermMap<u32>,
    /// The number of each entry's term.
    of: Vec<u32>,
    /// The length of each term's list, then where its next posting belongs.
    next: Vec<u32>,
}

impl TermNumbers {
    /// Numbers these terms; returns those that differ in order, with their numbers.
    fn number(&mut self, terms: &[u64]) -> Vec<(u64, u32)> {
        self.of.clear();
        self.next.clear();
        for &term in terms {
            let new = self.next.len() as u32;
            let slot = *self.known.entry(term).or_insert(new);
            if slot == new {
                self.next.push(0);
            }
            self.next[slot as usize] += 1;
            self.of.push(slot);
        }
        let mut known: Vec<(u64, u32)> = self.known.drain().collect();
        known.sort_unstable();
        known
    }
}

#[derive(Default)]
struct PostingColumns {
    terms: Vec<u64>,
    ends: Vec<i64>,
    rows: Vec<u32>,
    weights: Vec<u16>,
}

impl PostingColumns {
    fn append(&mut self, group: &TermGroup, slots: &mut TermNumbers) {
        let base = self.rows.len();
        let mut end = 0;
        for (term, slot) in slots.number(&group.terms) {
            end += std::mem::replace(&mut slots.next[slot as usize], end);
            self.terms.push(term);
            self.ends.push(base as i64 + i64::from(end));
        }
        self.rows.resize(base + group.terms.len(), 0);
        self.weights.resize(base + group.terms.len(), 0);
        let (rows, weights) = (&mut self.rows[base..], &mut self.weights[base..]);
        let mut entries = slots.of.iter().zip(&group.weights);
        for &(row, count) in &group.bags {
            for (&slot, &weight) in entries.by_ref().take(count as usize) {
                let next = &mut slots.next[slot as usize];
                (rows[*next as usize], weights[*next as usize]) = (row, weight);
                *next += 1;
            }
        }
    }

    fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let ends: Vec<i64> = std::iter::once(0).chain(self.ends).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        let (rows, weights) = (
            UInt32Array::from(self.rows),
            UInt16Array::from(self.weights),
        );
        let columns: [(&str, ArrayRef); 3] = [
            ("term", Arc::new(UInt64Array::from(self.terms))),
            ("rows", list(DataType::UInt32, &offsets, rows)?),
            ("weights", list(DataType::UInt16, &offsets, weights)?),
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
    fn postings_list_the_bags_with_their_term() {
        let bags: [(&[u64], &[u16]); 3] = [
            (&[3, 7, 1 << 63], &[10, 20, 30]),
            (&[], &[]),
            (&[7, 9, 1 << 63], &[40, 50, 60]),
        ];
        let mut builder = WeightedPostingsBuilder::new(4, 1 << 63);
        for (row, (terms, weights)) in (0..).zip(bags) {
            builder.add(row, &Bag { terms, weights });
        }
        let batch = builder.into_batch().expect("sound");
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
