//! The distinct terms of the bags of a shard, range by range.

use crate::columns::Bag;
use crate::hash::TermMap;

/// Collects the distinct terms of a range from bags.
#[derive(Debug)]
pub struct TermCollector {
    first: u64,
    last: u64,
    seen: TermMap<()>,
}

impl TermCollector {
    /// No terms yet, of those from `first` to `last`.
    pub fn new(first: u64, last: u64) -> Self {
        Self {
            first,
            last,
            seen: TermMap::default(),
        }
    }

    /// Adds the terms of a bag that lie in the range.
    pub fn add(&mut self, bag: &Bag<'_>) {
        let start = bag.terms.partition_point(|&term| term < self.first);
        let rest = bag.terms[start..].iter();
        let own = rest.take_while(|&&term| term <= self.last);
        self.seen.extend(own.map(|&term| (term, ())));
    }

    /// The terms, ascending.
    pub fn into_terms(self) -> Vec<u64> {
        let mut terms: Vec<u64> = self.seen.into_keys().collect();
        terms.sort_unstable();
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_term_of_the_range_is_listed_once() {
        let mut collector = TermCollector::new(3, 9);
        for terms in [&[1, 3, 5, 9, 10][..], &[], &[2, 4, 5], &[9, u64::MAX]] {
            let weights = &vec![1; terms.len()];
            collector.add(&Bag { terms, weights });
        }
        assert_eq!(collector.into_terms(), [3, 4, 5, 9]);
    }
}
