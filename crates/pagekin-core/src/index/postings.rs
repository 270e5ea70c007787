//! Weighted inverted lists: for each term the bags that hold it, and its weight there.
//!
//! With them a query finds every page that shares a term, at about a nanosecond a posting.
//! The lists of a large crawl are too long for that; there sketches cost less.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt16Array, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;

use super::verified::{TableError, Unverified};
use crate::columns::{list_array, Bag, Ends, Ragged};
use crate::hash::TermMap;
use crate::sorting::transpose;

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
    /// The row of each part's bag; rows ascend.
    rows: Vec<u32>,
    /// Where each part ends.
    ends: Ends<u32>,
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
            group.rows.push(row);
            group.ends.push(group.terms.len());
            start += count;
        }
    }

    /// One row a term, in order of terms; each list in order of rows.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let mut columns = PostingColumns::default();
        let total = self.groups.iter().map(|group| group.terms.len()).sum();
        columns.rows.reserve_exact(total);
        columns.weights.reserve_exact(total);
        for group in self.groups {
            columns.append(&group);
        }
        columns.into_batch()
    }
}

impl TermGroup {
    /// The distinct terms in order, each with its number, and the number of each entry's term.
    /// Terms are numbered in the order in which they first occur.
    fn number_terms(&self) -> (Vec<(u64, u32)>, Vec<u32>) {
        let mut known = TermMap::<u32>::default();
        let number = |term: &u64| {
            let new = known.len() as u32;
            *known.entry(*term).or_insert(new)
        };
        let numbers = self.terms.iter().map(number).collect();
        let mut terms: Vec<(u64, u32)> = known.into_iter().collect();
        terms.sort_unstable();
        (terms, numbers)
    }

    /// The postings of each of N terms, by the numbers of the entries' terms.
    fn transpose(&self, terms: usize, numbers: &[u32]) -> Ragged<(u32, u16), u32> {
        let bags = self.rows.iter().zip(self.ends.ranges());
        let entries = bags.flat_map(|(&row, entries)| {
            let weights = &self.weights[entries.clone()];
            let entries = numbers[entries].iter().zip(weights);
            entries.map(move |(&number, &weight)| (number as usize, (row, weight)))
        });
        transpose(terms, entries)
    }
}

#[derive(Default)]
struct PostingColumns {
    terms: Vec<u64>,
    ends: Ends,
    rows: Vec<u32>,
    weights: Vec<u16>,
}

impl PostingColumns {
    fn append(&mut self, group: &TermGroup) {
        let (terms, numbers) = group.number_terms();
        let lists = group.transpose(terms.len(), &numbers);
        for (term, number) in terms {
            let list = lists.row(number as usize);
            self.rows.extend(list.iter().map(|posting| posting.0));
            self.weights.extend(list.iter().map(|posting| posting.1));
            self.terms.push(term);
            self.ends.push(self.rows.len());
        }
    }

    fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let offsets = self.ends.offsets();
        let terms: ArrayRef = Arc::new(UInt64Array::from(self.terms));
        let rows = list_array(&offsets, UInt32Array::from(self.rows))?;
        let weights = list_array(&offsets, UInt16Array::from(self.weights))?;
        RecordBatch::try_from_iter_with_nullable([
            ("term", terms, false),
            ("rows", rows, false),
            ("weights", weights, false),
        ])
    }
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
