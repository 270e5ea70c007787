//! The language of the words of a page, which are not yet numbered.

use crate::text::{detect_language, sample, Language, ShortWord, WordInterner};

/// The language of a page's words, if it is recognised.
pub(super) fn language_of(
    words: &[ShortWord],
    vocabulary: &WordInterner,
    declared: Option<Language>,
) -> Option<Language> {
    let texts = sample(words).filter_map(|word| text_of(word, vocabulary));
    detect_language(&texts.collect::<Vec<_>>(), declared)
}

fn text_of<'a>(word: &'a ShortWord, vocabulary: &'a WordInterner) -> Option<&'a str> {
    let bytes = match word.number() {
        Some(number) => vocabulary.bytes_of(number),
        None => word.bytes(),
    };
    std::str::from_utf8(bytes).ok()
}
