//! The terms of a block's words, which depend on the language of the page that they are on.
//!
//! A table with a row for each language that has terms of its own, and a column for each word of
//! the block. Only places that pages use are filled: languages share few words, and memory that is
//! zeroed and never touched costs nothing.

use crate::pages::{PageBlock, PageView};
use crate::text::TermMakers;

/// The terms of a block's words, one row a language.
pub(super) struct BlockTerms {
    words: usize,
    /// Where the row of each page begins.
    firsts: Vec<u32>,
    terms: Vec<u64>,
    is_term: Vec<bool>,
}

impl BlockTerms {
    /// The terms of all words of the block's pages.
    pub(super) fn new(block: &PageBlock, makers: &TermMakers) -> Self {
        let words = block.vocabulary.len();
        let mut languages = Vec::new();
        let mut firsts = Vec::with_capacity(block.len());
        for row in &block.rows {
            let language = makers.key(row.language);
            let known = languages.iter().position(|&each| each == language);
            firsts.push((known.unwrap_or(languages.len()) * words) as u32);
            if known.is_none() {
                languages.push(language);
            }
        }
        let mut terms = Self {
            words,
            firsts,
            terms: vec![0; words * languages.len()],
            is_term: vec![false; words * languages.len()],
        };
        let mut is_filled = vec![false; words * languages.len()];
        let is_one = languages.len() == 1;
        for number in 0..if is_one { 1 } else { block.len() } {
            let page = block.page(number);
            let maker = makers.of(languages[terms.firsts[number] as usize / words.max(1)]);
            let first = terms.firsts[number] as usize;
            let mut fill = |word: u32| {
                let place = first + word as usize;
                if !std::mem::replace(&mut is_filled[place], true) {
                    let term = maker.id(block.vocabulary.bytes_of(word));
                    terms.terms[place] = term;
                    terms.is_term[place] = term != 0;
                }
            };
            match is_one {
                true => (0..words as u32).for_each(&mut fill),
                false => words_of(&page).for_each(&mut fill),
            }
        }
        terms
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Where the words of a page are: their numbers are counted from here.
    pub(super) fn first_of(&self, page: usize) -> u32 {
        self.firsts[page]
    }

    /// For each of the block's words, whether it is a term on some page.
    pub(super) fn of_page(&self, page: usize) -> &[bool] {
        let first = self.firsts[page] as usize;
        &self.is_term[first..first + self.words]
    }

    /// The word in a place.
    pub(super) fn word(&self, place: u32) -> u32 {
        place % self.words.max(1) as u32
    }

    /// The term in a place, or 0 for a stop word.
    pub(super) fn term(&self, place: u32) -> u64 {
        self.terms[place as usize]
    }
}

fn words_of<'a>(page: &PageView<'a>) -> impl Iterator<Item = u32> + 'a {
    page.title_words.iter().chain(page.words).copied()
}
