//! Fetching what lies far apart in a file: the beginnings are read one after the other
//! before anything is read to its end, so that the processor waits for many places at
//! a time instead of for each. Nothing of what is read here is believed.

use std::hint::black_box;

use crate::index::{Bag, Held};

/// Terms of a bag that lie in one page of memory.
const PAGE: usize = 512;

/// Fetches the beginnings of lists.
pub fn fetch_lists<'a>(lists: impl Iterator<Item = Held<'a>>) {
    let first = |held: Held<'_>| {
        let row = held.rows.first().copied().unwrap_or(0);
        row ^ u32::from(held.weights.first().copied().unwrap_or(0))
    };
    black_box(lists.map(first).fold(0, |all, first| all ^ first));
}

/// Fetches the beginnings of bags, in each page of memory that they take.
pub fn fetch_bags(bags: &[Bag<'_>]) {
    let first = |bag: &Bag<'_>| {
        let weight = u64::from(bag.weights.first().copied().unwrap_or(0));
        let terms = bag.terms.iter().step_by(PAGE);
        terms.fold(weight, |all, term| all ^ term)
    };
    black_box(bags.iter().map(first).fold(0, |all, first| all ^ first));
}
