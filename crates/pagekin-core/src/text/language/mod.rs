//! Language identification: whatlang (trigrams and alphabets) among the languages whose stop words
//! a text has.

mod detect;
mod sample;
mod stop_lists;

pub use detect::detect_language;
pub use sample::sample;
pub use stop_lists::{is_stop_word, stop_words};

/// A language by its code in ISO 639-1: one that is recognised, or that has a stop list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 2]);

impl Language {
    /// English.
    pub const ENGLISH: Self = Self(*b"en");

    /// The one that a language tag such as `pt-BR` names, if it is known.
    pub fn named(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_', ',', ';', ' ']).next()?;
        let &[one, other] = primary.as_bytes() else {
            return None;
        };
        let code = [one.to_ascii_lowercase(), other.to_ascii_lowercase()];
        let found = Self(match &code {
            b"nb" | b"nn" => *b"no",
            b"iw" => *b"he",
            b"in" => *b"id",
            b"ji" => *b"yi",
            _ => code,
        });
        let is_known = detect::lang_of(found).is_some() || stop_words(found).is_some();
        is_known.then_some(found)
    }

    /// The language with this number.
    pub fn numbered(number: u32) -> Option<Self> {
        let [0, 0, code @ ..] = number.to_be_bytes() else {
            return None;
        };
        std::str::from_utf8(&code).ok().and_then(Self::named)
    }

    /// Its number, above 0.
    pub fn number(self) -> u32 {
        u32::from(u16::from_be_bytes(self.0))
    }

    /// Its code in ISO 639-1.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Every language that is recognised or has a stop list.
pub fn known_languages() -> impl Iterator<Item = Language> {
    let letters = || b'a'..=b'z';
    let codes = letters().flat_map(move |one| letters().map(move |other| [one, other]));
    codes.filter_map(|code| {
        Language::named(std::str::from_utf8(&code).ok()?).filter(|found| found.0 == code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_reduced_to_known_languages() {
        let code = |tag| Language::named(tag).map(|found| found.code().to_owned());
        for (tag, known) in [
            ("pt-BR", "pt"),
            ("EN_us", "en"),
            (" fr, en", "fr"),
            ("nb", "no"),
            ("eu", "eu"),
            ("cy", "cy"),
        ] {
            assert_eq!(code(tag).as_deref(), Some(known), "{tag}");
        }
        for unknown in ["", "x", "xx", "eng", "é", "*", "-"] {
            assert_eq!(code(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn numbers_lead_back_to_languages() {
        let french = Language::named("fr").expect("known");
        assert_eq!(Language::numbered(french.number()), Some(french));
        for unknown in [0, 1, 0x7878, u32::MAX] {
            assert_eq!(Language::numbered(unknown), None);
        }
    }
}
