//! Character classes for word segmentation, with a table for characters of two bytes in UTF-8.
//!
//! In scripts with spaces, most letters outside ASCII take two bytes. The table holds what the
//! Unicode libraries say of each. It leaves out characters that depend on their neighbours: marks,
//! letters that a mark may join, letters whose lower case depends on the next one.

use std::sync::LazyLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{is_nfc_quick, IsNormalized};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

/// The class of a character of two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum LetterKind {
    /// It separates words.
    Separator,
    /// A letter, given in lower case, that no neighbour changes.
    Letter([u8; 2]),
    /// The table does not say.
    Other,
}

/// The first character of three bytes.
const COUNT: u32 = 0x800;

static KINDS: LazyLock<Vec<LetterKind>> = LazyLock::new(|| {
    let letters = (0..COUNT).map(|number| char::from_u32(number).unwrap_or_default());
    letters.map(kind).collect()
});

/// The kind of the character with this first and second byte.
#[inline]
pub(in crate::text) fn kind_of(first: u8, second: u8) -> LetterKind {
    let is_pair = matches!(first, 0xc2..=0xdf) && second & 0xc0 == 0x80;
    let number = usize::from(first & 0x1f) << 6 | usize::from(second & 0x3f);
    if is_pair {
        KINDS[number]
    } else {
        LetterKind::Other
    }
}

fn kind(letter: char) -> LetterKind {
    if is_mark(letter) || is_ignorable(letter) || is_spaceless(letter) {
        return LetterKind::Other;
    }
    if !letter.is_alphabetic() {
        return LetterKind::Separator;
    }
    lower(letter).map_or(LetterKind::Other, LetterKind::Letter)
}

/// The letter in lower case, if that is one letter of two bytes that no neighbour changes.
fn lower(letter: char) -> Option<[u8; 2]> {
    // Its lower case is another one at the end of a word.
    const SIGMA: char = 'Σ';
    let mut all = letter.to_lowercase();
    let (lower, None) = (all.next()?, all.next()) else {
        return None;
    };
    let stays = is_nfc_quick([lower].into_iter()) == IsNormalized::Yes
        && canonical_combining_class(lower) == 0;
    if letter == SIGMA || letter.len_utf8() != 2 || !stays {
        return None;
    }
    lower.encode_utf8(&mut [0; 4]).as_bytes().try_into().ok()
}

/// Whether this is one of U+2000 to U+203F, spaces and punctuation, that separates words.
pub(in crate::text) fn is_punctuation(bytes: [u8; 3]) -> bool {
    const NON_JOINER: u8 = 0x8c;
    const JOINER: u8 = 0x8d;
    matches!(bytes, [0xe2, 0x80, 0x80..=0xbf]) && !matches!(bytes[2], NON_JOINER | JOINER)
}

pub(in crate::text) fn is_mark(letter: char) -> bool {
    letter >= '\u{300}' && letter.general_category_group() == GeneralCategoryGroup::Mark
}

/// Soft hyphen, zero-width joiners, word joiner: inside a word, not part of it.
pub(in crate::text) fn is_ignorable(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

pub(in crate::text) fn is_spaceless(letter: char) -> bool {
    letter >= '\u{e00}'
        && (matches!(
            letter.script(),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Bopomofo
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        ) || letter == '\u{30fc}'
            || letter == '\u{ff70}')
}

/// Whether this is certainly a letter of a script without spaces that no neighbour changes: most
/// of Han and kana.
#[inline]
pub(in crate::text) fn is_plain_spaceless(letter: char) -> bool {
    matches!(
        letter,
        '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'
    )
}

/// The first character of valid UTF-8, and its length. Bytes that are not
/// valid count as one separator.
pub(in crate::text) fn decode(text: &[u8]) -> (char, usize) {
    let length = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    text.get(..length)
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .and_then(|valid| valid.chars().next())
        .map_or((' ', 1), |letter| (letter, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_classified() {
        let kind = |letter: char| {
            let mut bytes = [0; 2];
            letter.encode_utf8(&mut bytes);
            kind_of(bytes[0], bytes[1])
        };
        let letter =
            |lower: &str| LetterKind::Letter(lower.as_bytes().try_into().expect("two bytes"));
        assert_eq!(kind('É'), letter("é"));
        assert_eq!(kind('ж'), letter("ж"));
        assert_eq!(kind('\u{a0}'), LetterKind::Separator);
        assert_eq!(kind('»'), LetterKind::Separator);
        for other in ['Σ', 'İ', 'Ⱥ', '\u{301}', '\u{ad}', '\u{5b0}'] {
            assert_eq!(kind(other), LetterKind::Other, "{other}");
        }
        assert_eq!(kind_of(0xc3, b'a'), LetterKind::Other);
        assert_eq!(kind_of(0xc1, 0x80), LetterKind::Other);
    }

    #[test]
    fn plain_letters_match_the_unicode_libraries() {
        let plain: Vec<char> = ('\u{800}'..='\u{ffff}')
            .filter(|&letter| is_plain_spaceless(letter))
            .collect();
        assert!(plain.len() > 21_000);
        for letter in plain {
            assert!(letter.is_alphabetic() && !is_mark(letter) && is_spaceless(letter));
            assert!(letter.to_lowercase().eq([letter]), "{letter}");
            assert_eq!(canonical_combining_class(letter), 0);
            let alone = is_nfc_quick([letter].into_iter());
            assert_eq!(alone, IsNormalized::Yes, "{letter}");
        }
    }
}
