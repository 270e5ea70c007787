//! A query bag: the bag of a page or a text, or a mixture of several.

use crate::bags::Quantiser;
use crate::columns::{Bag, OwnedBag};

/// The bag that pages are compared with.
#[derive(Debug, Clone, Default)]
pub struct QueryBag(OwnedBag);

impl QueryBag {
    /// What `like` have in common and `unlike` do not (relevance feedback, Rocchio 1971): the mean
    /// of the ones minus the mean of the others, none below 0, scaled to the constant sum again.
    pub fn mix(like: &[&QueryBag], unlike: &[&QueryBag]) -> Self {
        let mut entries: Vec<(u64, f64)> = Vec::new();
        for (bags, sign) in [(like, 1.0), (unlike, -1.0)] {
            let share = sign / bags.len().max(1) as f64;
            for bag in bags {
                let weights = bag
                    .0
                    .weights
                    .iter()
                    .map(|&weight| f64::from(weight) * share);
                entries.extend(bag.0.terms.iter().copied().zip(weights));
            }
        }
        entries.sort_by_key(|&(term, _)| term);
        entries.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += next.1;
            }
            same
        });
        Self::from_weights(&entries)
    }

    /// A query of terms, ascending, with real weights; those below 0 count as 0.
    pub fn from_weights(entries: &[(u64, f64)]) -> Self {
        let real: Vec<f64> = entries.iter().map(|entry| entry.1.max(0.0)).collect();
        let mut quantiser = Quantiser::default();
        let (terms, weights): (Vec<u64>, Vec<u16>) = entries
            .iter()
            .zip(quantiser.quantise(&real))
            .filter(|(_, &weight)| weight > 0)
            .map(|(entry, &weight)| (entry.0, weight))
            .unzip();
        Self(OwnedBag { terms, weights })
    }

    /// The bag itself.
    pub fn bag(&self) -> Bag<'_> {
        self.0.bag()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.terms.is_empty()
    }

    /// The smaller weight of a term in both bags, or 0.
    pub fn shared_weight(&self, other: &Bag<'_>, term: u64) -> u32 {
        self.bag().weight(term).min(other.weight(term)).into()
    }
}

impl From<OwnedBag> for QueryBag {
    fn from(bag: OwnedBag) -> Self {
        Self(bag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::TOTAL;

    fn query(entries: &[(u64, f64)]) -> QueryBag {
        QueryBag::from_weights(entries)
    }

    fn sum(bag: Bag<'_>) -> u32 {
        bag.weights.iter().copied().map(u32::from).sum()
    }

    #[test]
    fn shared_weight_is_the_smaller_one() {
        let (a, b) = (query(&[(1, 1.0), (2, 1.0)]), query(&[(2, 1.0), (3, 2.0)]));
        let of_both = |term| a.shared_weight(&b.bag(), term);
        assert_eq!([1, 2, 3, 4].map(of_both), [0, TOTAL / 3, 0, 0]);
    }

    #[test]
    fn mixed_query_adds_and_subtracts_bags() {
        let a = query(&[(1, 1.0), (2, 1.0)]);
        let b = query(&[(2, 1.0), (3, 1.0)]);
        let both = QueryBag::mix(&[&a, &b], &[]);
        assert_eq!(both.bag().terms, [1, 2, 3]);
        assert_eq!(sum(both.bag()), TOTAL);
        assert!(both.bag().weights[1] > 32_000);
        let without = QueryBag::mix(&[&a], &[&b]);
        assert_eq!(without.bag().terms[0], 1);
        assert!(QueryBag::mix(&[&a], &[&a]).is_empty());
        assert!(QueryBag::mix(&[], &[]).is_empty());
    }
}
