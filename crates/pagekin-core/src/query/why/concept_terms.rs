//! Attribution of concepts: by which of their own terms do pages have them?

use std::collections::HashMap;

use crate::columns::Bag;
use crate::concepts::{Concepts, TermLoading};
use crate::sorting::TopK;

/// The terms by which pages have their concepts; if a bag was asked about, those by which both have
/// them. The shares of a bag's terms in each of its concepts add up to 1.
#[derive(Debug)]
pub struct ConceptTerms<'a> {
    concepts: &'a Concepts,
    asked: Option<Vec<TermLoading>>,
    /// The shares of its terms, by their rows, in each concept looked at so far.
    shares: HashMap<u32, Vec<f32>>,
}

impl<'a> ConceptTerms<'a> {
    /// Concepts, and the bag that was asked about if there is one.
    pub fn new(concepts: &'a Concepts, asked: Option<Bag<'_>>) -> Self {
        Self {
            concepts,
            asked: asked.map(|bag| concepts.loaded(bag)),
            shares: HashMap::new(),
        }
    }

    /// For each of some concepts the terms with the largest shares, equals in order of ids.
    pub fn terms(&mut self, page: Bag<'_>, numbers: &[u32], most: usize) -> Vec<Vec<u64>> {
        let page = self.concepts.loaded(page);
        let numbers = numbers.iter();
        numbers
            .map(|&number| self.of(number, &page, most))
            .collect()
    }

    fn of(&mut self, number: u32, page: &[TermLoading], most: usize) -> Vec<u64> {
        let own = self.concepts.term_shares(number, page);
        let asked = self.asked_for(number);
        let mut heaviest = TopK::new(most);
        // Half of all terms have no share: only the few that are kept are worth a branch.
        for (each, &own) in page.iter().zip(&own) {
            let share = asked.map_or(own, |asked| own.min(asked[each.row as usize]));
            if share > heaviest.floor(0.0) {
                heaviest.add(each.term, share);
            }
        }
        let terms = heaviest.into_terms().into_iter();
        terms.map(|entry| entry.0).collect()
    }

    /// The shares of the terms of the bag that was asked about, by their rows.
    fn asked_for(&mut self, number: u32) -> Option<&[f32]> {
        let (concepts, asked) = (self.concepts, self.asked.as_ref()?);
        let by_row = self.shares.entry(number).or_insert_with(|| {
            let mut by_row = vec![0.0; concepts.terms()];
            for (each, share) in asked.iter().zip(concepts.term_shares(number, asked)) {
                by_row[each.row as usize] = share;
            }
            by_row
        });
        Some(by_row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::Loadings;

    fn bag(terms: &'static [u64], weights: &'static [u16]) -> Bag<'static> {
        Bag { terms, weights }
    }

    #[test]
    fn terms_of_a_concept_are_ordered_by_contribution() {
        let concepts = Concepts::example();
        let (page, asked) = (bag(&[5, 6, 7], &[2, 9, 2]), bag(&[5, 9], &[1, 3]));
        let mut both = ConceptTerms::new(&concepts, Some(asked));
        // The first concept is had by 5 and 9, its other half by nobody; the others by one bag only.
        assert_eq!(both.terms(page, &[1, 2], 9), [vec![5], vec![]]);
        assert_eq!(both.terms(page, &[4, 3, 99], 1), [[]; 3]);
        let mut alone = ConceptTerms::new(&concepts, None);
        assert_eq!(alone.terms(asked, &[1], 9), [[9, 5]]);
    }

    #[test]
    fn terms_of_a_concept_match_a_full_sort() {
        let terms: Vec<u64> = (1..=60).map(|number| number << 50).collect();
        let loadings = Loadings {
            terms: terms.clone(),
            components: 3,
            topics: 0,
            values: (0..180).map(|at| (at * 7919 % 41 - 20) as i16).collect(),
        };
        let concepts = Concepts::new(&loadings, 0.5);
        let (page, asked) = (&terms[..40], &terms[20..]);
        let weights: Vec<u16> = (0..40).map(|at| 1 + at * 31 % 23).collect();
        let bag = |terms| Bag {
            terms,
            weights: &weights,
        };
        let mut terms_of = ConceptTerms::new(&concepts, Some(bag(asked)));
        for number in 1..=6 {
            let shares = |terms| {
                let loaded = concepts.loaded(bag(terms));
                let shares = concepts.term_shares(number, &loaded);
                let terms = loaded.iter().map(|each| each.term);
                terms.zip(shares).collect::<HashMap<u64, f32>>()
            };
            let (own, asked) = (shares(page), shares(asked));
            let lesser =
                |(&term, &own): (&u64, &f32)| asked.get(&term).map(|&asked| (term, own.min(asked)));
            let mut sums: Vec<(u64, f32)> = own.iter().filter_map(lesser).collect();
            sums.retain(|sum| sum.1 > 0.0);
            sums.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
            for most in [1, 6, 100] {
                let expected: Vec<u64> = sums.iter().take(most).map(|sum| sum.0).collect();
                let found = terms_of.terms(bag(page), &[number], most);
                assert_eq!(found, [expected]);
            }
        }
    }
}
