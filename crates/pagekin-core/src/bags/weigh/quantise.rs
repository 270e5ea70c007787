//! The largest remainder method (Hamilton apportionment): real weights to integers of constant sum.

use crate::columns::TOTAL;

/// The resolution of the remainder of a share.
const STEPS: f64 = 4_294_967_296.0;

/// Quantises one bag after another; keeps its memory.
#[derive(Debug, Default)]
pub struct Quantiser {
    integers: Vec<u16>,
    shares: Vec<f64>,
    order: Vec<u64>,
    near: Vec<u64>,
}

impl Quantiser {
    /// The integers of `weights`. They sum to [`TOTAL`] unless all weights are
    /// 0, and each is within 1 of its exact share.
    pub fn quantise(&mut self, weights: &[f64]) -> &[u16] {
        self.integers.clear();
        // The largest weight may be as small as a number can be.
        let largest = largest(weights);
        if largest <= 0.0 {
            self.integers.resize(weights.len(), 0);
            return &self.integers;
        }
        self.shares.clear();
        self.shares
            .extend(weights.iter().map(|weight| weight / largest));
        let sum: f64 = self.shares.iter().sum();
        self.divide(f64::from(TOTAL) / sum);
        let given: u32 = self.integers.iter().map(|&whole| u32::from(whole)).sum();
        self.give_out(TOTAL.saturating_sub(given) as usize);
        &self.integers
    }

    /// The whole part of each share, times a scale, and what orders their remainders.
    fn divide(&mut self, scale: f64) {
        let steps = |share: &f64| (share * scale * STEPS) as i64 as u64;
        self.order.clear();
        self.order.extend(self.shares.iter().map(steps));
        let whole = |steps: &u64| (steps >> 32) as u16;
        self.integers.extend(self.order.iter().map(whole));
        for (place, steps) in (0..).zip(&mut self.order) {
            *steps = order_key(*steps as u32, place);
        }
    }

    /// Adds 1 where the remainders are largest.
    fn give_out(&mut self, missing: usize) {
        let edge = match missing < self.order.len() {
            true => self.nth(missing),
            false => u64::MAX,
        };
        for (integer, &key) in self.integers.iter_mut().zip(&self.order) {
            *integer += u16::from(key < edge);
        }
    }

    /// The key with `below` smaller keys (quickselect within a bucket). Remainders are evenly spread, so few
    /// keys share the same leading bits.
    fn nth(&mut self, mut below: usize) -> u64 {
        let leading = |key: u64| (key >> 58) as usize;
        let mut counts = [0; 64];
        for &key in &self.order {
            counts[leading(key)] += 1;
        }
        let mut group = 0;
        while counts[group] <= below {
            below -= counts[group];
            group += 1;
        }
        self.near.clear();
        let near = self.order.iter().filter(|&&key| leading(key) == group);
        self.near.extend(near);
        *self.near.select_nth_unstable(below).1
    }
}

/// The largest of some numbers, or 0. Four at a time: a comparison waits for the one before it.
fn largest(weights: &[f64]) -> f64 {
    let larger = |one: f64, other: f64| if other > one { other } else { one };
    let (fours, rest) = weights.as_chunks::<4>();
    let mut maxima = [0.0; 4];
    for four in fours {
        maxima = std::array::from_fn(|at| larger(maxima[at], four[at]));
    }
    maxima.iter().chain(rest).copied().fold(0.0, larger)
}

/// Orders by remainder, the largest first; then by place.
#[inline]
fn order_key(remainder: u32, place: u32) -> u64 {
    u64::from(!remainder) << 32 | u64::from(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantised(weights: &[f64]) -> Vec<u16> {
        Quantiser::default().quantise(weights).to_vec()
    }

    #[test]
    fn quantised_weights_have_a_constant_sum() {
        assert_eq!(quantised(&[3.0]), [65_535]);
        assert_eq!(quantised(&[1.0, 1.0]), [32_768, 32_767]);
        assert_eq!(quantised(&[0.0, 0.0]), [0, 0]);
        assert_eq!(quantised(&[]), []);
        assert_eq!(quantised(&[5e-324, 5e-324]), [32_768, 32_767]);
        assert_eq!(quantised(&[1e308, 1e308, 1e308]), [21_845, 21_845, 21_845]);
        let many: Vec<f64> = (1..2000).map(f64::from).collect();
        let sum: u32 = quantised(&many).into_iter().map(u32::from).sum();
        assert_eq!(sum, TOTAL);
    }

    #[test]
    fn quantised_weights_are_near_their_shares() {
        let weights: Vec<f64> = (1..500).map(|i| 1.0 / f64::from(i)).collect();
        let sum: f64 = weights.iter().sum();
        for (weight, integer) in weights.iter().zip(quantised(&weights)) {
            assert!((weight / sum * f64::from(TOTAL) - f64::from(integer)).abs() < 1.0);
        }
    }
}
