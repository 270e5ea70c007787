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
mod table;

pub use table::{sketch_batch, SketchError};

use darts::{mix, Darts, STEP};

/// The most positions a sketch may have.
pub const MAX_POSITIONS: usize = 32_768;

/// Darts of a cell in the round for all positions, and in the later ones,
/// where most cells should have none.
const SHARED_MEAN: f64 = 1.5;
const OWN_MEAN: f64 = 0.0625;

/// How wide a cell is in a position's first own round: 2^9 copies.
const OWN_BITS: u32 = 9;

/// Rank of a position that no dart has hit.
const NONE: u64 = u64::MAX;

/// How many cells with darts are gathered before the darts land.
const GATHERED: usize = 1024;

/// A cell with darts: its hash, and how many of its copies the bag has (or
/// more than the cell is wide).
type Cell = (u64, u32);

/// Sketches one bag after another; keeps its memory.
#[derive(Debug)]
pub struct Sketcher {
    seed: u64,
    shared: Darts,
    own: Vec<Darts>,
    ranks: Vec<u64>,
    cells: Vec<Cell>,
}

impl Sketcher {
    /// A sketcher for `m` positions, from 1 to [`MAX_POSITIONS`].
    pub fn new(m: usize, seed: u64) -> Self {
        let m = m.clamp(1, MAX_POSITIONS);
        let shared = Darts::new(SHARED_MEAN, shared_bits(m), m);
        let most_cells = usize::from(u16::MAX >> shared.bits) + 1;
        Self {
            seed: mix(seed),
            own: (0..=OWN_BITS)
                .rev()
                .map(|bits| Darts::new(OWN_MEAN, bits, 1))
                .collect(),
            ranks: vec![NONE; m],
            cells: vec![(0, 0); GATHERED + most_cells + 1],
            shared,
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
        self.throw(terms, weights);
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

    /// The round for all positions.
    fn throw(&mut self, terms: &[u64], weights: &[u16]) {
        let (key, first, width) = (self.key(0, 0), self.shared.first, 1 << self.shared.bits);
        let mut gathered = 0;
        for (term, &weight) in terms.iter().zip(weights) {
            if gathered >= GATHERED {
                self.land(gathered);
                gathered = 0;
            }
            let mut input = term.wrapping_add(key);
            let mut left = u32::from(weight);
            while left > 0 {
                let hash = mix(input);
                // No branch: whether a cell has darts cannot be predicted.
                self.cells[gathered] = (hash, left);
                gathered += usize::from(hash < first);
                input = input.wrapping_add(STEP);
                left = left.saturating_sub(width);
            }
        }
        self.land(gathered);
    }

    /// Lets the darts of the gathered cells land: first all first darts, then
    /// all second ones, and so on.
    fn land(&mut self, gathered: usize) {
        let (darts, ranks) = (&self.shared, &mut self.ranks[..]);
        let mut cells = &mut self.cells[..gathered];
        let mut number = 0;
        while !cells.is_empty() {
            number += 1;
            let mut kept = 0;
            for at in 0..cells.len() {
                let (mut hash, left) = cells[at];
                let dart = if number == 1 {
                    darts.first_dart(hash)
                } else {
                    hash = mix(hash.wrapping_add(STEP));
                    darts.later_dart(hash)
                };
                let rank = if darts.copy(hash) < left {
                    dart.rank
                } else {
                    NONE
                };
                let best = &mut ranks[dart.position];
                *best = rank.min(*best);
                cells[kept] = (hash, left);
                kept += usize::from(darts.has_dart(number, hash));
            }
            cells = &mut cells[..kept];
        }
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
    let (mut best, mut number, mut dart) = (NONE, 1, darts.first_dart(hash));
    loop {
        if u64::from(darts.copy(hash)) < left {
            best = best.min(dart.rank);
        }
        if !darts.has_dart(number, hash) {
            return best;
        }
        hash = mix(hash.wrapping_add(STEP));
        dart = darts.later_dart(hash);
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
