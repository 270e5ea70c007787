//! Bags as queries see them.

use crate::bags::TOTAL;

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
}

/// The weighted Jaccard similarity of two bags that share so much.
pub fn score(overlap: u32) -> f64 {
    f64::from(overlap) / f64::from(2 * TOTAL - overlap.min(TOTAL))
}

/// The least overlap whose similarity is at least `score`. Scores are shown with
/// six digits, and a score that was shown is reached by the page it was shown for.
pub fn overlap_of(score: f64) -> u32 {
    // J = o / (2T - o), so o = 2T · J / (1 + J).
    let least = (2.0 * f64::from(TOTAL) * score / (1.0 + score) - 0.1).ceil();
    least.max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_the_sum_of_the_lesser_weights() {
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
    fn scores_and_overlaps_agree() {
        assert_eq!(score(TOTAL), 1.0);
        assert_eq!(score(0), 0.0);
        for overlap in (0..=TOTAL).step_by(101) {
            assert_eq!(overlap_of(score(overlap)), overlap);
            assert_eq!(overlap_of((score(overlap) * 1e6).round() / 1e6), overlap);
        }
    }
}
