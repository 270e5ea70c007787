//! Page vectors in concept space: where the sample's pages point, for pages that link to them.

use super::learn::fixed;
use super::loadings::Loadings;
use super::panel::{Line, LANES};
use super::project::{Concepts, LoadedBags};
use crate::columns::Bag;
use crate::sorting::Ranks;

/// The vectors of the sample's pages: directions, of length 1.
#[derive(Debug)]
pub(super) struct PageVectors {
    ids: Ranks,
    /// How many lines a direction has.
    width: usize,
    lines: Vec<Line>,
}

/// At this place a link of a page weighs half of its first.
const HALF: f32 = 5.0;

impl PageVectors {
    /// Vectors by page: a table of the same form as that of loadings by term.
    pub(super) fn new(given: &Loadings) -> Self {
        Self {
            ids: Ranks::new(given.terms.clone()),
            width: given.components.div_ceil(LANES),
            lines: given.lines(),
        }
    }

    /// Adds `factor` times the direction of the pages that are linked to, the first ones weighing
    /// more. If few of the linked pages have vectors, it adds as much less.
    pub(super) fn add(&self, cited: &[u64], factor: f64, direction: &mut [f32]) {
        let mut around = vec![0f32; direction.len()];
        let (mut known, mut all) = (0f32, 0f32);
        for (place, &page) in cited.iter().enumerate() {
            let weight = HALF / (HALF + place as f32);
            all += weight;
            let Some(row) = self.ids.find(page) else {
                continue;
            };
            known += weight;
            let row = &self.lines[row as usize * self.width..][..self.width];
            for (sums, line) in around.chunks_exact_mut(LANES).zip(row) {
                for (sum, item) in sums.iter_mut().zip(&line.0) {
                    *sum += weight * item;
                }
            }
        }
        if known == 0.0 {
            return;
        }
        to_length(direction, 1.0);
        to_length(&mut around, factor as f32 * known / all);
        for (own, around) in direction.iter_mut().zip(&around) {
            *own += around;
        }
    }
}

/// Scales a direction to a length; a direction of length 0 stays as it is.
fn to_length(direction: &mut [f32], length: f32) {
    let norm = direction.iter().map(|item| item * item).sum::<f32>().sqrt();
    if norm > 0.0 {
        direction.iter_mut().for_each(|item| *item *= length / norm);
    }
}

/// The vectors of pages by their bags, in order of pages.
pub fn page_vectors(pages: &[u64], bags: &[Bag<'_>], concepts: &Concepts) -> Loadings {
    let mut vectors = Loadings {
        components: concepts.plain_components(),
        ..Loadings::default()
    };
    let mut loaded = LoadedBags::default();
    for bag in bags {
        let rows = concepts.rows(bag.terms).into_iter();
        let weights = bag.weights.iter().map(|&weight| f64::from(weight));
        concepts.raise(&rows.zip(weights).collect::<Vec<_>>(), &mut loaded);
    }
    for (&page, along) in pages.iter().zip(concepts.positions(&loaded).rows_mut()) {
        to_length(along, 1.0);
        if along.iter().any(|&item| item != 0.0) {
            vectors.terms.push(page);
            let along = &along[..vectors.components];
            vectors.values.extend(along.iter().map(|&item| fixed(item)));
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(values: &[f32], expected: &[f32]) -> bool {
        let pairs = values.iter().zip(expected);
        pairs.clone().count() == expected.len()
            && pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-4)
    }

    /// Page 4 points along the first of two components, page 6 along the second, backwards.
    fn known() -> PageVectors {
        PageVectors::new(&Loadings {
            terms: vec![4, 6],
            components: 2,
            topics: 0,
            values: vec![32_767, 0, 0, -32_768],
        })
    }

    fn with(cited: &[u64], own: [f32; 2]) -> Vec<f32> {
        let mut direction = vec![0.0; LANES];
        direction[..2].copy_from_slice(&own);
        known().add(cited, 0.5, &mut direction);
        direction[..2].to_vec()
    }

    #[test]
    fn early_links_weigh_more() {
        // The first weighs 1, the second 5/6: of length 1 they are 0.7682 and -0.6402.
        assert!(near(&with(&[4, 6], [0.0, 7.0]), &[0.3841, 0.6799]));
        assert!(near(&with(&[6, 4], [0.0, 7.0]), &[0.3201, 0.6159]));
    }

    #[test]
    fn unknown_links_weaken_the_others() {
        // The known one weighs 1 of 1 + 5/6.
        assert!(near(&with(&[4, 5], [0.0, 2.0]), &[0.2727, 1.0]));
        assert_eq!(with(&[5, 7], [0.0, 2.0]), [0.0, 2.0]);
        assert_eq!(with(&[], [3.0, 2.0]), [3.0, 2.0]);
    }

    #[test]
    fn page_without_words_has_the_direction_of_its_links() {
        assert!(near(&with(&[4], [0.0, 0.0]), &[0.5, 0.0]));
    }

    #[test]
    fn page_vectors_have_length_1() {
        let loadings = Loadings {
            terms: vec![5, 7],
            components: 2,
            topics: 0,
            values: vec![3, 0, 0, -4],
        };
        let concepts = Concepts::new(&loadings, 1.0);
        let bags: [(&[u64], &[u16]); 3] = [(&[5, 6], &[9, 9]), (&[6], &[9]), (&[5, 7], &[4, 4])];
        let bags = bags.map(|(terms, weights)| Bag { terms, weights });
        let found = page_vectors(&[10, 11, 12], &bags, &concepts);
        // 11 has no term with loadings and no vector; 12 points to 3 and -4 of 5.
        assert_eq!((found.terms, found.components), (vec![10, 12], 2));
        assert_eq!(found.values, [32_767, 0, 19_661, -26_214]);
    }
}
