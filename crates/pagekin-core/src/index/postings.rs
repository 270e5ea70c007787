//! Weighted inverted lists: for each term the bags that hold it, and its weight there.
//!
//! The pages of a shard are two segments: those that were fetched, and those that are only linked
//! to. Each has lists of its own, in which a page is named by its place in the segment, so that a
//! search reads nothing about pages that it does not ask for. A frequent term has a column
//! instead of a list: its weight in every page of the segment. Concepts are such terms. The
//! processor adds eight pages of a column at a time.
//!
//! The lists of a large crawl are too long to be read; there sketches cost less.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt16Array, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;

use super::files::verified::{TableError, Unverified};
use super::packed::{ColumnReader, ListHead, ListReader};
use crate::columns::{list_array, Bag, Ends, PackedReader, Ragged};
use crate::hash::TermMap;
use crate::sorting::transpose;

/// An index of at most this many bags has inverted lists of them.
pub const FEW_BAGS: usize = 1 << 18;

/// A range of terms is cut into 2^5 groups: the memory to transpose a group then fits a near cache.
const GROUP_BITS: u32 = 5;

/// A term is frequent if one page of a segment in this many has it.
const FREQUENT_ONE_IN: usize = 4;

/// Pages of a shard that are searched together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Segment {
    /// Pages that were fetched.
    #[default]
    Crawled,
    /// Pages that are only linked to.
    Uncrawled,
}

impl Segment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Crawled, Self::Uncrawled];

    /// The segment of a page.
    pub fn of(crawled: bool) -> Self {
        if crawled {
            Self::Crawled
        } else {
            Self::Uncrawled
        }
    }
}

/// The weights of a term in the bags of a segment, to be read block by block.
#[derive(Debug, Clone, Copy)]
pub enum WeightedPostings<'a> {
    /// The places of the bags that hold it, ascending, and its weight in each.
    List(ListReader<'a>),
    /// Its weight in every bag.
    Column(ColumnReader<'a>),
}

/// The weights of a term that have not been compared with their checksums yet.
#[derive(Debug, Clone, Copy)]
pub struct UnverifiedPostings<'a> {
    packed: Unverified<'a, u8>,
    head: ListHead,
}

impl<'a> UnverifiedPostings<'a> {
    /// A list of at most as many places as there are pages, or a column of that many weights.
    /// Only the head is verified and read.
    pub(super) fn new(packed: Unverified<'a, u8>, pages: usize) -> Result<Self, TableError> {
        let start = packed.slice(0..packed.len().min(ListHead::BYTES))?;
        let head = ListHead::read(&mut PackedReader::new(start.verify()?));
        let is_possible = |head: &ListHead| match head.is_column {
            true => head.count == pages,
            false => head.count <= pages,
        };
        match head.filter(is_possible) {
            Some(head) => Ok(Self { packed, head }),
            None => Err(packed.error("an inverted list has not one weight for each page")),
        }
    }

    /// How many weights there are.
    pub fn len(self) -> usize {
        self.head.count
    }

    /// Whether no bag holds the term.
    pub fn is_empty(self) -> bool {
        self.head.count == 0
    }

    /// Whether there is a weight for every bag.
    pub fn is_column(self) -> bool {
        self.head.is_column
    }

    /// The error of a list that is no list, or names a page beyond the last.
    pub fn broken(self) -> TableError {
        self.packed.error("an inverted list is broken")
    }

