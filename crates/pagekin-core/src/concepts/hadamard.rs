//! Walsh-Hadamard transform: the strongest components along other axes.
//!
//! Jaccard adds up what two bags share along each axis, so it depends on how the
//! axes are turned; a cosine would not. Sums and differences of the strongest
//! components, beside these, make it depend less on it.

use super::loadings::Loadings;

impl Loadings {
    /// The same with mixed components behind the others. Their number is the largest power of two
    /// within `limit` and the components found; none are added if that is one.
    pub(super) fn with_mixed(self, limit: usize) -> Self {
        let mixed = power_of_two_within(limit.min(self.components));
        if mixed < 2 {
            return self;
        }
        let mut values = Vec::with_capacity(self.terms.len() * (self.components + mixed));
        for row in self.values.chunks_exact(self.components) {
            values.extend_from_slice(row);
            values.extend(mix(&row[..mixed]));
        }
        Self {
            terms: self.terms,
            components: self.components + mixed,
            topics: 0,
            values,
        }
    }
}

fn power_of_two_within(limit: usize) -> usize {
    limit.checked_ilog2().map_or(0, |log| 1 << log)
}

/// The Walsh-Hadamard transform of a row, which keeps its length.
fn mix(row: &[i16]) -> impl Iterator<Item = i16> {
    let mut sums: Vec<i32> = row.iter().map(|&value| value.into()).collect();
    let mut half = 1;
    while half < sums.len() {
        for pair in sums.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let length = (sums.len() as f64).sqrt();
    // The sum of a row of length 1 may be 32,768, one above the largest.
    sums.into_iter()
        .map(move |sum| (f64::from(sum) / length).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loadings(components: usize, values: &[i16]) -> Loadings {
        Loadings {
            terms: (1..=(values.len() / components) as u64).collect(),
            components,
            topics: 0,
            values: values.to_vec(),
        }
    }

    #[test]
    fn mixed_components_follow_the_plain_ones() {
        let found = loadings(5, &[40, 20, 10, 6, 99, 0, 0, 0, 0, 7]).with_mixed(4);
        assert_eq!(found.components, 9);
        assert_eq!(found.values[..5], [40, 20, 10, 6, 99]);
        // Halves of 76, 24, 44 and 16.
        assert_eq!(found.values[5..9], [38, 12, 22, 8]);
        assert_eq!(found.values[9..], [0, 0, 0, 0, 7, 0, 0, 0, 0]);
    }

    #[test]
    fn mixed_components_are_limited_by_the_components() {
        let three = || loadings(3, &[3, 1, 9]);
        assert_eq!(three().with_mixed(16).values, [3, 1, 9, 3, 1]);
        assert_eq!(three().with_mixed(1), three());
        assert_eq!(three().with_mixed(0), three());
        let one = || loadings(1, &[3]);
        assert_eq!(one().with_mixed(16), one());
        assert_eq!(Loadings::default().with_mixed(16), Loadings::default());
    }

    #[test]
    fn mixing_preserves_the_length_of_rows() {
        let row = [12_000, -9_000, 30_000, 1_500, 7, -20_000, 500, 3];
        let length = |row: &[i16]| {
            row.iter()
                .map(|&v| f64::from(v).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        let found = loadings(8, &row).with_mixed(8);
        assert!((length(&found.values[8..]) - length(&row)).abs() < 2.0);
        // A loading of 1 on a single component and on all four alike.
        let whole = loadings(4, &[i16::MIN, 0, 0, 0, 16_384, 16_384, 16_384, 16_384]);
        let found = whole.with_mixed(4).values;
        assert_eq!(found[4..8], [-16_384; 4]);
        assert_eq!(found[12..], [i16::MAX, 0, 0, 0]);
    }
}
