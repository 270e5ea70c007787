//! Terms by language: the stemmer and the stop list of the language that words are in.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::text::language::{known_languages, stop_words, Language};
use crate::text::terms::stemmer::WordStemmer;
use crate::text::terms::{Stemming, TermMaker};

/// How words become terms. A field that is `None` follows the language of the words; words of an
/// unknown language are treated as English.
pub struct TermRules {
    /// The effect of stemming.
    pub stemming: Stemming,
    /// The stemmer of all languages.
    pub stemmer: Option<WordStemmer>,
    /// The stop list of all languages.
    pub stop_words: Option<Vec<String>>,
}

/// Term makers by language, each made when it is first needed.
pub struct TermMakers {
    rules: TermRules,
    /// That of English and of unknown languages, or of all.
    first: TermMaker,
    others: BTreeMap<Language, OnceLock<TermMaker>>,
}

impl TermMakers {
    /// The makers by these rules.
    pub fn new(rules: TermRules) -> Self {
        let follows = rules.stemmer.is_none() || rules.stop_words.is_none();
        let english = Language::ENGLISH;
        let languages = known_languages().filter(|&each| follows && each != english);
        Self {
            first: rules.maker(english),
            others: languages.map(|each| (each, OnceLock::new())).collect(),
            rules,
        }
    }

    /// The maker for words in a language.
    pub fn of(&self, language: Option<Language>) -> &TermMaker {
        let found = language.and_then(|language| self.others.get_key_value(&language));
        let Some((&language, maker)) = found else {
            return &self.first;
        };
        maker.get_or_init(|| self.rules.maker(language))
    }

    /// The language whose maker words in a language have; `None` stands for the first.
    pub fn key(&self, language: Option<Language>) -> Option<Language> {
        language.filter(|language| self.others.contains_key(language))
    }
}

impl TermRules {
    fn maker(&self, language: Language) -> TermMaker {
        let stemmer = self.stemmer.clone();
        let stemmer = stemmer.unwrap_or_else(|| WordStemmer::of(language));
        match &self.stop_words {
            Some(words) => TermMaker::new(self.stemming, stemmer, words.iter().map(String::as_str)),
            None if language == Language::ENGLISH => {
                TermMaker::new(self.stemming, stemmer, TermMaker::english_stop_words())
            }
            None => {
                let words = stop_words(language).unwrap_or_default();
                TermMaker::new(self.stemming, stemmer, words.iter().copied())
            }
        }
    }
}

/// The term of a word in one of several languages: the one that more pages have. 0 if it is a stop
/// word in all of them.
pub fn likeliest_term<E>(
    word: &[u8],
    makers: &[&TermMaker],
    mut frequency: impl FnMut(u64) -> Result<u32, E>,
) -> Result<u64, E> {
    if let [maker] = makers {
        return Ok(maker.id(word));
    }
    let (mut likeliest, mut highest) = (0, 0);
    for term in makers.iter().map(|maker| maker.id(word)) {
        if term == 0 || term == likeliest {
            continue;
        }
        let found = frequency(term)?;
        if likeliest == 0 || found > highest {
            (likeliest, highest) = (term, found);
        }
    }
    Ok(likeliest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(stemmer: Option<WordStemmer>, stop_words: Option<Vec<String>>) -> TermRules {
        TermRules {
            stemming: Stemming::Stem,
            stemmer,
            stop_words,
        }
    }

    fn text(makers: &TermMakers, word: &str, code: &str) -> Option<String> {
        makers.of(Language::named(code)).text(word)
    }

    #[test]
    fn stemmer_and_stop_list_follow_the_language() {
        let makers = TermMakers::new(rules(None, None));
        let text = |word, code| text(&makers, word, code);
        assert_eq!(text("les", "fr"), None);
        assert_eq!(text("les", "en").as_deref(), Some("les"));
        assert_eq!(text("fichiers", "fr").as_deref(), Some("fichi"));
        assert_eq!(text("gardens", "en").as_deref(), Some("garden"));
        assert_eq!(text("gardens", "xx").as_deref(), Some("garden"));
        assert_eq!(text("und", "de"), None);
        assert_eq!(text("của", "vi"), None);
        assert_eq!(text("useful", "en"), None, "the long list of English");
    }

    #[test]
    fn given_rules_hold_for_all_languages() {
        let porter = WordStemmer::named("porter");
        let makers = TermMakers::new(rules(porter, Some(vec!["the".into()])));
        assert_eq!(text(&makers, "les", "fr").as_deref(), Some("le"));
        assert_eq!(makers.key(Language::named("fr")), None);
        let makers = TermMakers::new(rules(None, Some(vec!["fichier".into()])));
        assert_eq!(text(&makers, "les", "fr").as_deref(), Some("le"));
        assert_eq!(text(&makers, "fichiers", "fr"), None);
    }

    #[test]
    fn most_frequent_term_of_several_languages_is_taken() {
        let makers = TermMakers::new(rules(None, None));
        let [english, french] = ["en", "fr"].map(|code| makers.of(Language::named(code)));
        let known = french.id("fichiers".as_bytes());
        let frequency = |term| -> Result<u32, ()> { Ok(u32::from(term == known)) };
        let term = |word: &str| likeliest_term(word.as_bytes(), &[english, french], frequency);
        assert_eq!(term("fichiers"), Ok(known));
        assert_eq!(term("me"), Ok(0));
        assert_eq!(term("the"), Ok(french.id(b"the")));
    }
}
