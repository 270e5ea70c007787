//! Porter's algorithm: words of which an ending or two tell the stem, and the library for the rest.
//!
//! Of a crawl's distinct words nine in ten are such words, and the library is asked a letter at
//! a time.

use std::borrow::Cow;

use frostem::Stemmer;

use super::by_library;

/// The stem of a word, by Snowball's Porter and the departures of Porter's own program.
pub(super) fn stem<'a>(stemmer: &Stemmer, word: &'a [u8]) -> Cow<'a, [u8]> {
    if let Some(length) = plain_stem(word) {
        return Cow::Borrowed(&word[..length]);
    }
    let singular = match word {
        [singular @ .., b'e', b's'] if singular.ends_with(b"i") => singular,
        _ => word,
    };
    match singular {
        [stem @ .., b'b', b'l', b'y' | b'i'] if has_a_measure(stem) => {
            let able = [stem, b"ble"].concat();
            Cow::Owned(by_library(stemmer, &able).into_owned())
        }
        [stem @ .., b'l', b'o', b'g', b'y' | b'i'] if has_a_measure(stem) => {
            by_library(stemmer, &word[..stem.len() + 3])
        }
        _ => by_library(stemmer, word),
    }
}

/// Porter's m > 0: somewhere a vowel is followed by a consonant.
fn has_a_measure(stem: &[u8]) -> bool {
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

/// The length of the stem, if it is a part of the word and surely this one.
fn plain_stem(word: &[u8]) -> Option<usize> {
    let singular = match *word {
        [] | [_] | [_, _] => return Some(word.len()),
        [.., b'i' | b's', b'e', b's'] | [.., b's', b's'] => return None,
        [.., b's'] => &word[..word.len() - 1],
        _ => word,
    };
    if is_stem(singular) {
        Some(singular.len())
    } else if word.is_ascii() {
        without_ending(singular)
    } else {
        None
    }
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

/// The length of the stem of a word that is no plural, if one rule at most applies to it.
fn without_ending(word: &[u8]) -> Option<usize> {
    match *word {
        [.., b'e', b'e', b'd'] => None,
        [ref stem @ .., b'e', b'd'] | [ref stem @ .., b'i', b'n', b'g'] => past_tense(word, stem),
        [.., b'z', b'e', b'r'] | [.., b'c' | b'n', b'a', b'l'] => None,
        [.., b'm', b'e', b'n', b't'] | [.., b'a', b't', b'i', b'o', b'n'] => None,
        [ref stem @ .., b'e', b'r']
        | [ref stem @ .., b'a', b'l']
        | [ref stem @ .., b'i', b'c']
        | [ref stem @ .., b'a' | b'e', b'n', b't'] => without_suffix(word, stem),
        [.., b's' | b't', b'i', b'o', b'n'] => without_suffix(word, &word[..word.len() - 3]),
        [.., b'i', b's', b'm'] | [.., b'f', b'u', b'l'] | [.., b'l', b'l'] => None,
        [.., b'a', b't', b'o', b'r'] => None,
        [.., b'n', b'g' | b't'] | [.., b'o', b'n' | b'r'] | [.., b's', b'm'] | [.., b'u', b'l'] => {
            Some(word.len())
        }
        [.., b'a' | b'e', b'n', b'c', b'e'] | [.., b'a' | b'i', b'b', b'l', b'e'] => None,
        [.., b'a', b't', b'e'] | [.., b'i', b'v' | b'z', b'e'] | [.., b'l', b'l', b'e'] => None,
        [ref stem @ .., b'e'] => Some(stem.len() + usize::from(Shape::of(stem).keeps_e())),
        _ => None,
    }
}

/// A word in -ed or -ing, if what is before that is a stem as it is.
fn past_tense(word: &[u8], stem: &[u8]) -> Option<usize> {
    let shape = Shape::of(stem);
    if !shape.has_vowel {
        return Some(word.len());
    }
    let changes = match *stem {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => true,
        [.., before, last] => before == last,
        _ => false,
    };
    let is_stem = is_stem(stem) && !changes && !(shape.measure == 1 && shape.is_short);
    is_stem.then_some(stem.len())
}

/// A word whose suffix goes if the measure is above 1, and with it all endings.
fn without_suffix(word: &[u8], stem: &[u8]) -> Option<usize> {
    match Shape::of(stem).measure {
        0 | 1 => Some(word.len()),
        _ => (!matches!(stem, [.., b'e' | b'l'])).then_some(stem.len()),
    }
}

/// What Porter's rules ask of the letters before an ending.
struct Shape {
    /// How often a consonant follows a vowel.
    measure: usize,
    has_vowel: bool,
    /// The last letters are a consonant, a vowel and a consonant that is none of w, x and y.
    is_short: bool,
}

impl Shape {
    /// The shape of ASCII letters.
    fn of(stem: &[u8]) -> Self {
        let mut measure = 0;
        let mut has_vowel = false;
        let mut vowels = [false; 3];
        for (place, letter) in stem.iter().enumerate() {
            let [_, before, last] = vowels;
            let vowel = match letter {
                b'a' | b'e' | b'i' | b'o' | b'u' => true,
                b'y' => place > 0 && !last,
                _ => false,
            };
            measure += usize::from(last && !vowel);
            has_vowel |= vowel;
            vowels = [before, last, vowel];
        }
        let is_short = matches!(*stem, [.., _, _, last] if !matches!(last, b'w' | b'x' | b'y'))
            && vowels == [false, true, false];
        Self {
            measure,
            has_vowel,
            is_short,
        }
    }

    /// Whether an `e` stays behind it.
    fn keeps_e(&self) -> bool {
        self.measure == 0 || self.measure == 1 && self.is_short
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frostem::Algorithm;

    /// Beginnings of every shape, and endings of up to four letters among them all that rules know.
    fn words() -> impl Iterator<Item = String> {
        let starts = [
            "", "b", "y", "ay", "gard", "oat", "relat", "hopefull", "tt", "sensib", "é", "by",
            "hop", "trou", "controv", "yiel", "repl", "sn",
        ];
        let letters = || ('a'..='z').chain(['é']).map(String::from);
        let knows = [
            "ed", "ing", "er", "or", "al", "ic", "ent", "ant", "ment", "ion", "ism", "ul", "ll",
            "ful", "ate", "ive", "ize", "able", "ible", "ance", "ence", "e", "es", "ss", "ly",
            "ti", "ou", "on", "ng", "nt", "ator", "tional", "izer",
        ];
        let ends: Vec<String> = letters().chain(knows.map(String::from)).collect();
        let plurals = ["", "s"];
        starts.into_iter().flat_map(move |start| {
            let ends = ends.clone();
            letters().flat_map(move |one| {
                let ends = ends.clone();
                letters().chain([String::new()]).flat_map(move |two| {
                    let begin = format!("{start}{one}{two}");
                    let words = ends.clone().into_iter();
                    words.flat_map(move |end| plurals.map(|plural| format!("{begin}{end}{plural}")))
                })
            })
        })
    }

    #[test]
    fn a_plain_stem_is_the_librarys() {
        let stemmer = Stemmer::new(Algorithm::Porter);
        let (mut plain, mut all) = (0, 0);
        for word in words().filter(|word| word.len() > 2) {
            all += 1;
            if let Some(length) = plain_stem(word.as_bytes()) {
                assert_eq!(stemmer.stem(&word), word[..length], "{word}");
                plain += 1;
            }
        }
        assert!(plain > all / 2, "{plain} of {all}");
    }
}
