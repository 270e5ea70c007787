//! A query bag, ready to be compared with very many bags of an index: for each shard a bitset with
//! ranks (Jacobson 1989) of the places of its terms. The bitset rejects nearly all terms that the
//! query does not have, the rank of a term leads to its weight.

use std::cell::{OnceCell, RefCell};

use super::query_bag::QueryBag;
use super::result::PageRef;
use super::searcher::Searcher;
use crate::index::{ListBlock, PackedBag, StoredBags, TableError};

/// A query bag with its terms looked up in the shards whose pages it is compared with.
pub struct PreparedQuery<'a> {
    index: &'a Searcher,
    bag: &'a QueryBag,
    shards: Vec<OnceCell<QueryPlaces>>,
    block: RefCell<ListBlock>,
}

impl<'a> PreparedQuery<'a> {
    /// A query to an index. Nothing is looked up yet.
    pub fn new(index: &'a Searcher, bag: &'a QueryBag) -> Self {
        Self {
            index,
            bag,
            shards: index.shards().iter().map(|_| OnceCell::new()).collect(),
            block: RefCell::default(),
        }
    }

    /// The bag of the query.
    pub fn bag(&self) -> &'a QueryBag {
        self.bag
    }

    /// Σ min with the bag of a page.
    pub fn overlap(&self, page: PageRef) -> Result<u32, TableError> {
        self.overlap_with(page, &self.index.packed_bag(page)?)
    }

    /// Σ min with a bag, which is that of a page.
    #[inline]
    pub fn overlap_with(&self, page: PageRef, bag: &PackedBag<'_>) -> Result<u32, TableError> {
        let mut sum = 0;
        self.for_each_entry(page, bag, |entry, weight| sum += entry.1.min(weight))?;
        Ok(sum)
    }

    /// Calls `visit` for the terms that the bag of a page shares, in order, with the smaller weight
    /// of each.
    pub fn for_each_shared(
        &self,
        page: PageRef,
        mut visit: impl FnMut(u64, u32),
    ) -> Result<(), TableError> {
        let bag = self.index.packed_bag(page)?;
        self.for_each_entry(page, &bag, |entry, weight| {
            visit(entry.0, entry.1.min(weight));
        })
    }

    #[inline]
    fn for_each_entry(
        &self,
        page: PageRef,
        bag: &PackedBag<'_>,
        mut visit: impl FnMut((u64, u32), u32),
    ) -> Result<(), TableError> {
        let places = self.places(page.shard as usize)?;
        bag.for_each_block(&mut self.block.borrow_mut(), |block, weights| {
            places.for_each_shared(block, weights, &mut visit);
        })
    }

    fn places(&self, shard: usize) -> Result<&QueryPlaces, TableError> {
        let place = &self.shards[shard];
        Ok(match place.get() {
            Some(places) => places,
            None => {
                let places = QueryPlaces::new(self.index.shards()[shard].bags(), self.bag)?;
                place.get_or_init(|| places)
            }
        })
    }
}

/// The terms of a query by their places in the terms of a shard.
#[derive(Debug)]
struct QueryPlaces {
    /// A bit for each term of the shard, and a word without any.
    words: Vec<u64>,
    /// How many bits are set in the words before.
    ranks: Vec<u32>,
    /// The terms of the query that the shard has, in order, and their weights.
    entries: Vec<(u64, u32)>,
}

impl QueryPlaces {
    fn new(bags: &StoredBags, query: &QueryBag) -> Result<Self, TableError> {
        let query = query.bag();
        let mut words = vec![0; bags.term_count() / 64 + 2];
        let mut entries = Vec::with_capacity(query.terms.len());
        for (number, place) in bags.places(query.terms)? {
            words[place / 64] |= 1 << (place % 64);
            entries.push((query.terms[number], query.weights[number].into()));
        }
        let mut rank = 0;
        let ranks = words.iter().map(|word: &u64| {
            let before = rank;
            rank += word.count_ones();
            before
        });
        Ok(Self {
            ranks: ranks.collect(),
            words,
            entries,
        })
    }

