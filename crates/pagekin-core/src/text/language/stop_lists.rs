//! Stop lists by language, and which languages have a word in theirs.
//!
//! The lists are NLTK's, and those of Stopwords ISO for languages that NLTK has not: NLTK's are
//! shorter and leave words such as `create` or `use` alone.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Language;
use crate::text::words_of;

/// Languages as bits, in the order of [`LISTED`].
pub(super) type LanguageSet = u128;

/// The stop words of a language, if it has a list.
pub fn stop_words(language: Language) -> Option<&'static [&'static str]> {
    stop_words::lookup(language.code())
}

/// Every language with a stop list.
pub(super) static LISTED: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let codes = stop_words::available_languages().iter();
    let mut listed: Vec<Language> = codes.filter_map(|code| Language::named(code)).collect();
    listed.sort_unstable();
    listed.truncate(LanguageSet::BITS as usize);
    listed
});

/// Whether a word is in the stop list of a language.
pub fn is_stop_word(word: &str, language: Language) -> bool {
    let number = LISTED.binary_search(&language);
    number.is_ok_and(|number| listing(word) >> number & 1 == 1)
}

/// The languages in whose lists a word is; none for most words.
pub(super) fn listing(word: &str) -> LanguageSet {
    static LISTS: LazyLock<HashMap<String, LanguageSet>> = LazyLock::new(|| {
        let mut lists: HashMap<String, LanguageSet> = HashMap::new();
        for (number, &language) in LISTED.iter().enumerate() {
            let words = stop_words(language).unwrap_or_default().iter();
            for word in words.flat_map(|word| words_of(word)) {
                *lists.entry(word).or_default() |= 1 << number;
            }
        }
        lists
    });
    LISTS.get(word).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_languages_have_lists_that_spare_content_words() {
        assert!((60..=128).contains(&LISTED.len()));
        let english = Language::named("en").and_then(stop_words).expect("listed");
        assert!((150..250).contains(&english.len()));
        for word in ["create", "index", "use"] {
            assert!(!english.contains(&word), "{word}");
        }
    }

    #[test]
    fn words_know_the_languages_of_their_lists() {
        let has = |word, code| {
            let number = LISTED.iter().position(|listed| listed.code() == code);
            listing(word) >> number.expect("listed") & 1 == 1
        };
        assert!(has("les", "fr") && has("und", "de") && has("in", "en") && has("in", "de"));
        assert!(!has("les", "en"));
        assert_eq!(listing("postgresql"), 0);
    }
}
