//! The rounds of a single position that the round for all has left empty. A
//! cell seldom has darts in them, so that a branch is cheap.

use super::darts::{mix, next, Darts, NONE, STEP};

/// Darts of a cell.
const MEAN: f64 = 0.0625;

/// In the first round a cell is 2^9 copies wide, so that a usual bag gets
/// about 8 darts and hardly ever needs the second round.
const BITS: u32 = 9;

/// How darts fall in these rounds. Each is twice as long as the one before,
/// with cells of half the width, until a cell is one copy wide; from then on
/// each copy has twice as many.
#[derive(Debug)]
pub struct Own {
    rounds: Vec<Darts>,
}

impl Own {
    /// The rounds of any position.
    pub fn new() -> Self {
        let round = |bits| Darts::new(MEAN, bits, 1);
        Self {
            rounds: (0..=BITS).rev().map(round).collect(),
        }
    }

    /// The lowest rank in a round (counted from 1), [`NONE`] if the bag was not
    /// hit.
    pub fn throw(&self, round: u32, key: u64, terms: &[u64], weights: &[u16]) -> u64 {
        let slices = 1u64 << (round - 1).saturating_sub(BITS);
        let darts = &self.rounds[(round - 1).min(BITS) as usize];
        let ranks = terms.iter().zip(weights).map(|(term, &weight)| {
            lowest_of_term(darts, term.wrapping_add(key), u64::from(weight) * slices)
        });
        ranks.min().unwrap_or(NONE)
    }
}

#[inline(always)]
fn lowest_of_term(darts: &Darts, mut input: u64, mut left: u64) -> u64 {
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
