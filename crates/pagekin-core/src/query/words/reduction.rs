//! Query reduction by document frequency: the rarest words of a text stand for all of it. Pairs of
//! adjacent words are those of the sequential dependence model (Metzler and Croft 2005).

use std::collections::{HashMap, HashSet};

use crate::text::{likeliest_term, TermMaker};

/// Distinct pairs at the most.
const MOST_PAIRS: usize = 256;
/// Stop words at the most.
const MOST_STOP_WORDS: usize = 32;

/// Two words that follow each other, and the places of their terms among the rarest, if they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordPair {
    /// The words, with a space between them.
    pub words: String,
    /// The term of the first.
    pub first: Option<usize>,
    /// The term of the second.
    pub second: Option<usize>,
}

/// The words of a text that pages are looked up by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryWords {
    /// The rarest terms that the crawl knows, in the order of the text.
    pub terms: Vec<u64>,
    /// A word of each term, as the text has it.
    pub words: Vec<String>,
    /// In how many bags each term is.
    pub frequencies: Vec<u32>,
    /// How many terms of the text the crawl knows.
    pub known: usize,
    /// The first terms of stop words, which only titles and URLs are searched for.
    pub stop_terms: Vec<u64>,
    /// Distinct pairs of adjacent words, those first of which one is among the rarest.
    pub pairs: Vec<WordPair>,
}

impl QueryWords {
    /// At most `most` terms of a text in one of some languages, whose document frequencies `frequency` knows.
    pub fn new<E>(
        words: &[String],
        makers: &[&TermMaker],
        most: usize,
        mut frequency: impl FnMut(u64) -> Result<u32, E>,
    ) -> Result<Self, E> {
        let terms = words.iter();
        let terms = terms.map(|word| likeliest_term(word.as_bytes(), makers, &mut frequency));
        let terms = terms.collect::<Result<Vec<u64>, E>>()?;
        // For each term its frequency and its first place.
        let mut found: HashMap<u64, (u32, usize)> = HashMap::new();
        for (place, &term) in terms.iter().enumerate() {
            if term != 0 && !found.contains_key(&term) {
                found.insert(term, (frequency(term)?, place));
            }
        }
        let known = found.values().filter(|(frequency, _)| *frequency > 0);
        let mut kept: Vec<(u32, usize)> = known.copied().collect();
        let known = kept.len();
        kept.sort_unstable();
        kept.truncate(most);
        kept.sort_unstable_by_key(|&(_, place)| place);
        let mut rarest = Self {
            terms: kept.iter().map(|&(_, place)| terms[place]).collect(),
            words: kept.iter().map(|&(_, at)| words[at].clone()).collect(),
            frequencies: kept.iter().map(|&(frequency, _)| frequency).collect(),
            known,
            ..Self::default()
        };
        for (word, _) in words.iter().zip(&terms).filter(|(_, &term)| term == 0) {
            for term in makers
                .iter()
                .map(|maker| maker.id_without_stop_list(word.as_bytes()))
            {
                if rarest.stop_terms.len() < MOST_STOP_WORDS && !rarest.stop_terms.contains(&term) {
                    rarest.stop_terms.push(term);
                }
            }
        }
        rarest.add_pairs(words, &terms);
        Ok(rarest)
    }

    fn add_pairs(&mut self, words: &[String], terms: &[u64]) {
        let numbers: HashMap<u64, usize> = self.terms.iter().copied().zip(0..).collect();
        let number = |at: usize| numbers.get(&terms[at]).copied();
        let mut seen = HashSet::new();
        for of_rarest in [true, false] {
            for at in 1..words.len() {
                let (first, second) = (number(at - 1), number(at));
                if first.or(second).is_some() != of_rarest {
                    continue;
                }
                if self.pairs.len() == MOST_PAIRS {
                    return;
                }
                if seen.insert((&words[at - 1], &words[at])) {
                    let words = format!("{} {}", words[at - 1], words[at]);
                    self.pairs.push(WordPair {
                        words,
                        first,
                        second,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{words_of, Stemming, WordStemmer};

    fn reduced(text: &str, most: usize) -> QueryWords {
        let stemmer = WordStemmer::named("porter").expect("porter");
        let maker = TermMaker::new(Stemming::Stem, stemmer, ["the"]);
        let frequency = |term| -> Result<u32, ()> {
            let id = |word: &str| maker.id(word.as_bytes());
            Ok(match term {
                term if term == id("rose") => 7,
                term if term == id("winter") => 3,
                term if term == id("garden") => 9,
                _ => 0,
            })
        };
        QueryWords::new(&words_of(text), &[&maker], most, frequency).expect("known")
    }

    #[test]
    fn rarest_words_stay_in_the_order_of_the_text() {
        let text = "The roses of the garden, rose of winter";
        let all = reduced(text, 64);
        assert_eq!(all.words, ["roses", "garden", "winter"]);
        assert_eq!((all.frequencies, all.known), (vec![7, 9, 3], 3));
        let two = reduced(text, 2);
        assert_eq!(
            (two.words.clone(), two.known),
            (vec!["roses".into(), "winter".into()], 3)
        );
        assert_eq!(two.stop_terms.len(), 1);
        let unknown = reduced("qwzx", 2);
        assert_eq!(unknown, QueryWords::default());
    }

    #[test]
    fn pairs_with_a_rare_word_come_first() {
        let pairs = reduced("the rose of winter the rose", 1).pairs;
        let words: Vec<&str> = pairs.iter().map(|pair| pair.words.as_str()).collect();
        assert_eq!(words, ["of winter", "winter the", "the rose", "rose of"]);
        assert_eq!((pairs[0].first, pairs[0].second), (None, Some(0)));
        assert_eq!((pairs[2].first, pairs[2].second), (None, None));
        let letters = || 'a'..='z';
        let many = letters().flat_map(|a| letters().map(move |b| format!("rose {a}{b}")));
        let many: Vec<String> = many.collect();
        assert_eq!(reduced(&many.join(" "), 1).pairs.len(), MOST_PAIRS);
    }
}
