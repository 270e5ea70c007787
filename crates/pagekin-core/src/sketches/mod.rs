//! DartMinHash (Christiani 2020), a consistent weighted sampling (Manasse et al. 2010): `m` values
//! per bag. The expected share of values that two bags have in common is exactly their weighted
//! Jaccard similarity.
//!
//! A term of weight w stands for w elements, its copies. Darts hit random
//! elements at random times, the same for all bags; each has a random
//! position, and the first that hits an element of the bag at position j is
//! the j-th winner. Two bags agree at j if the first dart among the elements
//! of either hit an element of both. First comes a round for all positions,
//! then rounds for each position that is still without a winner.
//! `python/pagekin/sketches/reference.py` is the specification.

mod darts;
mod kernel;
mod throw;

pub use kernel::{sketch_batch, SketchError};

use crate::columns::Bag;
use darts::{chances, mix, Darts, NEVER};
use throw::{Round, Thrower};

/// Maximum number of positions of a sketch.
pub const MAX_POSITIONS: usize = 32_768;

/// Darts of a cell in the round for all positions.
const SHARED_MEAN: f64 = 1.5;

/// Darts of a cell in the rounds of a single position, and how wide a cell is
/// in the first of them: 2^11 copies, so that a usual bag gets about 8 darts
/// and hardly ever needs a second.
const OWN_MEAN: f64 = 0.25;
const OWN_BITS: u32 = 11;

/// Sketches one bag after another; keeps its memory.
#[derive(Debug)]
pub struct Sketcher {
    seed: u64,
    shared: Darts,
    own: Vec<Darts>,
    times: Vec<u64>,
    thrower: Thrower,
}

impl Sketcher {
    /// A sketcher for `m` positions, from 1 to [`MAX_POSITIONS`].
    pub fn new(m: usize, seed: u64) -> Self {
        let m = m.clamp(1, MAX_POSITIONS);
        let likely = chances(OWN_MEAN);
        let own = |bits| Darts::new(likely, bits, 1);
        Self {
            seed: mix(seed),
            shared: Darts::new(chances(SHARED_MEAN), shared_bits(m), m),
            own: (0..=OWN_BITS).rev().map(own).collect(),
            times: vec![NEVER; m],
            thrower: Thrower::default(),
        }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.times.len()
    }

    /// The sketch of one bag of distinct terms, in any order; zeros if all
    /// weights are 0. Terms, weights or items of `out` in excess are left alone.
    pub fn sketch(&mut self, bag: Bag<'_>, out: &mut [u32]) {
        let used = bag.weights.iter().zip(bag.terms);
        if used.map(|(&weight, _)| weight).all(|weight| weight == 0) {
            out.fill(0);
            return;
        }
        self.throw_shared(bag);
        for position in 0..self.times.len() {
            if self.times[position] == NEVER {
                self.throw_own(position, bag);
            }
        }
        for (value, &time) in out.iter_mut().zip(&self.times) {
            *value = (mix(time) >> 32) as u32;
        }
    }

    /// The round for all positions.
    fn throw_shared(&mut self, bag: Bag<'_>) {
        let round = Round {
            key: self.key(0, 0),
            darts: &self.shared,
            bag,
        };
        self.times.fill(NEVER);
        self.thrower.throw(round, &mut self.times);
    }

    /// The rounds of a position that the shared one has left empty. Each is
    /// twice as long as the one before, since its cells are half as wide, until
    /// they are one copy wide.
    fn throw_own(&mut self, position: usize, bag: Bag<'_>) {
        for number in 1.. {
            let round = Round {
                key: self.key(number, position),
                darts: &self.own[(number - 1).min(OWN_BITS) as usize],
                bag,
            };
            let time = &mut self.times[position..=position];
            self.thrower.throw(round, time);
            if time[0] != NEVER {
                return;
            }
        }
    }

    fn key(&self, round: u32, position: usize) -> u64 {
        mix(self
            .seed
            .wrapping_add(u64::from(round) << 32 | position as u64))
    }
}

/// The width of a cell in the round for all positions, as a power of 2: the
/// widest at which a bag of 65,536 copies gets at least 4.5 darts a position.
/// Fewer leave more positions to their own rounds, more are thrown in vain;
/// for any `m` both cost the same at about this number.
fn shared_bits(m: usize) -> u32 {
    (65_536 / (3 * m)).max(1).ilog2()
}

#[cfg(test)]
mod tests;
