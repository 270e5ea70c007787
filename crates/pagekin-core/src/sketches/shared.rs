//! The round for all positions, where nearly all winners come from. Cells are
//! gathered and their darts landed in loops without branches that depend on
//! the hashes: those are mispredicted half the time and would double the cost.

use super::darts::{mix, next, Darts, Nth, STEP};

/// Darts of a cell.
const MEAN: f64 = 1.5;

/// Terms that are looked at in one go.
const TERMS: usize = 512;

/// How many cells with darts are gathered before the darts land.
const CELLS: usize = 1024;

/// A cell: its hash (or what is hashed), and how many copies the bag has from
/// its first one on.
type Cell = (u64, u32);

/// The round, with the memory that it uses again and again.
#[derive(Debug)]
pub struct Shared {
    darts: Darts,
    cells: Vec<Cell>,
    spare: Vec<Cell>,
    heavy: Vec<Cell>,
}

impl Shared {
    /// The round for `m` positions.
    pub fn new(m: usize) -> Self {
        let darts = Darts::new(MEAN, bits(m), m);
        let most_of_a_term = usize::from(u16::MAX >> darts.bits) + 1;
        let room = vec![(0, 0); CELLS + most_of_a_term + 1];
        Self {
            darts,
            cells: room.clone(),
            spare: room,
            heavy: vec![(0, 0); TERMS + 1],
        }
    }

    /// Throws all darts of the round and lowers the ranks of what they hit.
    pub fn throw(&mut self, key: u64, terms: &[u64], weights: &[u16], ranks: &mut [u64]) {
        for (terms, weights) in terms.chunks(TERMS).zip(weights.chunks(TERMS)) {
            let (mut gathered, heavy) = self.gather_first(key, terms, weights);
            for at in 0..heavy {
                if gathered >= CELLS {
                    self.land(gathered, ranks);
                    gathered = 0;
                }
                gathered = self.gather_rest(self.heavy[at], gathered);
            }
            self.land(gathered, ranks);
        }
    }

    /// Gathers the first cell of each term, and the terms that have another.
    fn gather_first(&mut self, key: u64, terms: &[u64], weights: &[u16]) -> (usize, usize) {
        let (cells, heavies) = (&mut self.cells[..], &mut self.heavy[..]);
        let (first, width) = (self.darts.first, 1 << self.darts.bits);
        let (mut gathered, mut heavy) = (0, 0);
        for (term, &weight) in terms.iter().zip(weights) {
            let (input, left) = (term.wrapping_add(key), u32::from(weight));
            let hash = mix(input);
            cells[gathered] = (hash, left);
            gathered += usize::from(hash < first);
            heavies[heavy] = (input, left);
            heavy += usize::from(left > width);
        }
        (gathered, heavy)
    }

    /// Gathers the cells of a heavy term from its second on.
    #[inline(always)]
    fn gather_rest(&mut self, (mut input, mut left): Cell, mut gathered: usize) -> usize {
        let cells = &mut self.cells[..];
        let (first, width) = (self.darts.first, 1 << self.darts.bits);
        while left > width {
            input = input.wrapping_add(STEP);
            left -= width;
            let hash = mix(input);
            cells[gathered] = (hash, left);
            gathered += usize::from(hash < first);
        }
        gathered
    }

    /// Lets the darts of the gathered cells land: first all first darts, then
    /// all second ones, and so on.
    fn land(&mut self, gathered: usize, ranks: &mut [u64]) {
        let (mut from, mut to) = (&mut self.cells[..], &mut self.spare[..]);
        let mut count = land(self.darts.nth(0), &from[..gathered], to, ranks, |hash| hash);
        let mut number = 0;
        while count > 0 {
            number += 1;
            (from, to) = (to, from);
            count = land(self.darts.nth(number), &from[..count], to, ranks, next);
        }
    }
}

/// Lands one dart of each cell; keeps and counts the cells that have another.
#[inline(always)]
fn land(
    nth: Nth,
    cells: &[Cell],
    kept: &mut [Cell],
    ranks: &mut [u64],
    hash_of: impl Fn(u64) -> u64,
) -> usize {
    let mut count = 0;
    for &(hash, left) in cells {
        let hash = hash_of(hash);
        let (position, rank) = nth.land(hash, left);
        let best = &mut ranks[position];
        *best = rank.min(*best);
        kept[count] = (hash, left);
        count += usize::from(nth.has_next(hash));
    }
    count
}

/// The width of a cell, as a power of 2: the widest at which a
/// bag of 65,536 copies gets at least 4.5 darts a position. Fewer leave more
/// positions to their own rounds, more are thrown in vain; for any `m` both
/// cost the same at about this number.
fn bits(m: usize) -> u32 {
    let widest = 65_536 / (3 * m);
    widest.max(1).ilog2()
}
