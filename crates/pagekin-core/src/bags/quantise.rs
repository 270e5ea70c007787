//! Real weights to integers of constant sum, by largest remainder.

/// What the integers of a bag sum to. Chosen so that on a crawl of 4,598 long
/// articles the Jaccard similarity of integers stays within 0.005 of the real
/// one (docs/bags.md), and that a weight fits 16 bits.
pub const TOTAL: u32 = 65_535;

/// Turns one bag's weights into integers after another; keeps its memory.
#[derive(Debug, Default)]
pub struct Quantiser {
    integers: Vec<u16>,
    order: Vec<u64>,
    shares: Vec<f64>,
}

impl Quantiser {
    /// The integers of `weights`. They sum to [`TOTAL`] unless all weights are
    /// 0, and each is within 1 of its exact share.
    pub fn quantise(&mut self, weights: &[f64]) -> &[u16] {
        self.integers.clear();
        // The largest weight may be as small as a number can be.
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest <= 0.0 {
            self.integers.resize(weights.len(), 0);
            return &self.integers;
        }
        self.shares.clear();
        self.shares
            .extend(weights.iter().map(|weight| weight / largest));
        let sum: f64 = self.shares.iter().sum();
        let scale = f64::from(TOTAL) / sum;
        self.shares.iter_mut().for_each(|share| *share *= scale);
        self.integers
            .extend(self.shares.iter().map(|&share| share as u16));
        let given: u32 = self.integers.iter().map(|&whole| u32::from(whole)).sum();
        self.give_out(TOTAL.saturating_sub(given) as usize);
        &self.integers
    }

    /// Adds 1 where the remainders are largest.
    fn give_out(&mut self, missing: usize) {
        if missing == 0 {
            return;
        }
        let shares = self.shares.iter().zip(&self.integers).enumerate();
        self.order.clear();
        self.order.extend(
            shares.map(|(place, (share, &whole))| order_key(share - f64::from(whole), place)),
        );
        if missing < self.order.len() {
            self.order.select_nth_unstable(missing);
        }
        for key in self.order.iter().take(missing) {
            self.integers[*key as u32 as usize] += 1;
        }
    }
}

/// Orders by remainder, the largest first, in steps of 2^-32; then by place.
#[inline]
fn order_key(remainder: f64, place: usize) -> u64 {
    let step = (remainder * 4_294_967_296.0) as u32;
    u64::from(!step) << 32 | place as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantised(weights: &[f64]) -> Vec<u16> {
        Quantiser::default().quantise(weights).to_vec()
    }

    #[test]
    fn the_sum_is_constant() {
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
    fn each_is_near_its_share() {
        let weights: Vec<f64> = (1..500).map(|i| 1.0 / f64::from(i)).collect();
        let sum: f64 = weights.iter().sum();
        for (weight, integer) in weights.iter().zip(quantised(&weights)) {
            assert!((weight / sum * f64::from(TOTAL) - f64::from(integer)).abs() < 1.0);
        }
    }
}
