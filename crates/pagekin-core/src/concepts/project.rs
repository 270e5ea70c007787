//! Folding in (Deerwester et al. 1990): from the weights of a bag's terms to its concepts.

use std::ops::Range;
use std::sync::OnceLock;

use super::learn::raised;
use super::loadings::Loadings;
use super::page_vectors::PageVectors;
use super::panel::{Line, LANES};
use crate::columns::Bag;
use crate::hash::{concept_term, is_link};
use crate::sorting::Ranks;

/// The row of a term without loadings.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// Number of lines of sums that fit the registers of every processor.
const TOGETHER: usize = 3;

/// Components by term, ready for the bags of a crawl.
#[derive(Debug)]
pub struct Concepts {
    terms: Ranks,
    components: usize,
    /// How many of them, the last ones, are topics.
    topics: usize,
    /// How many lines the loadings of a term have.
    width: usize,
    loadings: Vec<Line>,
    /// The same by component, made when the terms behind a concept are first needed.
    columns: OnceLock<Vec<f32>>,
    /// The id of each concept and its component, in order of ids.
    halves: Vec<SignedComponent>,
    power: f64,
    page_vectors: PageVectors,
}

/// A term with loadings: where they are, and its weight raised.
#[derive(Debug, Clone, Copy)]
pub struct TermLoading {
    /// The term.
    pub term: u64,
    /// The row of its loadings.
    pub row: u32,
    /// Its weight in the bag, raised.
    pub weight: f32,
}

/// A component's positive or negative half, which is a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SignedComponent {
    term: u64,
    component: usize,
    negative: bool,
}

impl SignedComponent {
    /// Components are numbered from 0; concepts from 1, the positive half first.
    fn new(number: usize) -> Self {
        Self {
            term: concept_term(number as u32 + 1),
            component: number / 2,
            negative: number % 2 == 1,
        }
    }
}

impl Concepts {
    /// The concepts of these loadings; the weights of terms are raised to `power`.
    pub fn new(loadings: &Loadings, power: f64) -> Self {
        let components = loadings.components;
        let mut halves: Vec<SignedComponent> =
            (0..2 * components).map(SignedComponent::new).collect();
        halves.sort_unstable();
        Self {
            terms: Ranks::new(loadings.terms.clone()),
            components,
            topics: loadings.topics,
            width: components.div_ceil(LANES),
            loadings: loadings.lines(),
            columns: OnceLock::new(),
            halves,
            power,
            page_vectors: PageVectors::new(&Loadings::default()),
        }
    }

    /// The same, for pages that link to pages whose [vectors](super::page_vectors) are known.
    pub fn with_page_vectors(self, vectors: &Loadings) -> Self {
        Self {
            page_vectors: PageVectors::new(vectors),
            ..self
        }
    }

    /// How many components are not topics.
    pub fn plain_components(&self) -> usize {
        self.components - self.topics
    }

    /// How many components there are.
    pub fn components(&self) -> usize {
        self.components
    }

    /// The row of each term's loadings, or [`NO_ROW`].
    pub fn rows(&self, terms: &[u64]) -> Vec<u32> {
        let row = |&term| self.terms.find(term).unwrap_or(NO_ROW);
        terms.iter().map(row).collect()
    }

    /// Concepts of a bag whose terms have these rows and weights, in order of
    /// ids, with weights that sum to 1, `factor` of those of cited pages among them;
    /// none if none of its terms has loadings and no vector of a cited page is known.
    pub fn of(&self, bag: &[(u32, f64)], (cited, factor): (&[u64], f64)) -> Vec<(u64, f64)> {
        let mut sums = self.along(bag, 0..self.plain_components());
        self.page_vectors.add(cited, factor, &mut sums);
        self.halves_of(&sums)
    }

    /// Topics of a bag, likewise; those of cited pages are not among them.
    pub fn topics_of(&self, bag: &[(u32, f64)]) -> Vec<(u64, f64)> {
        self.halves_of(&self.along(bag, self.plain_components()..self.components))
    }

    /// The halves that positions along all components are on, with weights that sum to 1.
    fn halves_of(&self, sums: &[f32]) -> Vec<(u64, f64)> {
        let total: f64 = sums.iter().map(|&sum| f64::from(sum.abs())).sum();
        let weight = |half: &SignedComponent| {
            let sum = f64::from(sums[half.component]);
            let own = if half.negative { -sum } else { sum };
            (own > 0.0).then_some((half.term, own / total))
        };
        self.halves.iter().filter_map(weight).collect()
    }

    /// The terms of a bag that have loadings; terms of links have none.
    pub fn loaded(&self, bag: Bag<'_>) -> Vec<TermLoading> {
        let entries = bag.terms.iter().zip(bag.weights);
        let words = entries.take_while(|(&term, _)| !is_link(term));
        let loaded = words.filter_map(|(&term, &weight)| {
            let row = self.terms.find(term)?;
            let weight = raised(f64::from(weight), self.power) as f32;
            Some(TermLoading { term, row, weight })
        });
        loaded.collect()
    }

    /// The share of each term of a bag in a concept; the shares add up to 1, or all are 0.
    pub fn term_shares(&self, number: u32, bag: &[TermLoading]) -> Vec<f32> {
        let half = SignedComponent::new((number as usize).saturating_sub(1));
        if half.component >= self.components {
            return vec![0.0; bag.len()];
        }
        let sign = if half.negative { -1.0 } else { 1.0 };
        let loadings = self.column(half.component);
        let share =
            |each: &TermLoading| (sign * each.weight * loadings[each.row as usize]).max(0.0);
        let mut shares: Vec<f32> = bag.iter().map(share).collect();
        let total: f32 = shares.iter().sum();
        if total > 0.0 {
            shares.iter_mut().for_each(|share| *share /= total);
        }
        shares
    }

