//! A query bag, ready to be compared with very many others: a bitset of term prefixes rejects
//! nearly all terms that it does not have, a bucketised hash table finds the weights of the rest.

use crate::bags::Quantiser;
use crate::columns::Bag;

/// A bag with a table in which its terms are found without a branch: a similar page shares so
/// many of its terms that the processor cannot predict one.
#[derive(Debug, Clone)]
pub struct PreparedQuery {
    terms: Vec<u64>,
    weights: Vec<u16>,
    table: TermTable,
    prefixes: PrefixBitset,
}

impl PreparedQuery {
    /// A query of one bag.
    pub fn new(bag: Bag<'_>) -> Self {
        Self {
            terms: bag.terms.to_vec(),
            weights: bag.weights.to_vec(),
            table: TermTable::new(bag),
            prefixes: PrefixBitset::new(bag.terms),
        }
    }

    /// What `like` have in common and `unlike` do not (relevance feedback, Rocchio 1971): the mean
    /// of the ones minus the mean of the others, none below 0, scaled to the constant sum again.
    pub fn mix(like: &[&PreparedQuery], unlike: &[&PreparedQuery]) -> Self {
        let mut entries: Vec<(u64, f64)> = Vec::new();
        for (bags, sign) in [(like, 1.0), (unlike, -1.0)] {
            let share = sign / bags.len().max(1) as f64;
            for bag in bags {
                let weights = bag.weights.iter().map(|&weight| f64::from(weight) * share);
                entries.extend(bag.terms.iter().copied().zip(weights));
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
        Self::new(Bag {
            terms: &terms,
            weights: &weights,
        })
    }

    /// The bag itself.
    pub fn bag(&self) -> Bag<'_> {
        Bag {
            terms: &self.terms,
            weights: &self.weights,
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Σ min with another bag.
    pub fn overlap(&self, other: &Bag<'_>) -> u32 {
        let mut sum = 0;
        self.for_each_shared(other, |_, weight| sum += weight);
        sum
    }

    /// Calls `visit` for the terms that a bag may share, in order, with the smaller weight of
    /// each; it is 0 for the few that passed the bitset and are not shared.
    #[inline]
    pub fn for_each_shared(&self, other: &Bag<'_>, mut visit: impl FnMut(u64, u32)) {
        let (terms, weights) = (other.terms.chunks(64), other.weights.chunks(64));
        for (terms, weights) in terms.zip(weights) {
            let mut matches = self.prefixes.matches(terms);
            while matches != 0 {
                let at = matches.trailing_zeros() as usize;
                let term = terms[at];
                visit(term, self.weight(term).min(weights[at].into()));
                matches &= matches - 1;
            }
        }
    }

    /// The smaller weight of a term in both bags, or 0.
    pub fn shared_weight(&self, other: &Bag<'_>, term: u64) -> u32 {
        let place = other.terms.binary_search(&term);
        place.map_or(0, |at| self.weight(term).min(other.weights[at].into()))
    }

    /// The weight of a term, or 0.
    #[inline]
    fn weight(&self, term: u64) -> u32 {
        self.table.weight(term).unwrap_or_else(|| {
            let place = self.terms.binary_search(&term);
            place.map_or(0, |at| self.weights[at].into())
        })
    }
}

/// The length of a prefix.
const PREFIX_BITS: u32 = 16;

/// One bit for all terms that begin alike; small enough to stay in the nearest cache.
#[derive(Debug, Clone)]
struct PrefixBitset(Vec<u64>);

impl PrefixBitset {
    fn new(terms: &[u64]) -> Self {
        let mut bits = Self(vec![0; 1 << (PREFIX_BITS - 6)]);
        for &term in terms {
            let (word, bit) = Self::place(term);
            bits.0[word] |= 1 << bit;
        }
        bits
    }

    /// Which of at most 64 terms the bag may have, a bit each.
    #[inline]
    fn matches(&self, terms: &[u64]) -> u64 {
        let bit = |(at, &term): (usize, &u64)| {
            let (word, bit) = Self::place(term);
            (self.0[word] >> bit & 1) << at
        };
        terms
            .iter()
            .enumerate()
            .map(bit)
            .fold(0, |all, bit| all | bit)
    }

    /// The highest bit of a term tells its kind: the ones after it are taken.
    #[inline]
    fn place(term: u64) -> (usize, u64) {
        let place = (term << 1) >> (64 - PREFIX_BITS);
        ((place >> 6) as usize, place & 63)
    }
}

/// Places for four terms side by side.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket {
    terms: [u64; 4],
    weights: [u32; 4],
}

/// Terms by bucket; there is no table if one bucket would have to hold five.
#[derive(Debug, Clone, Default)]
struct TermTable {
    buckets: Vec<Bucket>,
    shift: u32,
}

impl TermTable {
    /// A table for the terms of a bag: about one a bucket, fewer if that is too crowded.
    fn new(bag: Bag<'_>) -> Self {
        let least = usize::BITS - bag.terms.len().leading_zeros();
        (least.max(4)..least.max(4) + 4)
            .find_map(|bits| Self::sized(bag, bits))
            .unwrap_or_default()
    }

    fn sized(bag: Bag<'_>, bits: u32) -> Option<Self> {
        let mut table = Self {
            buckets: vec![Bucket::default(); 1 << bits],
            shift: 64 - bits,
        };
        for (&term, &weight) in bag.terms.iter().zip(bag.weights) {
            let place = table.place(term);
            let bucket = &mut table.buckets[place];
            let free = bucket.weights.iter().position(|&weight| weight == 0)?;
            bucket.terms[free] = term;
            bucket.weights[free] = u32::from(weight);
        }
        Some(table)
    }

    /// The highest bit of a term tells its kind: the ones after it are taken.
    #[inline]
    fn place(&self, term: u64) -> usize {
        ((term << 1) >> self.shift) as usize
    }

    /// The weight of a term, or 0; `None` if there is no table.
    #[inline]
    fn weight(&self, term: u64) -> Option<u32> {
        let bucket = self.buckets.get(self.place(term))?;
        let mut found = 0;
        for at in 0..4 {
            // All ones where the terms are equal. Of a comparison the compiler would make
            // branches, and half of them are mispredicted.
            let unequal = bucket.terms[at] ^ term;
            let equal = ((unequal | unequal.wrapping_neg()) >> 63).wrapping_sub(1);
            found |= bucket.weights[at] & equal as u32;
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::TOTAL;

    fn query(entries: &[(u64, f64)]) -> PreparedQuery {
        PreparedQuery::from_weights(entries)
    }

    fn sum(bag: Bag<'_>) -> u32 {
        bag.weights.iter().copied().map(u32::from).sum()
    }

    #[test]
    fn overlap_equals_that_of_the_bags() {
        let a = query(&[(16, 1.0), (32, 2.0), (48, 3.0)]);
        let b = query(&[(32, 1.0), (48, 1.0), (64, 9.0)]);
        assert_eq!(a.overlap(&b.bag()), a.bag().overlap(&b.bag()));
        let mut shared = Vec::new();
        a.for_each_shared(&b.bag(), |term, weight| shared.push((term, weight)));
        shared.retain(|entry| entry.1 > 0);
        let (terms, lesser): (Vec<u64>, Vec<u32>) = shared.into_iter().unzip();
        assert_eq!(terms, [32, 48]);
        assert_eq!(lesser.iter().sum::<u32>(), a.overlap(&b.bag()));
    }

    #[test]
    fn overlaps_do_not_depend_on_the_bitset() {
        let terms = |step: u64| (1..400u64).map(move |at| (at * step) << 40 | 7);
        let entries = |step| terms(step).map(|term| (term, 1.0 + (term >> 40) as f64));
        let (two, three) = (entries(2), entries(3));
        let a = query(&two.collect::<Vec<_>>());
        let b = query(&three.collect::<Vec<_>>());
        for (one, other) in [(&a, &b), (&b, &a), (&a, &a)] {
            assert_eq!(one.overlap(&other.bag()), one.bag().overlap(&other.bag()));
        }
        assert_eq!(a.overlap(&a.bag()), TOTAL);
    }

    #[test]
    fn mixed_query_adds_and_subtracts_bags() {
        let a = query(&[(1, 1.0), (2, 1.0)]);
        let b = query(&[(2, 1.0), (3, 1.0)]);
        let both = PreparedQuery::mix(&[&a, &b], &[]);
        assert_eq!(both.bag().terms, [1, 2, 3]);
        assert_eq!(sum(both.bag()), TOTAL);
        assert!(both.bag().weights[1] > 32_000);
        let without = PreparedQuery::mix(&[&a], &[&b]);
        assert_eq!(without.bag().terms[0], 1);
        assert!(PreparedQuery::mix(&[&a], &[&a]).is_empty());
        assert!(PreparedQuery::mix(&[], &[]).is_empty());
    }
}
