//! Latent semantic features beside the terms of a bag: its concepts, blended in.

use std::ops::Range;

use super::{KindMixer, RawBags};
use crate::columns::Ragged;
use crate::concepts::{Concepts, LoadedBags, Panel, NO_ROW};
use crate::strategy::{Concept, KindWeights, Strategy, Topic};

/// Puts concepts into bags, a few of which are projected together.
pub(super) struct ConceptBlender<'a> {
    concepts: &'a Concepts,
    concept: Concept,
    topic: Option<Topic>,
    raw: &'a RawBags,
    /// The weights of the other kinds.
    kinds: KindWeights,
    /// The row of loadings of each of the partition's terms.
    rows: Vec<u32>,
    /// The weights that concepts are made of, if they differ from the bag's.
    real: Vec<f64>,
    entries: Vec<(u32, f64)>,
    /// Where the bags lie that were projected, a row a bag: along concepts, and along topics.
    positions: [Panel; 2],
}

impl<'a> ConceptBlender<'a> {
    /// `None` if the strategy has no concepts, or none are given.
    pub(super) fn new(
        raw: &'a RawBags,
        strategy: &Strategy,
        concepts: Option<&'a Concepts>,
    ) -> Option<Self> {
        let (concepts, concept) = concepts.zip(strategy.concept)?;
        Some(Self {
            concepts,
            concept,
            topic: strategy.topic,
            raw,
            kinds: strategy.kinds,
            rows: concepts.rows(&raw.terms),
            real: Vec::new(),
            entries: Vec::new(),
            positions: [Panel::zeros(0, 0), Panel::zeros(0, 0)],
        })
    }

    /// Projects bags, to be blended next; `reals` are what the other kinds weigh.
    pub(super) fn project(
        &mut self,
        mixer: &KindMixer<'_>,
        bags: Range<usize>,
        reals: &Ragged<f64>,
    ) {
        let (mut concepts, mut topics) = (LoadedBags::default(), LoadedBags::default());
        for (bag, real) in bags.zip(reals.iter()) {
            let entries = self.raw.ends.range(bag);
            if self.has_concepts(&entries, real) {
                self.load(mixer, (&entries, real), self.concept.kinds);
                self.concepts.raise(&self.entries, &mut concepts);
            } else {
                concepts.push([]);
            }
            if let Some(topic) = self.topic {
                self.load(mixer, (&entries, real), topic.kinds);
                self.concepts.raise(&self.entries, &mut topics);
            }
        }
        self.positions = [
            self.concepts.positions(&concepts),
            self.concepts.topic_positions(&topics),
        ];
    }

    /// A page that is only linked to has words and topics, and concepts only if it has no words:
    /// there are many such pages, and each would have all concepts.
    fn has_concepts(&self, entries: &Range<usize>, real: &[f64]) -> bool {
        self.raw.has_content(entries) || real.iter().all(|&weight| weight == 0.0)
    }

    /// Adds the concepts and topics of a bag, whose position is in this row, to its terms, which
    /// stay in order. What the other kinds have together is scaled to 1, and the concepts and
    /// topics to their weights.
    pub(super) fn blend(
        &mut self,
        (row, bag): (usize, usize),
        terms: &mut Vec<u64>,
        real: &mut Vec<f64>,
    ) {
        let found = if self.has_concepts(&self.raw.ends.range(bag), real) {
            let cited = (self.raw.cited_by(bag), self.concept.cited);
            self.concepts
                .concepts_at(self.positions[0].row_mut(row), cited)
        } else {
            Vec::new()
        };
        let topics = match self.topic {
            Some(_) => self.concepts.topics_at(self.positions[1].row_mut(row)),
            None => Vec::new(),
        };
        if found.is_empty() && topics.is_empty() {
            return;
        }
        let sum: f64 = real.iter().sum();
        if sum > 0.0 {
            real.iter_mut().for_each(|weight| *weight /= sum);
        }
        insert(&found, self.concept.weight, terms, real);
        let weight = self.topic.map_or(0.0, |topic| topic.weight);
        insert(&topics, weight, terms, real);
    }

    /// Finds the terms of a bag that have loadings, with the weights that they have if kinds are
    /// mixed like this; `real` are those of the other kinds.
    fn load(
        &mut self,
        mixer: &KindMixer<'_>,
        (entries, real): (&Range<usize>, &[f64]),
        kinds: KindWeights,
    ) {
        let is_same = kinds == self.kinds;
        if !is_same {
            mixer.mix(entries.clone(), kinds, &mut self.real);
        }
        let weights = if is_same { real } else { &self.real };
        let places = &self.raw.term[entries.clone()];
        loaded(&self.rows, places.iter().zip(weights), &mut self.entries);
    }
}

/// The entries of a bag, a term and a weight each, that have loadings: their rows and weights.
fn loaded<'a>(
    rows: &[u32],
    entries: impl ExactSizeIterator<Item = (&'a u32, &'a f64)>,
    out: &mut Vec<(u32, f64)>,
) {
    out.resize(entries.len(), (NO_ROW, 0.0));
    let mut count = 0;
    for (&term, &weight) in entries {
        // Written unconditionally: about half of the entries stay, and no branch can predict which.
        let row = rows[term as usize];
        out[count] = (row, weight);
        count += usize::from(row != NO_ROW && weight > 0.0);
    }
    out.truncate(count);
}

/// Puts terms with weights, times a factor, among others; both are in order.
fn insert(found: &[(u64, f64)], factor: f64, terms: &mut Vec<u64>, real: &mut Vec<f64>) {
    let mut from = terms.len();
    terms.resize(from + found.len(), 0);
    real.resize(from + found.len(), 0.0);
    let mut to = terms.len();
    // From the end on, so that nothing is overwritten that is still needed.
    for &(term, weight) in found.iter().rev() {
        while from > 0 && terms[from - 1] > term {
            (from, to) = (from - 1, to - 1);
            terms[to] = terms[from];
            real[to] = real[from];
        }
        to -= 1;
        terms[to] = term;
        real[to] = weight * factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_concepts_keep_terms_in_order() {
        let (mut terms, mut real) = (vec![2, 5, 9], vec![0.2, 0.5, 0.9]);
        insert(
            &[(1, 1.0), (6, 6.0), (7, 7.0), (10, 10.0)],
            0.5,
            &mut terms,
            &mut real,
        );
        assert_eq!(terms, [1, 2, 5, 6, 7, 9, 10]);
        assert_eq!(real, [0.5, 0.2, 0.5, 3.0, 3.5, 0.9, 5.0]);
        let (mut terms, mut real) = (vec![], vec![]);
        insert(&[(3, 1.0)], 2.0, &mut terms, &mut real);
        assert_eq!((terms, real), (vec![3], vec![2.0]));
    }
}