    /// The loadings of all terms on a component, side by side.
    fn column(&self, component: usize) -> &[f32] {
        let terms = self.terms();
        let columns = self.columns.get_or_init(|| {
            let mut columns = vec![0.0; self.width * LANES * terms];
            for (row, lines) in self.loadings.chunks_exact(self.width).enumerate() {
                let loadings = lines.iter().flat_map(|line| line.0);
                for (component, loading) in loadings.enumerate() {
                    columns[component * terms + row] = loading;
                }
            }
            columns
        });
        &columns[component * terms..][..terms]
    }

    /// How many terms have loadings.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// How far the bag lies along each of some components; 0 for the others.
    pub(super) fn along(&self, bag: &[(u32, f64)], components: Range<usize>) -> Vec<f32> {
        let loaded = bag
            .iter()
            .filter(|&&(row, weight)| row != NO_ROW && weight > 0.0);
        let total: f64 = loaded.clone().map(|(_, weight)| weight).sum();
        let raised = |weight| raised(weight / total, self.power) as f32;
        let rows: Vec<(usize, f32)> = loaded
            .map(|&(row, weight)| (row as usize * self.width, raised(weight)))
            .collect();
        let mut sums = vec![0f32; self.width * LANES];
        let (start, end) = (components.start / LANES, components.end.div_ceil(LANES));
        let lines = &mut sums[start * LANES..end * LANES];
        for (part, out) in lines.chunks_mut(TOGETHER * LANES).enumerate() {
            let first = start + part * TOGETHER;
            match out.len() / LANES {
                TOGETHER => self.add_lines::<TOGETHER>(first, &rows, out),
                2 => self.add_lines::<2>(first, &rows, out),
                _ => self.add_lines::<1>(first, &rows, out),
            }
        }
        sums[..components.start].fill(0.0);
        sums[components.end..].fill(0.0);
        sums
    }

    /// Adds up `N` lines of each row, from the `first` on.
    fn add_lines<const N: usize>(&self, first: usize, rows: &[(usize, f32)], out: &mut [f32]) {
        let mut sums = [[0f32; LANES]; N];
        for &(row, weight) in rows {
            let lines = &self.loadings[row + first..][..N];
            for (sums, line) in sums.iter_mut().zip(lines) {
                for (sum, loading) in sums.iter_mut().zip(&line.0) {
                    *sum += weight * loading;
                }
            }
        }
        out.copy_from_slice(sums.as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Concepts {
        /// Two components over the terms 5, 7 and 9.
        pub(crate) fn example() -> Self {
            let loadings = Loadings {
                terms: vec![5, 7, 9],
                components: 2,
                topics: 0,
                values: vec![3, 0, 0, -4, 3, 4],
            };
            Self::new(&loadings, 1.0)
        }
    }

    fn of(bag: &[(u64, f64)]) -> Vec<(u64, f64)> {
        let concepts = Concepts::example();
        let terms: Vec<u64> = bag.iter().map(|entry| entry.0).collect();
        let rows = concepts.rows(&terms).into_iter();
        let bag: Vec<_> = rows.zip(bag).map(|(row, entry)| (row, entry.1)).collect();
        concepts.of(&bag, (&[], 0.0))
    }

    #[test]
    fn bag_has_one_half_of_each_component() {
        // 3 of 5 along the first, -4 · ½ of 7 along the second: 1.5 and -2.
        let found = of(&[(5, 2.0), (6, 9.0), (7, 2.0)]);
        let near = |value: f64, other: f64| (value - other).abs() < 1e-6;
        assert_eq!(found.len(), 2);
        assert_eq!([found[0].0, found[1].0], [concept_term(4), concept_term(1)]);
        assert!(near(found[0].1, 2.0 / 3.5) && near(found[1].1, 1.5 / 3.5));
        // 7 and 9 are against each other in the second.
        assert_eq!(of(&[(7, 1.0), (9, 1.0)]), [(concept_term(1), 1.0)]);
    }

    #[test]
    fn topics_are_apart_from_other_concepts() {
        let loadings = Loadings {
            terms: vec![5, 7],
            components: 3,
            topics: 1,
            values: vec![3, 1, 2, 0, -1, -6],
        };
        let concepts = Concepts::new(&loadings, 1.0);
        let found = concepts.of(&[(0, 1.0)], (&[], 0.0));
        assert_eq!(found, [(concept_term(1), 0.75), (concept_term(3), 0.25)]);
        assert_eq!(concepts.topics_of(&[(0, 1.0)]), [(concept_term(5), 1.0)]);
        assert_eq!(concepts.topics_of(&[(1, 1.0)]), [(concept_term(6), 1.0)]);
        assert_eq!(Concepts::example().topics_of(&[(0, 1.0)]), []);
    }

    #[test]
    fn bag_of_unknown_terms_has_no_concepts() {
        assert_eq!(of(&[(6, 1.0)]), []);
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(5, 0.0)]), []);
        assert_eq!(Concepts::example().along(&[(0, 0.0)], 0..2), [0.0; LANES]);
        let none = Concepts::new(&Loadings::default(), 0.5);
        assert_eq!(none.of(&[(NO_ROW, 1.0)], (&[7], 0.5)), []);
    }
}
