//! Why is a page similar? The terms and concepts that it shares with the query, and the pages
//! that link to both.

mod cocitation;
mod concept_terms;
pub(super) mod link_text;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::passages::{Snippet, SnippetMaker};
use super::prepared::PreparedQuery;
use super::query_bag::QueryBag;
use super::result::PageRef;
use super::searcher::Searcher;
use crate::concepts::Concepts;
use crate::hash::{concept_number, is_concept, is_link};
use crate::index::TableError;
use crate::interrupt;
use crate::sorting::TopK;
use crate::text::TermMakers;
use cocitation::CocitationFinder;
pub use concept_terms::ConceptTerms;

/// How many reasons of each kind are listed.
#[derive(Debug, Clone, Copy)]
pub struct ExplanationLimits {
    /// Terms of a hit.
    pub terms: usize,
    /// Concepts of a hit.
    pub concepts: usize,
    /// Words of a concept.
    pub concept_words: usize,
    /// Pages that link to both.
    pub citations: usize,
    /// Words that a snippet is made of; with 0 there is none.
    pub snippet_words: usize,
}

/// Why a page is similar.
#[derive(Debug)]
pub struct Explanation<'a> {
    /// The heaviest terms that both have.
    pub terms: Vec<SharedTerm<'a>>,
    /// The other terms.
    pub other_terms: Remainder,
    /// The heaviest concepts that both have.
    pub concepts: Vec<SharedConcept<'a>>,
    /// The other concepts.
    pub other_concepts: Remainder,
    /// The first pages that link both to a page of the question and to this one.
    pub citations: Vec<CitingPage<'a>>,
    /// The passage of the page that has most of the shared words, if it was fetched.
    pub snippet: Option<Snippet>,
}

/// A term that two pages have.
#[derive(Debug)]
pub struct SharedTerm<'a> {
    /// The word to show.
    pub word: Cow<'a, str>,
    /// The smaller weight.
    pub weight: u32,
}

/// A concept that two pages have.
#[derive(Debug)]
pub struct SharedConcept<'a> {
    /// Its number.
    pub number: u32,
    /// The smaller weight.
    pub weight: u32,
    /// The words that contribute most to it in both pages, those first that the pages share most of.
    pub words: Vec<Cow<'a, str>>,
}

/// What is not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remainder {
    /// How many there are.
    pub count: usize,
    /// Their weight together.
    pub weight: u32,
}

/// A page that links to two others.
#[derive(Debug)]
pub struct CitingPage<'a> {
    /// Its URL.
    pub url: Cow<'a, str>,
    /// The words around both links.
    pub quote: String,
}

/// Explains why pages are similar to a query.
pub struct Explainer<'a, 'q> {
    index: &'a Searcher,
    query: PreparedQuery<'q>,
    concept_terms: Option<ConceptTerms<'q>>,
    words: WordCache<'a>,
    cocitations: CocitationFinder<'a>,
    snippets: SnippetMaker<'q>,
    limits: ExplanationLimits,
}

impl<'a: 'q, 'q> Explainer<'a, 'q> {
    /// For a query, and the pages of the index that it is made of.
    pub fn new(
        index: &'a Searcher,
        query: &'q QueryBag,
        like: &[PageRef],
        concepts: Option<&'q Concepts>,
        makers: &'q TermMakers,
        limits: ExplanationLimits,
    ) -> Result<Self, TableError> {
        Ok(Self {
            index,
            query: PreparedQuery::new(index, query),
            concept_terms: concepts.map(|concepts| ConceptTerms::new(concepts, Some(query.bag()))),
            words: WordCache {
                index,
                words: HashMap::new(),
            },
            cocitations: CocitationFinder::new(index, like)?,
            snippets: SnippetMaker::new(makers),
            limits,
        })
    }

    /// The reasons for one page.
    pub fn explain(&mut self, page: PageRef) -> Result<Explanation<'a>, TableError> {
        interrupt::check();
        let mut terms = SharedTerms::new(self.limits.terms);
        let mut concepts = SharedTerms::new(self.limits.concepts);
        let mut words = TopK::new(self.limits.snippet_words);
        self.query.for_each_shared(page, |term, weight| {
            let kind = match is_concept(term) {
                true => &mut concepts,
                false => &mut terms,
            };
            kind.add(term, weight);
            if !is_concept(term) && !is_link(term) {
                words.add(term, weight as f32);
            }
        })?;
        let snippet = match self.limits.snippet_words {
            0 => None,
            _ => self.snippets.of(self.index, page, &words.into_terms())?,
        };
        let (terms, other_terms) = terms.split();
        let (concepts, other_concepts) = concepts.split();
        let shared = |(term, weight)| {
            let word = self.words.get(term)?;
            Ok(SharedTerm { word, weight })
        };
        Ok(Explanation {
            terms: terms.into_iter().map(shared).collect::<Result<_, _>>()?,
            other_terms,
            concepts: self.concepts(page, &concepts)?,
            other_concepts,
            citations: self.cocitations.find(page, self.limits.citations)?,
            snippet,
        })
    }

    fn concepts(
        &mut self,
        page: PageRef,
        concepts: &[(u64, u32)],
    ) -> Result<Vec<SharedConcept<'a>>, TableError> {
        let Some(finder) = &mut self.concept_terms else {
            return Ok(Vec::new());
        };
        let numbers: Vec<u32> = concepts.iter().map(|pair| concept_number(pair.0)).collect();
        let (bag, query) = (self.index.bag(page)?, self.query.bag());
        let terms = finder.terms(bag.bag(), &numbers, self.limits.concept_words);
        let shared = numbers.into_iter().zip(concepts).zip(terms);
        let shared = shared.map(|((number, &(_, weight)), mut terms)| {
            terms.sort_by_key(|&term| Reverse(query.shared_weight(&bag.bag(), term)));
            let words = terms.into_iter().map(|term| self.words.get(term));
            Ok(SharedConcept {
                number,
                weight,
                words: words.collect::<Result<_, _>>()?,
            })
        });
        shared.collect()
    }
}

/// Words to show, each looked up once: those of one hit are mostly those of the next.
struct WordCache<'a> {
    index: &'a Searcher,
    words: HashMap<u64, Cow<'a, str>>,
}

impl<'a> WordCache<'a> {
    fn get(&mut self, term: u64) -> Result<Cow<'a, str>, TableError> {
        if let Some(word) = self.words.get(&term) {
            return Ok(word.clone());
        }
        let word = self.index.word(term)?;
        self.words.insert(term, word.clone());
        Ok(word)
    }
}

/// Terms of one kind that two bags share.
struct SharedTerms {
    heaviest: TopK<u32>,
    count: usize,
    weight: u32,
}

impl SharedTerms {
    fn new(most: usize) -> Self {
        Self {
            heaviest: TopK::new(most),
            count: 0,
            weight: 0,
        }
    }

    fn add(&mut self, term: u64, weight: u32) {
        self.heaviest.add(term, weight);
        self.count += 1;
        self.weight += weight;
    }

    /// The heaviest, and the others.
    fn split(self) -> (Vec<(u64, u32)>, Remainder) {
        let heaviest = self.heaviest.into_terms();
        let listed: u32 = heaviest.iter().map(|pair| pair.1).sum();
        let others = Remainder {
            count: self.count - heaviest.len(),
            weight: self.weight - listed,
        };
        (heaviest, others)
    }
}
