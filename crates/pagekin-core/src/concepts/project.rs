//! Folding in (Deerwester et al. 1990): from the weights of a bag's terms to its concepts.

use std::ops::Range;
use std::sync::OnceLock;

use super::learn::raised;
use super::loadings::Loadings;
use super::page_vectors::PageVectors;
use super::panel::{Line, Panel, LANES};
use crate::columns::{Bag, Ragged};
use crate::hash::{concept_term, is_link};
use crate::sorting::Ranks;

/// The row of a term without loadings.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The terms of some bags that have loadings: their rows, and weights [raised](Concepts::raise).
pub type LoadedBags = Ragged<(u32, f32)>;

/// Components by term, ready for the bags of a crawl.
#[derive(Debug)]
pub struct Concepts {
    terms: Ranks,
    components: usize,
    /// How many of them, the last ones, are topics.
    topics: usize,
    /// How many lines the loadings of a term have.
    width: usize,
    /// The first line of every term, then the second of every term, and so on. Bags are projected
    /// line by line, so that the lines of all terms stay in a near cache.
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
            loadings: loadings.lines_by_place(),
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

    /// The terms of a bag that have loadings, given the row and the weight of each term: with
    /// weights that sum to 1, raised.
    pub fn raise(&self, bag: &[(u32, f64)], out: &mut LoadedBags) {
        let known = bag
            .iter()
            .filter(|&&(row, weight)| row != NO_ROW && weight > 0.0);
        let total: f64 = known.clone().map(|(_, weight)| weight).sum();
        let raised = |weight| raised(weight / total, self.power) as f32;
        out.push(known.map(|&(row, weight)| (row, raised(weight))));
    }

    /// How far bags lie along the components that are no topics: a row a bag.
    pub fn positions(&self, bags: &LoadedBags) -> Panel {
        self.along(bags, 0..self.plain_components())
    }

    /// How far bags lie along topics.
    pub fn topic_positions(&self, bags: &LoadedBags) -> Panel {
        self.along(bags, self.plain_components()..self.components)
    }

    /// The concepts of a bag at a position, in order of ids, with weights that sum to 1, `factor`
    /// of those of cited pages among them; none if none of its terms has loadings and no vector of
    /// a cited page is known.
    pub fn concepts_at(
        &self,
        position: &mut [f32],
        (cited, factor): (&[u64], f64),
    ) -> Vec<(u64, f64)> {
        self.page_vectors.add(cited, factor, position);
        self.halves_of(position)
    }

    /// Topics of a bag at a position, likewise; those of cited pages are not among them.
    pub fn topics_at(&self, position: &[f32]) -> Vec<(u64, f64)> {
        self.halves_of(position)
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
            let places = self.loadings.chunks_exact(terms.max(1));
            for (lines, columns) in places.zip(columns.chunks_exact_mut(LANES * terms.max(1))) {
                for (row, line) in lines.iter().enumerate() {
                    for (lane, loading) in line.0.into_iter().enumerate() {
                        columns[lane * terms + row] = loading;
                    }
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

    /// How far bags lie along each of some components; 0 for the others.
    fn along(&self, bags: &LoadedBags, components: Range<usize>) -> Panel {
        let mut panel = Panel::zeros(bags.len(), self.components);
        if components.is_empty() {
            return panel;
        }
        let terms = self.terms();
        for place in components.start / LANES..components.end.div_ceil(LANES) {
            let lines = &self.loadings[place * terms..][..terms];
            for (bag, sums) in bags.iter().zip(panel.rows_mut()) {
                sums[place * LANES..][..LANES].copy_from_slice(&weighted_sum(bag, lines));
            }
        }
        for sums in panel.rows_mut() {
            sums[..components.start].fill(0.0);
            sums[components.end..].fill(0.0);
        }
        panel
    }
}

/// The sum of the lines of some rows, each times its weight.
fn weighted_sum(rows: &[(u32, f32)], lines: &[Line]) -> [f32; LANES] {
    let mut sums = [0f32; LANES];
    for &(row, weight) in rows {
        for (sum, loading) in sums.iter_mut().zip(&lines[row as usize].0) {
            *sum += weight * loading;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Concepts {
        /// The concepts of a bag, given the row and the weight of each of its terms.
        fn of(&self, bag: &[(u32, f64)], cited: (&[u64], f64)) -> Vec<(u64, f64)> {
            self.concepts_at(&mut self.positions(&self.loaded_bag(bag)).values, cited)
        }

        fn topics_of(&self, bag: &[(u32, f64)]) -> Vec<(u64, f64)> {
            self.topics_at(&self.topic_positions(&self.loaded_bag(bag)).values)
        }

        fn loaded_bag(&self, bag: &[(u32, f64)]) -> LoadedBags {
            let mut bags = LoadedBags::default();
            self.raise(bag, &mut bags);
            bags
        }

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
        let none = Concepts::new(&Loadings::default(), 0.5);
        assert_eq!(none.of(&[(NO_ROW, 1.0)], (&[7], 0.5)), []);
    }
}
