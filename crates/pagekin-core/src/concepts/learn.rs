//! Randomised SVD by subspace iteration (Halko, Martinsson and Tropp 2011, algorithm 4.4): from
//! the bags of a sample to the terms' loadings on each component.

use std::cmp::Reverse;

use super::loadings::Loadings;
use super::panel::Panel;
use super::sparse::SparseMatrix;
use crate::columns::Bag;
use crate::hash::TermMap;
use crate::sorting::Ranks;

/// Parameters of learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learning {
    /// Number of components to learn.
    pub components: usize,
    /// How many of the strongest are mixed into further ones: 0 or a power of two.
    pub mixed: usize,
    /// Number of terms to learn from: those that the largest number of pages have.
    pub terms: usize,
    /// The power that weights are raised to.
    pub power: f64,
}

/// Maximum number of terms of a sampled page, the heaviest ones. It bounds memory.
pub const MAX_TERMS: usize = 512;
/// The first component is the same for every page, and is left out.
const COMMON: usize = 1;
/// With fewer pages per component, components describe single pages instead of what pages share.
const PAGES_A_COMPONENT: usize = 4;
/// Components computed beyond those needed, which makes the last ones more accurate.
const SPARE: usize = 10;
/// Power iterations.
const ROUNDS: usize = 4;
/// The integer of a loading of 1.
const UNIT: f64 = 32_768.0;