    /// The weights, as they were written.
    #[inline]
    pub fn verify(self) -> Result<WeightedPostings<'a>, TableError> {
        let mut reader = PackedReader::new(self.packed.verify()?);
        let head = ListHead::read(&mut reader).ok_or_else(|| self.broken())?;
        Ok(if head.is_column {
            WeightedPostings::Column(ColumnReader::new(reader, head))
        } else {
            WeightedPostings::List(ListReader::new(reader, head))
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
    /// The pages of each segment.
    pages: [usize; 2],
}

/// Parts of bags, one after another.
#[derive(Debug, Default, Clone)]
struct TermGroup {
    terms: Vec<u64>,
    weights: Vec<u16>,
    /// The segment and the place of each part's bag; places of a segment ascend.
    bags: Vec<(Segment, u32)>,
    /// Where each part ends.
    ends: Ends<u32>,
}

impl WeightedPostingsBuilder {
    /// No lists yet, of the terms from `first` to `last`, in segments of this many pages.
    pub fn new(first: u64, last: u64, pages: [usize; 2]) -> Self {
        let bits = 64 - last.saturating_sub(first).leading_zeros();
        Self {
            first,
            last,
            shift: bits.saturating_sub(GROUP_BITS),
            groups: vec![TermGroup::default(); 1 << GROUP_BITS],
            pages,
        }
    }

    /// Adds the terms of a bag that lie in the range. Bags of a segment come in order of
    /// their places.
    pub fn add(&mut self, segment: Segment, place: u32, bag: &Bag<'_>) {
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
            group.bags.push((segment, place));
            group.ends.push(group.terms.len());
            start += count;
        }
    }

    /// One row a term, in order of terms; each list in order of places.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let mut columns = SegmentedPostings::default();
        for group in self.groups {
            columns.append(&group, self.pages);
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
    fn transpose(&self, terms: usize, numbers: &[u32]) -> Ragged<Posting, u32> {
        let bags = self.bags.iter().zip(self.ends.ranges());
        let entries = bags.flat_map(|(&(segment, place), entries)| {
            let weights = &self.weights[entries.clone()];
            let entries = numbers[entries].iter().zip(weights);
            entries.map(move |(&number, &weight)| (number as usize, (segment, place, weight)))
        });
        transpose(terms, entries)
    }
}

/// A bag that holds a term, and the weight of the term there.
type Posting = (Segment, u32, u16);

#[derive(Default)]
struct SegmentedPostings {
    terms: Vec<u64>,
    segments: [SegmentPostings; 2],
}

impl SegmentedPostings {
    fn append(&mut self, group: &TermGroup, pages: [usize; 2]) {
        let (terms, numbers) = group.number_terms();
        let lists = group.transpose(terms.len(), &numbers);
        for (term, number) in terms {
            let list = lists.row(number as usize);
            self.terms.push(term);
            for (segment, pages) in Segment::ALL.into_iter().zip(pages) {
                let own = list.iter().filter(|posting| posting.0 == segment);
                let own = own.map(|&(_, place, weight)| (place, weight));
                self.segments[segment as usize].append(own, pages);
            }
        }
    }

    fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let terms: ArrayRef = Arc::new(UInt64Array::from(self.terms));
        let [crawled, uncrawled] = self.segments;
        let (crawled, crawled_weights) = crawled.into_arrays()?;
        let (uncrawled, uncrawled_weights) = uncrawled.into_arrays()?;
        RecordBatch::try_from_iter_with_nullable([
            ("term", terms, false),
            ("crawled", crawled, false),
            ("crawled_weights", crawled_weights, false),
            ("uncrawled", uncrawled, false),
            ("uncrawled_weights", uncrawled_weights, false),
        ])
    }
}

/// The postings of a segment, term by term.
#[derive(Default)]
struct SegmentPostings {
    place_ends: Ends,
    places: Vec<u32>,
    weight_ends: Ends,
    weights: Vec<u16>,
}

impl SegmentPostings {
    /// Adds the postings of a term in a segment of this many pages.
    fn append(&mut self, list: impl Iterator<Item = (u32, u16)> + Clone, pages: usize) {
        if list.clone().count() * FREQUENT_ONE_IN >= pages {
            let start = self.weights.len();
            self.weights.resize(start + pages, 0);
            for (place, weight) in list {
                self.weights[start + place as usize] = weight;
            }
        } else {
            for (place, weight) in list {
                self.places.push(place);
                self.weights.push(weight);
            }
        }
        self.place_ends.push(self.places.len());
        self.weight_ends.push(self.weights.len());
    }

    fn into_arrays(self) -> Result<(ArrayRef, ArrayRef), ArrowError> {
        let places = UInt32Array::from(self.places);
        let weights = UInt16Array::from(self.weights);
        Ok((
            list_array(&self.place_ends.offsets(), places)?,
            list_array(&self.weight_ends.offsets(), weights)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{ArrowPrimitiveType, UInt16Type, UInt32Type, UInt64Type};

    use super::*;

    fn lists<T: ArrowPrimitiveType>(batch: &RecordBatch, column: &str) -> Vec<Vec<T::Native>> {
        let lists = batch
            .column_by_name(column)
            .expect("a column")
            .as_list::<i64>();
        let lists = lists.iter().flatten();
        let values = lists.map(|list| list.as_primitive::<T>().values().to_vec());
        values.collect()
    }

    #[test]
    fn postings_list_the_bags_with_their_term() {
        const LAST: u64 = 1 << 63;
        let bags: [(Segment, u32, &[u64], &[u16]); 4] = [
            (Segment::Crawled, 0, &[3, 7, LAST], &[10, 20, 30]),
            (Segment::Uncrawled, 0, &[], &[]),
            (Segment::Uncrawled, 1, &[7], &[25]),
            (Segment::Crawled, 4, &[7, 9, LAST], &[40, 50, 60]),
        ];
        let mut builder = WeightedPostingsBuilder::new(4, LAST, [8, 5]);
        for (segment, place, terms, weights) in bags {
            builder.add(segment, place, &Bag { terms, weights });
        }
        let batch = builder.into_batch().expect("sound");
        let terms = batch.column(0).as_primitive::<UInt64Type>();
        assert_eq!(terms.values(), &[7, 9, LAST]);
        // Two pages of eight have a column.
        let places = lists::<UInt32Type>(&batch, "crawled");
        assert_eq!(places, [vec![], vec![4], vec![]]);
        let weights = lists::<UInt16Type>(&batch, "crawled_weights");
        let column = |first, fifth| vec![first, 0, 0, 0, fifth, 0, 0, 0];
        assert_eq!(weights, [column(20, 40), vec![50], column(30, 60)]);
        assert_eq!(lists::<UInt32Type>(&batch, "uncrawled")[0], [1]);
        assert_eq!(lists::<UInt16Type>(&batch, "uncrawled_weights")[0], [25]);
    }
}
