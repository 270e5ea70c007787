//! Darts: a Poisson process over the copies of a term, cut into cells that
//! are each computed from one hash. Integers, and the four basic operations
//! on floats, so that every machine throws the same darts.

/// No cell has more darts than this (one in 10^11 would).
const MOST: usize = 16;

/// The step between the hashes of neighbouring cells, and between darts.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64 bits in which every bit of the result depends on every
/// bit of `z` (the finaliser of SplitMix64).
#[inline(always)]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// How the darts of a cell follow from its hash.
#[derive(Debug)]
pub struct Darts {
    /// A cell is 2^bits copies wide.
    pub bits: u32,
    /// A cell has a first dart if its hash is below this.
    pub first: u64,
    /// Dart k (from 1) follows dart k - 1 if the low half of that dart's hash is
    /// below this; a multiple of the cell's width.
    more: [u32; MOST],
    first_scale: u64,
    scale: u64,
}

/// A dart: the position it hits and its rank there; the lowest rank wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dart {
    pub position: usize,
    pub rank: u64,
}

impl Darts {
    /// Cells of 2^bits copies with `mean` darts each, that hit `positions`.
    pub fn new(mean: f64, bits: u32, positions: usize) -> Self {
        let mut more = chances(mean);
        let first = u64::from(more[0]);
        for chance in &mut more {
            *chance = *chance >> bits << bits;
        }
        Self {
            bits,
            first: first << 32,
            more,
            first_scale: ((positions as u64) << 48) / first,
            scale: (positions as u64) << 16,
        }
    }

    /// The first dart of a cell whose hash is below `first`.
    #[inline(always)]
    pub fn first_dart(&self, hash: u64) -> Dart {
        dart(hash, self.first_scale)
    }

    /// A later dart.
    #[inline(always)]
    pub fn later_dart(&self, hash: u64) -> Dart {
        dart(hash, self.scale)
    }

    /// Which copy of its cell a dart hits.
    #[inline(always)]
    pub fn copy(&self, hash: u64) -> u32 {
        hash as u32 & ((1 << self.bits) - 1)
    }

    /// Whether dart `number` follows the one before it, whose hash this is.
    #[inline(always)]
    pub fn has_dart(&self, number: usize, hash: u64) -> bool {
        (hash as u32) < self.more[number]
    }
}

/// The high half of the hash, scaled, is a fixed-point number with 48 bits
/// behind the point: the position, then how early the dart comes.
#[inline(always)]
fn dart(hash: u64, scale: u64) -> Dart {
    let place = (hash >> 32) * scale;
    Dart {
        position: (place >> 48) as usize,
        rank: (place << 16) & 0xffff_ffff_0000_0000 | hash & 0xffff_ffff,
    }
}

/// P(N > k | N >= k) for k = 0, 1, …, as fractions of 2^32, where N is a
/// Poisson number with this mean. The last is 0.
fn chances(mean: f64) -> [u32; MOST] {
    let mut chances = [0; MOST];
    for (k, chance) in chances.iter_mut().enumerate().take(MOST - 1) {
        let (mut part, mut sum) = (1.0, 1.0);
        for i in k + 1..k + 40 {
            part = part * mean / i as f64;
            sum += part;
        }
        *chance = ((1.0 - 1.0 / sum) * 4_294_967_296.0) as u32;
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_are_those_of_poisson() {
        let chances = chances(1.5).map(|chance| f64::from(chance) / 4_294_967_296.0);
        let none = libm::exp(-1.5);
        let (one, two) = (1.5 * none, 1.125 * none);
        assert!((chances[0] - (1.0 - none)).abs() < 1e-9);
        assert!((chances[1] - (1.0 - one / (1.0 - none))).abs() < 1e-9);
        assert!((chances[2] - (1.0 - two / (1.0 - none - one))).abs() < 1e-9);
        assert_eq!(chances[MOST - 1], 0.0);
    }

    #[test]
    fn every_position_can_be_hit_and_no_other() {
        for positions in [1, 7, 80, 32_768] {
            let darts = Darts::new(1.5, 0, positions);
            assert_eq!(darts.first_dart(0).position, 0);
            assert_eq!(darts.first_dart(darts.first - 1).position, positions - 1);
            assert_eq!(darts.later_dart(u64::MAX).position, positions - 1);
        }
    }
}