/// Learns from bags. Each round brings the span of the columns of `pages` closer to that of the
/// strongest components.
pub fn learn(bags: &[Bag<'_>], learning: &Learning, threads: usize) -> Loadings {
    let terms = shared_terms(bags, learning.terms);
    let components = learning.components.min(bags.len() / PAGES_A_COMPONENT);
    if terms.is_empty() || components == 0 {
        return Loadings::default();
    }
    let matrix = matrix(bags, &terms, learning.power);
    let turned = matrix.transposed(terms.len());
    let needed = components + COMMON;
    // The rank is at most the number of pages or terms.
    let computed = (needed + SPARE).min(bags.len()).min(terms.len());
    let mut sides = Panel::signs(terms.values(), computed);
    for _ in 0..ROUNDS {
        let pages = matrix.times(&sides, threads).basis();
        sides = turned.times(&pages, threads);
    }
    loadings(terms.into_values(), &sides.orthonormal(needed)).with_mixed(learning.mixed)
}

/// Terms of at least two pages: up to `limit` of them, those of the most pages.
fn shared_terms(bags: &[Bag<'_>], limit: usize) -> Ranks {
    let mut counts = TermMap::<u32>::default();
    for &term in bags.iter().flat_map(|bag| bag.terms) {
        *counts.entry(term).or_default() += 1;
    }
    let mut shared: Vec<(Reverse<u32>, u64)> = counts
        .into_iter()
        .filter(|&(_, count)| count > 1)
        .map(|(term, count)| (Reverse(count), term))
        .collect();
    if shared.len() > limit {
        shared.select_nth_unstable(limit);
        shared.truncate(limit);
    }
    Ranks::new(shared.into_iter().map(|(_, term)| term).collect())
}

/// The matrix: one row per page, of length 1.
fn matrix(bags: &[Bag<'_>], terms: &Ranks, power: f64) -> SparseMatrix {
    let powers: Vec<f64> = (0..=u16::MAX)
        .map(|weight| raised(weight.into(), power))
        .collect();
    let mut matrix = SparseMatrix::default();
    let mut row = Vec::new();
    for bag in bags {
        row.clear();
        let entries = bag.terms.iter().zip(bag.weights);
        row.extend(entries.filter_map(|(&term, &weight)| {
            let column = terms.find(term)?;
            Some((column, powers[usize::from(weight)]))
        }));
        let length = row
            .iter()
            .map(|(_, value)| value * value)
            .sum::<f64>()
            .sqrt();
        matrix.push(
            row.iter()
                .map(|&(column, value)| (column, (value / length) as f32)),
        );
    }
    matrix
}

/// A weight to a power, with the same bits on every machine.
#[inline]
pub(super) fn raised(weight: f64, power: f64) -> f64 {
    if power == 0.5 {
        weight.sqrt()
    } else {
        libm::pow(weight, power)
    }
}

/// Components as integers. Nothing tells a component from its mirror image, so
/// the largest loading of each is made positive.
fn loadings(terms: Vec<u64>, components: &Panel) -> Loadings {
    let rows = || components.values.chunks_exact(components.width.max(1));
    let mut signs = vec![0f32; components.width];
    for row in rows() {
        for (sign, &value) in signs.iter_mut().zip(row) {
            if value.abs() > sign.abs() {
                *sign = value;
            }
        }
    }
    // Columns of zeros are not components.
    let last = signs.iter().take_while(|&&sign| sign != 0.0).count();
    let found = COMMON.min(last)..last;
    let mut loadings = Loadings {
        components: found.len(),
        ..Loadings::default()
    };
    for (term, row) in terms.into_iter().zip(rows()) {
        let values = row[found.clone()].iter().zip(&signs[found.clone()]);
        let values = values.map(|(&value, &sign)| fixed(value * sign.signum()));
        let start = loadings.values.len();
        loadings.values.extend(values);
        if loadings.values[start..].iter().all(|&value| value == 0) {
            loadings.values.truncate(start);
        } else {
            loadings.terms.push(term);
        }
    }
    loadings
}

pub(super) fn fixed(value: f32) -> i16 {
    (f64::from(value) * UNIT).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEARNING: Learning = Learning {
        components: 3,
        mixed: 0,
        terms: 100,
        power: 0.5,
    };

    /// Pages of two subjects that share no terms but one.
    fn pages() -> Vec<(Vec<u64>, Vec<u16>)> {
        let page = |number: u64| {
            let subject = 10 * (1 + number % 2);
            let terms = vec![1, subject + number % 3, subject + 3, 1000 + number];
            (terms, vec![10_000, 20_000, 20_000, 15_535])
        };
        (0..12).map(page).collect()
    }

    fn learnt(pages: &[(Vec<u64>, Vec<u16>)], learning: &Learning, threads: usize) -> Loadings {
        let bag = |(terms, weights)| Bag { terms, weights };
        let bags: Vec<_> = pages.iter().map(|(a, b)| bag((&a[..], &b[..]))).collect();
        learn(&bags, learning, threads)
    }

    #[test]
    fn first_component_separates_the_subjects() {
        let found = learnt(&pages(), &LEARNING, 1);
        assert_eq!(found.components, 3);
        // A term of a single page is not in the matrix.
        assert_eq!(found.terms.last(), Some(&23));
        let first = |term: u64| {
            let row = found.terms.iter().position(|&other| other == term);
            row.map_or(0, |row| found.values[row * found.components])
        };
        assert!(i32::from(first(13)) * i32::from(first(23)) < 0);
        assert!(first(1).abs() < first(13).abs() / 100);
    }

    #[test]
    fn loadings_do_not_depend_on_threads() {
        let alone = learnt(&pages(), &LEARNING, 1);
        for threads in [2, 5, 64] {
            assert_eq!(learnt(&pages(), &LEARNING, threads), alone);
        }
    }

    #[test]
    fn pages_without_differences_or_common_terms_have_no_components() {
        assert_eq!(learnt(&[], &LEARNING, 2), Loadings::default());
        assert_eq!(learnt(&pages()[..1], &LEARNING, 2), Loadings::default());
        let empty = vec![(vec![], vec![]); 5];
        assert_eq!(learnt(&empty, &LEARNING, 2), Loadings::default());
        // Pages that are all the same differ in nothing.
        let same = vec![pages()[0].clone(); 5];
        assert_eq!(learnt(&same, &LEARNING, 2).components, 0);
    }

    #[test]
    fn only_the_terms_of_most_pages_are_used() {
        let few = Learning {
            terms: 3,
            ..LEARNING
        };
        // 1, 13 and 23; the first is on all pages alike and says nothing.
        assert_eq!(learnt(&pages(), &few, 1).terms, [13, 23]);
    }
}