    /// Calls `visit` for each of at most 128 places that the query has, with its entry and the weight.
    #[inline]
    fn for_each_shared(
        &self,
        places: &[u32],
        weights: &[u32],
        mut visit: impl FnMut((u64, u32), u32),
    ) {
        for (places, weights) in places.chunks(64).zip(weights.chunks(64)) {
            let mut matches = self.matches(places);
            while matches != 0 {
                let at = matches.trailing_zeros() as usize;
                visit(self.entry(places[at]), weights[at]);
                matches &= matches - 1;
            }
        }
    }

    /// Which of at most 64 places the query has, a bit each. No place of a damaged bag has one
    /// beyond the last term.
    #[inline]
    fn matches(&self, places: &[u32]) -> u64 {
        let last = self.words.len() - 1;
        let bit = |(at, &place): (usize, &u32)| {
            let word = self.words[(place as usize / 64).min(last)];
            (word >> (place % 64) & 1) << at
        };
        places
            .iter()
            .enumerate()
            .map(bit)
            .fold(0, |all, bit| all | bit)
    }

    #[inline]
    fn entry(&self, place: u32) -> (u64, u32) {
        let word = place as usize / 64;
        let before = self.words[word] & ((1 << (place % 64)) - 1);
        self.entries[(self.ranks[word] + before.count_ones()) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::TOTAL;
    use crate::query::test_index::{index_with_postings, Terms};

    /// A bag of every `step`th of 400 terms.
    fn bag(step: u64) -> QueryBag {
        let terms = (1..400 / step).map(|at| (at * step).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut entries: Vec<(u64, f64)> =
            terms.map(|term| (term, 1.0 + (term % 7) as f64)).collect();
        entries.sort_by_key(|entry| entry.0);
        QueryBag::from_weights(&entries)
    }

    fn terms(bag: &QueryBag) -> Terms {
        (bag.bag().terms.to_vec(), bag.bag().weights.to_vec())
    }

    #[test]
    fn overlaps_are_those_of_the_bags() {
        let bags: Vec<QueryBag> = (1..9).map(bag).collect();
        let index = index_with_postings(&bags.iter().map(terms).collect::<Vec<_>>());
        for asked in bags.iter().chain([&bag(11), &QueryBag::from_weights(&[])]) {
            let query = PreparedQuery::new(&index, asked);
            for (row, bag) in (0..).zip(&bags) {
                let page = PageRef { shard: 0, row };
                let overlap = query.overlap(page).expect("sound");
                assert_eq!(overlap, asked.bag().overlap(&bag.bag()));
                let mut shared = Vec::new();
                let visit = |term, weight| shared.push((term, weight));
                query.for_each_shared(page, visit).expect("sound");
                assert!(shared.is_sorted());
                assert_eq!(shared.iter().map(|entry| entry.1).sum::<u32>(), overlap);
                let of_both = |term| asked.shared_weight(&bag.bag(), term);
                assert!(shared.iter().all(|&(term, weight)| weight == of_both(term)));
            }
        }
        let itself = PreparedQuery::new(&index, &bags[2]);
        assert_eq!(
            itself.overlap(PageRef { shard: 0, row: 2 }).expect("sound"),
            TOTAL
        );
    }

    #[test]
    fn places_beyond_the_last_term_are_not_shared() {
        let bags = [terms(&bag(1))];
        let index = index_with_postings(&bags);
        let places = QueryPlaces::new(index.shards()[0].bags(), &bag(1)).expect("sound");
        let mut shared = 0;
        let far = [bags[0].0.len() as u32, 10_000, u32::MAX];
        places.for_each_shared(&far, &[1; 3], |_, _| shared += 1);
        assert_eq!(shared, 0);
    }
}
