//! Weighted bags of terms, and their weighted Jaccard similarity (the paper's section 4).

use std::cmp::Reverse;

use arrow_array::{ArrayRef, UInt16Array, UInt64Array};
use arrow_schema::ArrowError;

use super::ragged::{list_array, Ends};

/// The sum of the weights of a bag. Chosen so that on a crawl of 4,598 long
/// articles the Jaccard similarity of integers stays within 0.005 of the real
/// one (docs/bags.md), and that a weight fits 16 bits.
pub const TOTAL: u32 = 65_535;

/// The terms of a bag in order, and the weight of each.
#[derive(Debug, Clone, Copy)]
pub struct Bag<'a> {
    /// Term ids, ascending.
    pub terms: &'a [u64],
    /// As many weights; they sum to [`TOTAL`] unless there are none.
    pub weights: &'a [u16],
}

impl Bag<'_> {
    /// Σ min of two bags, by walking both.
    pub fn overlap(&self, other: &Bag<'_>) -> u32 {
        let (mut a, mut b, mut sum) = (0, 0, 0);
        while a < self.terms.len() && b < other.terms.len() {
            let (left, right) = (self.terms[a], other.terms[b]);
            if left == right {
                sum += u32::from(self.weights[a].min(other.weights[b]));
            }
            a += usize::from(left <= right);
            b += usize::from(right <= left);
        }
        sum
    }

    /// The weight of a term, or 0.
    pub fn weight(&self, term: u64) -> u16 {
        let place = self.terms.binary_search(&term);
        place.map_or(0, |at| self.weights[at])
    }
}

/// A bag of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnedBag {
    /// Term ids, ascending.
    pub terms: Vec<u64>,
    /// As many weights.
    pub weights: Vec<u16>,
}

impl OwnedBag {
    /// The bag.
    pub fn bag(&self) -> Bag<'_> {
        Bag {
            terms: &self.terms,
            weights: &self.weights,
        }
    }
}

impl From<Bag<'_>> for OwnedBag {
    fn from(bag: Bag<'_>) -> Self {
        Self {
            terms: bag.terms.to_vec(),
            weights: bag.weights.to_vec(),
        }
    }
}

/// Bags one after another.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct BagColumn {
    ends: Ends,
    terms: Vec<u64>,
    weights: Vec<u16>,
}

impl BagColumn {
    /// No bags yet, with memory for these bags and their terms.
    pub fn with_capacity(bags: usize, terms: usize) -> Self {
        Self {
            ends: Ends::with_capacity(bags),
            terms: Vec::with_capacity(terms),
            weights: Vec::with_capacity(terms),
        }
    }

    /// How many bags there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no bags.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends a bag without the terms that weigh nothing.
    pub fn push(&mut self, bag: Bag<'_>) {
        if bag.weights.contains(&0) {
            let entries = bag.terms.iter().zip(bag.weights);
            for (&term, &weight) in entries.filter(|(_, &weight)| weight > 0) {
                self.terms.push(term);
                self.weights.push(weight);
            }
        } else {
            self.terms.extend_from_slice(bag.terms);
            self.weights.extend_from_slice(bag.weights);
        }
        self.ends.push(self.terms.len());
    }

    /// Appends a term to the bag that is not ended yet.
    pub fn add(&mut self, term: u64, weight: u16) {
        self.terms.push(term);
        self.weights.push(weight);
    }

    /// Ends a bag.
    pub fn end(&mut self) {
        self.ends.push(self.terms.len());
    }

    /// A bag.
    pub fn bag(&self, row: usize) -> Bag<'_> {
        let range = self.ends.range(row);
        Bag {
            terms: &self.terms[range.clone()],
            weights: &self.weights[range],
        }
    }

    /// The `limit` heaviest terms of each bag; of equal weights those with the lowest ids.
    pub fn heaviest(&self, limit: usize) -> Self {
        let (mut out, mut sorted) = (Self::default(), Vec::new());
        for bag in (0..self.len()).map(|row| self.bag(row)) {
            let (lowest, mut equal) = lightest(bag.weights, limit, &mut sorted);
            for (&term, &weight) in bag.terms.iter().zip(bag.weights) {
                if weight > lowest || weight == lowest && equal > 0 {
                    equal -= usize::from(weight == lowest);
                    out.terms.push(term);
                    out.weights.push(weight);
                }
            }
            out.ends.push(out.terms.len());
        }
        out
    }

    /// The bags as two Arrow columns of lists: terms and weights.
    pub fn into_arrays(self) -> Result<[ArrayRef; 2], ArrowError> {
        let offsets = self.ends.offsets();
        let terms = list_array(&offsets, UInt64Array::from(self.terms))?;
        let weights = list_array(&offsets, UInt16Array::from(self.weights))?;
        Ok([terms, weights])
    }
}

/// The lightest of the `limit` heaviest weights, and how many of these are equal to it.
fn lightest(weights: &[u16], limit: usize, sorted: &mut Vec<u16>) -> (u16, usize) {
    if weights.len() <= limit {
        return (0, usize::MAX);
    }
    sorted.clear();
    sorted.extend_from_slice(weights);
    sorted.select_nth_unstable_by_key(limit, |&weight| Reverse(weight));
    let heaviest = || sorted[..limit].iter().copied();
    let lowest = heaviest().min().unwrap_or(u16::MAX);
    let equal = heaviest().filter(|&weight| weight == lowest).count();
    (lowest, equal)
}

/// The weighted Jaccard similarity of two bags with this overlap.
pub fn score(overlap: u32) -> f64 {
    f64::from(overlap) / f64::from(2 * TOTAL - overlap.min(TOTAL))
}

/// The smallest overlap whose similarity is at least `score`. Scores are shown with six digits;
/// a page reaches the score that was shown for it.
pub fn overlap_of(score: f64) -> u32 {
    // J = o / (2T - o), so o = 2T · J / (1 + J).
    let overlap = (2.0 * f64::from(TOTAL) * score / (1.0 + score) - 0.1).ceil();
    overlap.max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_the_sum_of_the_smaller_weights() {
        let a = Bag {
            terms: &[1, 3, 5],
            weights: &[10, 20, 30],
        };
        let b = Bag {
            terms: &[2, 3, 5, 9],
            weights: &[5, 7, 40, 1],
        };
        assert_eq!(a.overlap(&b), 37);
        assert_eq!(b.overlap(&a), 37);
    }

    #[test]
    fn heaviest_terms_stay_in_order() {
        let bags: [(&[u64], &[u16]); 3] = [
            (&[1, 2, 3, 4], &[5, 9, 1, 5]),
            (&[], &[]),
            (&[1, 2, 7], &[3, 4, 0]),
        ];
        let mut column = BagColumn::default();
        for (terms, weights) in bags {
            column.push(Bag { terms, weights });
        }
        let cut = column.heaviest(2);
        assert_eq!(cut.ends.as_slice(), [2, 2, 4]);
        assert_eq!(
            (cut.bag(0).terms, cut.bag(0).weights),
            (&[1, 2][..], &[5, 9][..])
        );
        assert_eq!(
            (cut.bag(2).terms, cut.bag(2).weights),
            (&[1, 2][..], &[3, 4][..])
        );
    }

    #[test]
    fn scores_and_overlaps_agree() {
        assert_eq!(score(TOTAL), 1.0);
        assert_eq!(score(0), 0.0);
        for overlap in (0..=TOTAL).step_by(101) {
            assert_eq!(overlap_of(score(overlap)), overlap);
            assert_eq!(overlap_of((score(overlap) * 1e6).round() / 1e6), overlap);
        }
    }
}
