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
mod own;
mod shared;
mod table;

pub use table::{sketch_batch, SketchError};

use darts::{mix, NONE};
use own::Own;
use shared::Shared;

/// The most positions a sketch may have.
pub const MAX_POSITIONS: usize = 32_768;

/// Sketches one bag after another; keeps its memory.
#[derive(Debug)]
pub struct Sketcher {
    seed: u64,
    shared: Shared,
    own: Own,
    ranks: Vec<u64>,
}

impl Sketcher {
    /// A sketcher for `m` positions, from 1 to [`MAX_POSITIONS`].
    pub fn new(m: usize, seed: u64) -> Self {
        let m = m.clamp(1, MAX_POSITIONS);
        Self {
            seed: mix(seed),
            shared: Shared::new(m),
            own: Own::new(),
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
                self.ranks[position] = self.own_rank(position, terms, weights);
            }
        }
        for (value, &rank) in out.iter_mut().zip(&self.ranks) {
            *value = (mix(rank) >> 32) as u32;
        }
    }

    fn key(&self, round: u32, position: usize) -> u64 {
        mix(self
            .seed
            .wrapping_add(u64::from(round) << 32 | position as u64))
    }

    /// The rank that wins a position of a bag that is not empty, by rounds of
    /// its own.
    fn own_rank(&self, position: usize, terms: &[u64], weights: &[u16]) -> u64 {
        let (mut round, mut rank) = (0, NONE);
        while rank == NONE {
            round += 1;
            let key = self.key(round, position);
            rank = self.own.throw(round, key, terms, weights);
        }
        rank
    }
}

#[cfg(test)]
mod tests;
