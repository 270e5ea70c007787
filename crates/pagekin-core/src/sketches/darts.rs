//! Darts (Christiani 2020): a Poisson process over the copies of a term, cut into cells that
//! are each computed from one hash. Integers, and the four basic operations
//! on floats, so that every machine throws the same darts.

/// No cell has more darts than this (one in 10^11 would).
const MAX_DARTS: usize = 16;

/// The step between the hashed numbers of neighbouring cells.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The time of a dart that does not exist.
pub const NEVER: u64 = u64::MAX;

/// A bijection of 64 bits in which every bit of the result depends on every
/// bit of `z` (the finaliser of SplitMix64).
#[inline(always)]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The hash of the next dart of a cell. One multiplication is enough, because
/// `hash` has no pattern left.
#[inline(always)]
pub fn next(hash: u64) -> u64 {
    let z = hash.wrapping_mul(0xd134_2543_de82_ef95);
    z ^ (z >> 32)
}

/// How likely each further dart of a cell is, as a fraction of 2^32.
pub type Chances = [u32; MAX_DARTS];

/// How the darts of a cell follow from its hash.
#[derive(Debug)]
pub struct Darts {
    /// A cell is 2^bits copies wide.
    pub bits: u32,
    /// A cell has a first dart if its hash is below this.
    pub first: u64,
    /// Dart k follows dart k - 1 if the low half of that dart's hash is below
    /// `more[k]`, a multiple of the cell's width.
    more: Chances,
    first_scale: u64,
    scale: u64,
}

impl Darts {
    /// Cells of 2^bits copies with a Poisson number of darts, that hit
    /// `positions`.
    pub fn new(mut more: Chances, bits: u32, positions: usize) -> Self {
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

    /// How dart `number` of a cell is read from its hash. Dart 0 exists only if
    /// its hash is low, so that it must be scaled up.
    #[inline(always)]
    pub fn nth(&self, number: usize) -> DartReader {
        DartReader {
            scale: if number == 0 {
                self.first_scale
            } else {
                self.scale
            },
            mask: (1 << self.bits) - 1,
            more: self.more[number + 1],
        }
    }
}

/// How darts that are the n-th of their cells are read from their hashes.
#[derive(Debug, Clone, Copy)]
pub struct DartReader {
    scale: u64,
    mask: u32,
    more: u32,
}

impl DartReader {
    /// The position of a dart and its time, of which the lowest wins; the
    /// time is [`NEVER`] if the dart hits no copy of the bag, which has `left`
    /// copies from the first of the cell on.
    #[inline(always)]
    pub fn land(self, hash: u64, left: u32) -> (usize, u64) {
        let position = ((hash >> 32) * self.scale) >> 48;
        let time = hash.wrapping_mul(0x9fb2_1c65_1e98_df25);
        let copy = hash as u32 & self.mask;
        // All bits or none: a branch would be mispredicted half the time.
        let miss = u64::from(copy < left).wrapping_sub(1);
        (position as usize, time | miss)
    }

    /// Whether another dart follows this one.
    #[inline(always)]
    pub fn has_next(self, hash: u64) -> bool {
        (hash as u32) < self.more
    }
}

/// P(N > k | N >= k) for k = 0, 1, …, as fractions of 2^32, where N is a
/// Poisson number with this mean. The last is 0.
pub fn chances(mean: f64) -> Chances {
    let mut chances = [0; MAX_DARTS];
    for (k, chance) in chances.iter_mut().enumerate().take(MAX_DARTS - 1) {
        let (mut part, mut sum) = (1.0, 1.0);
        for i in k + 1..k + 20 {
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
    fn chances_follow_the_poisson_distribution() {
        let chances = chances(1.5).map(|chance| f64::from(chance) / 4_294_967_296.0);
        let none = libm::exp(-1.5);
        let (one, two) = (1.5 * none, 1.125 * none);
        assert!((chances[0] - (1.0 - none)).abs() < 1e-9);
        assert!((chances[1] - (1.0 - one / (1.0 - none))).abs() < 1e-9);
        assert!((chances[2] - (1.0 - two / (1.0 - none - one))).abs() < 1e-9);
        assert_eq!(chances[MAX_DARTS - 1], 0.0);
    }

    #[test]
    fn dart_beyond_the_weight_misses() {
        let darts = Darts::new(chances(1.5), 4, 80);
        for left in 0..20 {
            for copy in 0..16 {
                let missed = darts.nth(0).land(copy, left).1 == NEVER;
                assert_eq!(missed, copy >= u64::from(left), "copy {copy} of {left}");
            }
        }
    }

    #[test]
    fn darts_hit_every_position_and_no_other() {
        for positions in [1, 7, 80, 32_768] {
            let darts = Darts::new(chances(1.5), 0, positions);
            assert_eq!(darts.nth(0).land(0, 1).0, 0);
            assert_eq!(darts.nth(0).land(darts.first - 1, 1).0, positions - 1);
            assert_eq!(darts.nth(1).land(u64::MAX, 1).0, positions - 1);
        }
    }
}
