//! One round of DartMinHash (Christiani 2020) without branches that depend on hashes: the processor
//! would mispredict half of them, which doubles the cost.

use super::darts::{mix, next, DartReader, Darts, STEP};
use crate::columns::Bag;

/// Terms that are looked at in one go, and cells with darts that are gathered
/// before the darts land.
const BLOCK: usize = 512;

/// A bag in one round.
#[derive(Debug, Clone, Copy)]
pub struct Round<'a> {
    /// The number that the round adds to each term.
    pub key: u64,
    /// How its darts fall.
    pub darts: &'a Darts,
    /// The bag.
    pub bag: Bag<'a>,
}

/// The memory of a round, used again and again.
#[derive(Debug)]
pub struct Thrower {
    cells: Box<Cells>,
    spare: Box<Cells>,
    heavy: Box<TermPlaces>,
}

impl Default for Thrower {
    fn default() -> Self {
        Self {
            cells: Box::default(),
            spare: Box::default(),
            heavy: Box::new([0; BLOCK + 1]),
        }
    }
}

/// Places of terms, those with more than one cell.
type TermPlaces = [usize; BLOCK + 1];

/// Room for two blocks, and for the one cell more that every loop writes
/// before it knows whether to keep it.
const ROOM: usize = 2 * BLOCK + 1;

/// Cells: their hashes (or the numbers to hash), and how many copies the bag
/// has from the first of each on.
#[derive(Debug)]
struct Cells {
    hashes: [u64; ROOM],
    left: [u32; ROOM],
}

impl Default for Cells {
    fn default() -> Self {
        Self {
            hashes: [0; ROOM],
            left: [0; ROOM],
        }
    }
}

impl Cells {
    #[inline(always)]
    fn set(&mut self, at: usize, hash: u64, left: u32) {
        self.hashes[at] = hash;
        self.left[at] = left;
    }
}

impl Thrower {
    /// Throws all darts of the round and lowers the times of the positions that they hit.
    pub fn throw(&mut self, round: Round<'_>, times: &mut [u64]) {
        let Bag { terms, weights } = round.bag;
        for (terms, weights) in terms.chunks(BLOCK).zip(weights.chunks(BLOCK)) {
            let bag = Bag { terms, weights };
            self.throw_block(Round { bag, ..round }, times);
        }
    }

    fn throw_block(&mut self, round: Round<'_>, times: &mut [u64]) {
        let width = 1 << round.darts.bits;
        let (mut gathered, heavy) = gather_first(round, &mut self.cells, &mut self.heavy);
        for index in 0..heavy {
            let at = self.heavy[index];
            let input = round.bag.terms[at].wrapping_add(round.key);
            let mut cell = (input, u32::from(round.bag.weights[at]));
            while cell.1 > width {
                (gathered, cell) = gather_more(round.darts, cell, &mut self.cells, gathered);
                if gathered >= BLOCK {
                    self.land(round.darts, gathered, times);
                    gathered = 0;
                }
            }
        }
        self.land(round.darts, gathered, times);
    }

    /// Lets the darts of the gathered cells land. A single time is kept apart from the memory:
    /// each dart would have to wait for the one before.
    fn land(&mut self, darts: &Darts, gathered: usize, times: &mut [u64]) {
        if let [only] = times {
            let mut best = *only;
            self.land_all(darts, gathered, |_, time| best = time.min(best));
            *only = best;
        } else {
            self.land_all(darts, gathered, |position, time| {
                let best = &mut times[position];
                *best = time.min(*best);
            });
        }
    }

    /// First all first darts, then all second ones, and so on.
    #[inline(always)]
    fn land_all(&mut self, darts: &Darts, gathered: usize, mut hit: impl FnMut(usize, u64)) {
        let (mut from, mut to) = (&mut *self.cells, &mut *self.spare);
        let mut count = land(darts.nth(0), (from, gathered), to, &mut hit, |hash| hash);
        let mut number = 0;
        while count > 0 {
            number += 1;
            (from, to) = (to, from);
            count = land(darts.nth(number), (from, count), to, &mut hit, next);
        }
    }
}

/// Gathers the first cell of each term, and the terms that have another.
#[inline(never)]
fn gather_first(round: Round<'_>, cells: &mut Cells, heavies: &mut TermPlaces) -> (usize, usize) {
    let (first, width) = (round.darts.first, 1 << round.darts.bits);
    let (mut gathered, mut heavy) = (0, 0);
    for (at, (term, &weight)) in round.bag.terms.iter().zip(round.bag.weights).enumerate() {
        let hash = mix(term.wrapping_add(round.key));
        cells.set(gathered, hash, u32::from(weight));
        gathered += usize::from(hash < first);
        heavies[heavy] = at;
        heavy += usize::from(u32::from(weight) > width);
    }
    (gathered, heavy)
}

/// Gathers the cells that follow a cell of a heavy term, at most a block of
/// them; returns the last.
#[inline(always)]
fn gather_more(
    darts: &Darts,
    (mut input, mut left): (u64, u32),
    cells: &mut Cells,
    mut gathered: usize,
) -> (usize, (u64, u32)) {
    let (first, width) = (darts.first, 1 << darts.bits);
    for _ in 0..((left - 1) >> darts.bits).min(BLOCK as u32) {
        input = input.wrapping_add(STEP);
        left -= width;
        let hash = mix(input);
        cells.set(gathered, hash, left);
        gathered += usize::from(hash < first);
    }
    (gathered, (input, left))
}

/// Lands one dart of each cell; keeps and counts the cells that have another.
#[inline(always)]
fn land(
    nth: DartReader,
    (cells, count): (&Cells, usize),
    kept: &mut Cells,
    hit: &mut impl FnMut(usize, u64),
    hash_of: impl Fn(u64) -> u64,
) -> usize {
    let mut following = 0;
    for (&hash, &left) in cells.hashes[..count].iter().zip(&cells.left[..count]) {
        let hash = hash_of(hash);
        let (position, time) = nth.land(hash, left);
        hit(position, time);
        kept.set(following, hash, left);
        following += usize::from(nth.has_next(hash));
    }
    following
}
