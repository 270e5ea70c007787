//! Terms: words after stemming and stop-word removal.

pub(super) mod stemmer;
pub(super) mod term_makers;

use std::borrow::Cow;

use super::scanner::WordScanner;
use super::terms::stemmer::WordStemmer;
use crate::hash::{self, TermMap};

/// The effect of stemming (the paper's section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stemming {
    /// The word stays as it is.
    NoStem,
    /// The stem is the term; the stop list is compared by stem.
    Stem,
    /// The word is the term; the stop list is compared by stem.
    StopStem,
}

/// Turns words into terms.
pub struct TermMaker {
    stemming: Stemming,
    stemmer: WordStemmer,
    /// Stop words by their hash, which is that of the term in the usual case.
    stop: TermMap<Vec<u8>>,
}

impl TermMaker {
    /// A maker for this stemming, stemmer and stop list. The list is cut into
    /// words as pages are: `don't` stops `don` and `t`.
    pub fn new<'a>(
        stemming: Stemming,
        stemmer: WordStemmer,
        stop: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let stop = stop
            .into_iter()
            .flat_map(words_of)
            .map(String::into_bytes)
            .map(|word| match stemming {
                Stemming::NoStem => word,
                Stemming::Stem | Stemming::StopStem => stemmer.stem(&word).into_owned(),
            });
        Self {
            stemming,
            stop: stop.map(|word| (hash::word_term(&word), word)).collect(),
            stemmer,
        }
    }

    /// The built-in English stop list.
    pub fn english_stop_words() -> impl Iterator<Item = &'static str> {
        include_str!("stopwords_en.txt").lines()
    }

    /// The word's term as text, unless it is a stop word.
    pub fn text(&self, word: &str) -> Option<String> {
        let form = self.stop_form(word.as_bytes());
        if self.stops(&form, hash::word_term(&form)) {
            return None;
        }
        Some(if self.stemming == Stemming::StopStem {
            word.to_owned()
        } else {
            String::from_utf8_lossy(&form).into_owned()
        })
    }

    /// The id of the term of a word in UTF-8, or 0 for a stop word.
    pub fn id(&self, word: &[u8]) -> u64 {
        let form = self.stop_form(word);
        let id = hash::word_term(&form);
        if self.stops(&form, id) {
            0
        } else if self.stemming == Stemming::StopStem {
            hash::word_term(word)
        } else {
            id
        }
    }

    /// The id of the term that a word would have if it were not a stop word.
    pub fn id_without_stop_list(&self, word: &[u8]) -> u64 {
        match self.stemming {
            Stemming::Stem => hash::word_term(self.stop_form(word)),
            Stemming::NoStem | Stemming::StopStem => hash::word_term(word),
        }
    }

    /// The form in which the stop list has the word.
    fn stop_form<'a>(&self, word: &'a [u8]) -> Cow<'a, [u8]> {
        match self.stemming {
            Stemming::NoStem => Cow::Borrowed(word),
            Stemming::Stem | Stemming::StopStem => self.stemmer.stem(word),
        }
    }

    fn stops(&self, form: &[u8], id: u64) -> bool {
        self.stop.get(&id).is_some_and(|stop| stop == form)
    }
}

/// The words of a text, cut as those of a page are.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut scanner = WordScanner::default();
    scanner.scan(text.as_bytes(), &mut words);
    scanner.finish(&mut words);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maker(stemming: Stemming) -> TermMaker {
        TermMaker::new(
            stemming,
            WordStemmer::named("porter").expect("porter"),
            ["making", "the"],
        )
    }

    #[test]
    fn stemming_modes_match_the_paper() {
        let no = maker(Stemming::NoStem);
        assert_eq!(no.text("gardens").as_deref(), Some("gardens"));
        assert_eq!(no.text("makes").as_deref(), Some("makes"));
        for (maker, stopped) in [(&no, "making"), (&maker(Stemming::Stem), "makes")] {
            assert_eq!(maker.id(stopped.as_bytes()), 0);
            assert_ne!(maker.id_without_stop_list(stopped.as_bytes()), 0);
            let id = maker.id(b"gardens");
            assert_eq!(maker.id_without_stop_list(b"gardens"), id);
        }
        assert_eq!(no.text("making"), None);
        let stem = maker(Stemming::Stem);
        assert_eq!(stem.text("gardens").as_deref(), Some("garden"));
        assert_eq!(stem.text("makes"), None);
        let stop = maker(Stemming::StopStem);
        assert_eq!(stop.text("gardens").as_deref(), Some("gardens"));
        assert_eq!(stop.text("makes"), None);
        assert_eq!(stop.id(b"the"), 0);
        assert_eq!(stem.id(b"gardens"), stem.id(b"garden"));
    }

    #[test]
    fn stop_list_is_split_into_words_like_pages() {
        let stemmer = WordStemmer::named("porter").expect("porter");
        let maker = TermMaker::new(Stemming::NoStem, stemmer, ["Don't", "ÉTÉ"]);
        for word in ["don", "t", "été"] {
            assert_eq!(maker.text(word), None, "{word}");
        }
    }

    #[test]
    fn built_in_stop_list_is_sorted_and_lower_case() {
        let words: Vec<_> = TermMaker::english_stop_words().collect();
        assert!((780..=820).contains(&words.len()));
        assert!(words.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(words
            .iter()
            .all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }
}
