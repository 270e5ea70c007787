//! Why is a page similar? The terms and concepts that it shares with what was
//! asked about, and the pages that link to both.

mod cited;
mod quote;

use std::borrow::Cow;
use std::collections::HashMap;

use super::bag::QueryBag;
use super::options::Place;
use super::searcher::Searcher;
use crate::concepts::{Concepts, Here};
use crate::hash::{concept_number, is_concept};
use crate::index::{Fault, Heaviest};
use cited::Cited;
pub use quote::quote;

/// How many reasons of each sort are told.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Terms of a hit.
    pub terms: usize,
    /// Concepts of a hit.
    pub concepts: usize,
    /// Words by which the pages have a concept.
    pub here: usize,
    /// Pages that link to both.
    pub citations: usize,
}

/// Why a page is similar.
#[derive(Debug)]
pub struct Why<'a> {
    /// The heaviest terms that both have, as the words to show, and the lesser weight of each.
    pub terms: Vec<(Cow<'a, str>, u32)>,
    /// How many other terms there are, and what they weigh together.
    pub other_terms: (usize, u32),
    /// The heaviest concepts that both have.
    pub concepts: Vec<About<'a>>,
    /// How many other concepts there are, and what they weigh together.
    pub other_concepts: (usize, u32),
    /// The first pages that link both to a page that was asked about and to this one.
    pub citations: Vec<Citation<'a>>,
}

/// A concept that two pages have.
#[derive(Debug)]
pub struct About<'a> {
    /// Its number.
    pub number: u32,
    /// The lesser weight.
    pub weight: u32,
    /// The words by which the pages have it, those first that bring most.
    pub here: Vec<Cow<'a, str>>,
}

/// A page that links to two others.
#[derive(Debug)]
pub struct Citation<'a> {
    /// Its URL.
    pub url: Cow<'a, str>,
    /// The words around both links.
    pub words: String,
}

/// Tells why pages are similar to what was asked about.
pub struct Reasons<'a, 'q> {
    index: &'a Searcher,
    bag: &'q QueryBag,
    here: Option<Here<'q>>,
    words: Words<'a>,
    cited: Cited<'a>,
    most: Most,
}

impl<'a, 'q> Reasons<'a, 'q> {
    /// For a bag, and the pages of the index that it is made of.
    pub fn new(
        index: &'a Searcher,
        (bag, like): (&'q QueryBag, &[Place]),
        concepts: Option<&'q Concepts>,
        most: Most,
    ) -> Result<Self, Fault> {
        Ok(Self {
            index,
            bag,
            here: concepts.map(|concepts| Here::new(concepts, Some(bag.bag()))),
            words: Words {
                index,
                known: HashMap::new(),
            },
            cited: Cited::new(index, like)?,
            most,
        })
    }

    /// The reasons for one page.
    pub fn of(&mut self, page: Place) -> Result<Why<'a>, Fault> {
        let mut terms = Shared::new(self.most.terms);
        let mut concepts = Shared::new(self.most.concepts);
        self.bag
            .each_shared(&self.index.bag(page)?, |term, weight| {
                let kind = if is_concept(term) {
                    &mut concepts
                } else {
                    &mut terms
                };
                if weight > 0 {
                    kind.add(term, weight);
                }
            });
        let (terms, other_terms) = terms.parted();
        let (concepts, other_concepts) = concepts.parted();
        let word = |(term, weight)| Ok((self.words.of(term)?, weight));
        Ok(Why {
            terms: terms.into_iter().map(word).collect::<Result<_, _>>()?,
            other_terms,
            concepts: self.about(page, &concepts)?,
            other_concepts,
            citations: self.cited.together_with(page, self.most.citations)?,
        })
    }

    fn about(&mut self, page: Place, concepts: &[(u64, u32)]) -> Result<Vec<About<'a>>, Fault> {
        let Some(here) = &mut self.here else {
            return Ok(Vec::new());
        };
        let numbers: Vec<u32> = concepts.iter().map(|pair| concept_number(pair.0)).collect();
        let terms = here.terms(self.index.bag(page)?, &numbers, self.most.here);
        let about = numbers.into_iter().zip(concepts).zip(terms);
        let about = about.map(|((number, &(_, weight)), terms)| {
            let here = terms.into_iter().map(|term| self.words.of(term));
            Ok(About {
                number,
                weight,
                here: here.collect::<Result<_, _>>()?,
            })
        });
        about.collect()
    }
}

/// Words to show, each looked up once: those of one hit are mostly those of the next.
struct Words<'a> {
    index: &'a Searcher,
    known: HashMap<u64, Cow<'a, str>>,
}

impl<'a> Words<'a> {
    fn of(&mut self, term: u64) -> Result<Cow<'a, str>, Fault> {
        if let Some(word) = self.known.get(&term) {
            return Ok(word.clone());
        }
        let word = self.index.word(term)?;
        self.known.insert(term, word.clone());
        Ok(word)
    }
}

/// Terms of one kind that two bags share.
struct Shared {
    heaviest: Heaviest<u32>,
    count: usize,
    weight: u32,
}

impl Shared {
    fn new(most: usize) -> Self {
        Self {
            heaviest: Heaviest::new(most),
            count: 0,
            weight: 0,
        }
    }

    fn add(&mut self, term: u64, weight: u32) {
        self.heaviest.add(term, weight);
        self.count += 1;
        self.weight += weight;
    }

    /// The heaviest, and of the others how many they are and what they sum to.
    fn parted(self) -> (Vec<(u64, u32)>, (usize, u32)) {
        let heaviest = self.heaviest.into_terms();
        let listed: u32 = heaviest.iter().map(|pair| pair.1).sum();
        let others = (self.count - heaviest.len(), self.weight - listed);
        (heaviest, others)
    }
}
