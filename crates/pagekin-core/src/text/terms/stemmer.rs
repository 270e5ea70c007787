//! Stemmers by name: Porter (1980) and those of Snowball.
//!
//! `porter` is the algorithm as its author's own program runs it, whose output
//! on a vocabulary of 23,531 words he published: Snowball's Porter of the 1980
//! paper plus his three departures (words of up to two letters stay, `-bli`
//! becomes `-ble`, `-logi` becomes `-log`).

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

use crate::text::language::Language;

macro_rules! stemmers {
    ($($code:literal $name:literal => $algorithm:ident),* $(,)?) => {
        /// Every stemmer's name.
        pub fn stemmer_names() -> &'static [&'static str] {
            &["porter", $($name),*]
        }

        fn algorithm(name: &str) -> Option<Algorithm> {
            match name {
                $($name => Some(Algorithm::$algorithm),)*
                _ => None,
            }
        }

        fn name_of(language: Language) -> Option<&'static str> {
            match language.code() {
                $($code => Some($name),)*
                _ => None,
            }
        }
    };
}

stemmers! {
    "ar" "arabic" => Arabic, "hy" "armenian" => Armenian, "eu" "basque" => Basque,
    "ca" "catalan" => Catalan, "cs" "czech" => Czech, "da" "danish" => Danish,
    "nl" "dutch" => Dutch, "en" "english" => English, "eo" "esperanto" => Esperanto,
    "et" "estonian" => Estonian, "fi" "finnish" => Finnish, "fr" "french" => French,
    "de" "german" => German, "el" "greek" => Greek, "hi" "hindi" => Hindi,
    "hu" "hungarian" => Hungarian, "id" "indonesian" => Indonesian, "ga" "irish" => Irish,
    "it" "italian" => Italian, "lt" "lithuanian" => Lithuanian, "ne" "nepali" => Nepali,
    "no" "norwegian" => Norwegian, "fa" "persian" => Persian, "pl" "polish" => Polish,
    "pt" "portuguese" => Portuguese, "ro" "romanian" => Romanian, "ru" "russian" => Russian,
    "sr" "serbian" => Serbian, "st" "sesotho" => Sesotho, "es" "spanish" => Spanish,
    "sv" "swedish" => Swedish, "ta" "tamil" => Tamil, "tr" "turkish" => Turkish,
    "yi" "yiddish" => Yiddish,
}

/// One stemmer.
#[derive(Clone)]
pub enum WordStemmer {
    /// Porter's original.
    Porter(Stemmer),
    /// A Snowball stemmer.
    Snowball(Stemmer),
    /// None: every word is its own stem.
    Identity,
}

impl WordStemmer {
    /// The stemmer with this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        if name == "porter" {
            return Some(Self::Porter(Stemmer::new(Algorithm::Porter)));
        }
        algorithm(name).map(|found| Self::Snowball(Stemmer::new(found)))
    }

    /// The stemmer of a language; if Snowball has none, words stay as they are.
    pub fn of(language: Language) -> Self {
        let found = name_of(language).and_then(Self::named);
        found.unwrap_or(Self::Identity)
    }

    /// The stem of a lower-case word in UTF-8.
    pub fn stem<'a>(&self, word: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::Porter(stemmer) => porter_stem(stemmer, word),
            Self::Snowball(stemmer) => by_library(stemmer, word),
            Self::Identity => Cow::Borrowed(word),
        }
    }
}

/// Snowball's Porter with the three departures of Porter's own program.
fn porter_stem<'a>(stemmer: &Stemmer, word: &'a [u8]) -> Cow<'a, [u8]> {
    if word.len() <= 2 {
        return Cow::Borrowed(word);
    }
    let singular = match word {
        [singular @ .., b'e', b's'] if singular.ends_with(b"i") => singular,
        _ => word,
    };
    match singular {
        [stem @ .., b'b', b'l', b'y' | b'i'] if has_measure(stem) => {
            let able = [stem, b"ble"].concat();
            Cow::Owned(by_library(stemmer, &able).into_owned())
        }
        [stem @ .., b'l', b'o', b'g', b'y' | b'i'] if has_measure(stem) => {
            by_library(stemmer, &word[..stem.len() + 3])
        }
        _ => by_library(stemmer, word),
    }
}

/// Porter's measure m > 0: somewhere a consonant follows a vowel.
fn has_measure(stem: &[u8]) -> bool {
    let mut after_vowel = false;
    for letter in stem {
        let vowel =
            matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u') || (*letter == b'y' && !after_vowel);
        if after_vowel && !vowel {
            return true;
        }
        after_vowel = vowel;
    }
    false
}

fn by_library<'a>(stemmer: &Stemmer, word: &'a [u8]) -> Cow<'a, [u8]> {
    match std::str::from_utf8(word).map(|word| stemmer.stem(word)) {
        Ok(Cow::Owned(stem)) => Cow::Owned(stem.into_bytes()),
        Ok(Cow::Borrowed(stem)) => Cow::Borrowed(stem.as_bytes()),
        Err(_) => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn porter(word: &str) -> String {
        let stemmer = WordStemmer::named("porter").expect("porter");
        String::from_utf8_lossy(&stemmer.stem(word.as_bytes())).into_owned()
    }

    #[test]
    fn stems_match_the_examples_of_the_paper() {
        for (word, stem) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("vietnamization", "vietnam"),
            ("electricity", "electr"),
            ("adjustment", "adjust"),
            ("controll", "control"),
            ("roll", "roll"),
        ] {
            assert_eq!(porter(word), stem, "{word}");
        }
    }

    #[test]
    fn stems_match_the_departures_of_the_authors_program() {
        for (word, stem) in [
            ("as", "as"),
            ("is", "is"),
            ("possibly", "possibl"),
            ("apology", "apolog"),
        ] {
            assert_eq!(porter(word), stem, "{word}");
        }
    }

    #[test]
    fn every_name_has_a_stemmer() {
        assert!(stemmer_names()
            .iter()
            .all(|name| WordStemmer::named(name).is_some()));
        assert!(WordStemmer::named("klingon").is_none());
    }
}
