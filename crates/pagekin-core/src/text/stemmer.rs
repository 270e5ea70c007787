//! Stemmers by name.
//!
//! `porter` is the algorithm as its author's own program runs it, whose output
//! on a vocabulary of 23,531 words he published: Snowball's Porter of the 1980
//! paper plus his three departures (words of up to two letters stay, `-bli`
//! becomes `-ble`, `-logi` becomes `-log`).

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

macro_rules! stemmers {
    ($($name:literal => $algorithm:ident),* $(,)?) => {
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
    };
}

stemmers! {
    "arabic" => Arabic, "danish" => Danish, "dutch" => Dutch, "english" => English,
    "finnish" => Finnish, "french" => French, "german" => German, "greek" => Greek,
    "hungarian" => Hungarian, "italian" => Italian, "norwegian" => Norwegian,
    "portuguese" => Portuguese, "romanian" => Romanian, "russian" => Russian,
    "spanish" => Spanish, "swedish" => Swedish, "tamil" => Tamil, "turkish" => Turkish,
}

/// One stemmer.
#[derive(Clone)]
pub enum Stem {
    /// Porter's original.
    Porter(Stemmer),
    /// A Snowball stemmer.
    Snowball(Stemmer),
}

impl Stem {
    /// The stemmer with this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        if name == "porter" {
            return Some(Self::Porter(Stemmer::new(Algorithm::Porter)));
        }
        algorithm(name).map(|found| Self::Snowball(Stemmer::new(found)))
    }

    /// The stem of a lower-case word.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match self {
            Self::Porter(stemmer) => porter(stemmer, word),
            Self::Snowball(stemmer) => stemmer.stem(word),
        }
    }
}

fn porter<'a>(stemmer: &Stemmer, word: &'a str) -> Cow<'a, str> {
    if word.len() <= 2 {
        return Cow::Borrowed(word);
    }
    if let Some(length) = plain_stem(word.as_bytes()) {
        return Cow::Borrowed(&word[..length]);
    }
    let singular = word
        .strip_suffix("es")
        .filter(|rest| rest.ends_with('i'))
        .unwrap_or(word);
    let Some(stem) = singular.strip_suffix(['y', 'i']) else {
        return stemmer.stem(word);
    };
    if stem.strip_suffix("bl").is_some_and(has_a_measure) {
        return Cow::Owned(stemmer.stem(&format!("{stem}e")).into_owned());
    }
    if stem.strip_suffix("log").is_some_and(has_a_measure) {
        return Cow::Owned(stemmer.stem(stem).into_owned());
    }
    stemmer.stem(word)
}

/// The length of the stem of a word of three letters or more, if none of Porter's rules
/// applies but those for `-s` and for `-e`.
fn plain_stem(word: &[u8]) -> Option<usize> {
    let singular = match *word {
        [.., b'i' | b's', b'e', b's'] | [.., b's', b's'] => return None,
        [.., b's'] => &word[..word.len() - 1],
        _ => word,
    };
    if is_stem(singular) {
        return Some(singular.len());
    }
    match *singular {
        [.., b'c' | b'l' | b't' | b'v' | b'z', b'e'] => None,
        [ref stem @ .., b'e'] if word.is_ascii() => Some(stem.len() + usize::from(keeps_e(stem))),
        _ => None,
    }
}

/// Whether an `e` stays behind this stem: its measure is 0, or it is 1 and the last letters
/// are a consonant, a vowel and a consonant.
fn keeps_e(stem: &[u8]) -> bool {
    let mut measure = 0;
    let mut vowels = [false; 3];
    for (place, letter) in stem.iter().enumerate() {
        let [_, before, last] = vowels;
        let vowel = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => place > 0 && !last,
            _ => false,
        };
        measure += usize::from(last && !vowel);
        vowels = [before, last, vowel];
    }
    let is_short = matches!(*stem, [.., _, _, last] if !matches!(last, b'w' | b'x' | b'y'))
        && vowels == [false, true, false];
    measure == 0 || measure == 1 && is_short
}

/// Whether the last two letters are of no ending that Porter's rules know.
fn is_stem(word: &[u8]) -> bool {
    let [.., before, last] = *word else {
        return true;
    };
    match last {
        b'e' | b's' | b'y' => false,
        b'c' => before != b'i',
        b'd' => before != b'e',
        b'g' | b't' => before != b'n',
        b'i' => !matches!(before, b'c' | b'g' | b'l' | b't'),
        b'l' => !matches!(before, b'a' | b'l' | b'u'),
        b'm' => before != b's',
        b'n' | b'u' => before != b'o',
        b'r' => !matches!(before, b'e' | b'o'),
        _ => true,
    }
}

/// Porter's m > 0: somewhere a vowel is followed by a consonant.
fn has_a_measure(stem: &str) -> bool {
    let mut after_vowel = false;
    for letter in stem.chars() {
        let vowel =
            matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u') || (letter == 'y' && !after_vowel);
        if after_vowel && !vowel {
            return true;
        }
        after_vowel = vowel;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn porter(word: &str) -> String {
        Stem::named("porter")
            .expect("porter")
            .stem(word)
            .into_owned()
    }

    #[test]
    fn examples_of_the_paper() {
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
    fn departures_of_the_authors_program() {
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
    fn a_plain_stem_is_the_librarys() {
        let stemmer = Stemmer::new(Algorithm::Porter);
        let letters = || ('a'..='z').chain(['é']);
        let mut plain = 0;
        for start in [
            "", "b", "y", "ay", "gard", "oat", "relat", "hopefull", "tt", "sensib", "é",
        ] {
            for (one, two) in letters().flat_map(|one| letters().map(move |two| (one, two))) {
                for end in letters()
                    .map(String::from)
                    .chain(["es".into(), "ss".into()])
                {
                    let word = format!("{start}{one}{two}{end}");
                    if let Some(length) = plain_stem(word.as_bytes()) {
                        assert_eq!(stemmer.stem(&word), word[..length]);
                        plain += 1;
                    }
                }
            }
        }
        assert!(plain > 100_000);
    }

    #[test]
    fn every_name_has_a_stemmer() {
        assert!(stemmer_names()
            .iter()
            .all(|name| Stem::named(name).is_some()));
        assert!(Stem::named("klingon").is_none());
    }
}
