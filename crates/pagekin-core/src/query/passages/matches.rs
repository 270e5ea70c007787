//! Where a text has some terms.

use std::collections::HashMap;
use std::ops::Range;

use super::boundary;
use crate::hash::{KeyHashers, TermMap};
use crate::index::PageText;
use crate::text::{scan_words, Language, ShortWord, TermMaker, TermMakers, WordSink, WordSpans};

/// A text is looked through until this many bytes
const ENOUGH_BYTES: usize = 8 << 10;
/// have this share of the weight of all terms,
const ENOUGH_WEIGHT: f32 = 0.5;
/// and never beyond this many.
const MOST_BYTES: usize = 128 << 10;

/// A word of a text that is one of the terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Where it stands.
    pub span: Range<usize>,
    /// Its term.
    pub term: u64,
}

/// Finds terms in texts. The term of a word is made once for all texts of a language.
pub struct TermFinder<'m> {
    makers: &'m TermMakers,
    terms: HashMap<Option<Language>, HashMap<u128, u64, KeyHashers>>,
}

impl<'m> TermFinder<'m> {
    /// For the words of an index whose terms are made by these.
    pub fn new(makers: &'m TermMakers) -> Self {
        Self {
            makers,
            terms: HashMap::new(),
        }
    }

    /// The first words of a page, outside of its templates, whose terms are among these, in order.
    pub fn find(
        &mut self,
        page: &PageText,
        language: Option<Language>,
        weights: &TermMap<f32>,
    ) -> Vec<Match> {
        let text = start_of(&page.text);
        let mut words = WordTerms {
            maker: self.makers.of(language),
            known: self.terms.entry(self.makers.key(language)).or_default(),
            term: 0,
        };
        let mut templates = page.templates.iter().peekable();
        let mut missing = weights.clone();
        let mut wanted = weights.values().sum::<f32>() * ENOUGH_WEIGHT;
        let mut found = Vec::new();
        for (number, span) in (0..).zip(WordSpans::new(text)) {
            if span.start >= ENOUGH_BYTES && wanted <= 0.0 {
                break;
            }
            while templates.next_if(|words| words.end <= number).is_some() {}
            if templates.peek().is_some_and(|words| words.start <= number) {
                continue;
            }
            let term = words.term_of(&text[span.clone()]);
            if weights.contains_key(&term) {
                wanted -= missing.remove(&term).unwrap_or(0.0);
                found.push(Match { span, term });
            }
        }
        found
    }
}

/// The part of a text that may be looked through.
pub(super) fn start_of(text: &str) -> &str {
    &text[..boundary(text, MOST_BYTES)]
}

/// The terms of words in one language.
struct WordTerms<'m> {
    maker: &'m TermMaker,
    known: &'m mut HashMap<u128, u64, KeyHashers>,
    /// That of the last word.
    term: u64,
}

impl WordTerms<'_> {
    /// The term of a word as it stands in a text; 0 for a stop word.
    fn term_of(&mut self, word: &str) -> u64 {
        self.term = 0;
        match ShortWord::of_ascii(word) {
            Some(word) => self.short_word(word),
            None => scan_words(word, self),
        }
        self.term
    }
}

impl WordSink for WordTerms<'_> {
    fn word(&mut self, word: &[u8]) {
        self.term = self.maker.id(word);
    }

    fn short_word(&mut self, word: ShortWord) {
        let maker = self.maker;
        let term = self.known.entry(word.key());
        self.term = *term.or_insert_with(|| maker.id(word.bytes()));
    }
}
