//! Sketches: `m` values a bag, of which two bags are expected to share
//! exactly the fraction that is their weighted Jaccard similarity.
//!
//! A term of weight w stands for w elements, its copies. Darts hit random
//! elements at random times, the same for all bags; each has a random
//! position, and the first that hits an element of the bag at position j is
//! the j-th winner. Two bags agree at j if the first dart among the elements
//! of either hit an element of both. First comes a round for all positions,
//! then rounds for each position that is still without a winner.
//! `python/pagekin/sketches/reference.py` is the specification.

mod darts;
mod shared;
mod table;

pub use table::{sketch_batch, SketchError};

use darts::{mix, next, Darts, NONE, STEP};
use shared::Shared;

/// The most positions a sketch may have.
pub const MAX_POSITIONS: usize = 32_768;

/// Darts of a cell in the round for all positions, and in the later ones,
/// where most cells should have none.
const SHARED_MEAN: f64 = 1.5;
const OWN_MEAN: f64 = 0.0625;

/// How wide a cell is in a position's first own round: 2^9 copies.
const OWN_BITS: u32 = 9;

/// Sketches one bag after another; keeps its memory.
#[derive(Debug)]
pub struct Sketcher {
    seed: u64,
    shared: Shared,
    own: Vec<Darts>,
    ranks: Vec<u64>,
}

impl Sketcher {
    /// A sketcher for `m` positions, from 1 to [`MAX_POSITIONS`].
    pub fn new(m: usize, seed: u64) -> Self {
        let m = m.clamp(1, MAX_POSITIONS);
        let own = |bits| Darts::new(OWN_MEAN, bits, 1);
        Self {
            seed: mix(seed),
            shared: Shared::new(Darts::new(SHARED_MEAN, shared_bits(m), m)),
            own: (0..=OWN_BITS).rev().map(own).collect(),
            ranks: vec![NONE; m],
        }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.ranks.len()
    }

    /// The sketch of one bag of distinct terms, in any order; zeros if all
    /// weights are 0. What `terms`, `weights` or `out` have in excess is left.
    pub fn sketch(&mut self, terms: &[u64], weights: &[u16], out: &mut [u32]) {
        if weights.iter().zip(terms).all(|(&weight, _)| weight == 0) {
            out.fill(0);
            return;
        }
        self.ranks.fill(NONE);
        let key = self.key(0, 0);
        self.shared.throw(key, terms, weights, &mut self.ranks);
        for position in 0..self.ranks.len() {
            if self.ranks[position] == NONE {
                self.ranks[position] = self.throw_at(position, terms, weights);
            }
        }
        for (value, &rank) in out.iter_mut().zip(&self.ranks) {
            *value = (mix(rank) >> 32) as u32;
        }
    }

    fn key(&self, round: u64, position: usize) -> u64 {
        mix(self.seed.wrapping_add(round << 32 | position as u64))
    }

    /// Rounds for one position, each as long as all before it, until a dart
    /// hits the bag.
    fn throw_at(&self, position: usize, terms: &[u64], weights: &[u16]) -> u64 {
        for round in 1.. {
            let key = self.key(round, position);
            let narrowest = self.own.len() - 1;
            let darts = &self.own[narrowest.min(round as usize - 1)];
            // Cells cannot be narrower than a copy: then a copy has many.
            let slices = 1u64 << (round - 1).saturating_sub(narrowest as u64).min(40);
            let mut best = NONE;
            for (term, &weight) in terms.iter().zip(weights) {
                best = best.min(lowest(
                    darts,
                    term.wrapping_add(key),
                    u64::from(weight) * slices,
                ));
            }
            if best != NONE {
                return best;
            }
        }
        NONE
    }
}

/// The lowest rank of the darts that hit the first `left` copies of a term in
/// a round for one position.
#[inline(always)]
fn lowest(darts: &Darts, mut input: u64, mut left: u64) -> u64 {
    let mut best = NONE;
    while left > 0 {
        let hash = mix(input);
        if hash < darts.first {
            best = best.min(lowest_of_cell(darts, hash, left));
        }
        input = input.wrapping_add(STEP);
        left = left.saturating_sub(1 << darts.bits);
    }
    best
}

#[cold]
fn lowest_of_cell(darts: &Darts, mut hash: u64, left: u64) -> u64 {
    let left = u32::try_from(left).unwrap_or(u32::MAX);
    let (mut best, mut number) = (NONE, 0);
    loop {
        let nth = darts.nth(number);
        best = best.min(nth.land(hash, left).1);
        if !nth.has_next(hash) {
            return best;
        }
        hash = next(hash);
        number += 1;
    }
}

/// The width of a cell in the round for all positions: the widest at which a
/// bag of 65,536 copies gets at least 4.5 darts a position. Fewer leave more
/// positions to their own rounds, more are thrown in vain; for any `m` both
/// cost the same at about this number.
fn shared_bits(m: usize) -> u32 {
    let widest = 65_536 / (3 * m);
    widest.max(1).ilog2()
}

#[cfg(test)]
mod tests;
