//! Sentence segmentation by rules: where the lines and sentences of a text begin and end.
//!
//! A sentence ends with `.`, `!` or `?` and closing quotes or brackets before a space, unless a
//! small letter follows or the full stop is that of an abbreviation.

mod matches;
mod quote;
mod snippet;

use std::ops::Range;

pub(super) use quote::quote;
pub use snippet::{Snippet, SnippetMaker};

/// An invisible separator of words, which is not shown.
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// The line that holds a place.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    start..end
}

/// The sentences of all lines of a text.
pub fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines();
    lines.flat_map(|line| {
        let found = sentences(line, 0..line.len());
        found.into_iter().map(move |range| &line[range])
    })
}

/// The sentences of a line of a text, without the spaces between them.
fn sentences(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = line.start;
    let mut from = line.start;
    while let Some(end) = next_end(text, from..line.end) {
        from = end;
        if is_sentence_end(text, start..end, line.end) {
            found.push(start..end);
            start = end + space_at(text, end, line.end);
            from = start;
        }
    }
    if start < line.end {
        found.push(start..line.end);
    }
    found
}

/// The place behind the next terminator and the quotes and brackets that close with it.
fn next_end(text: &str, range: Range<usize>) -> Option<usize> {
    let is_terminator = |letter| matches!(letter, '.' | '!' | '?' | '…' | '。' | '！' | '？');
    let is_closing = |letter: char| {
        is_terminator(letter) || matches!(letter, '"' | '\'' | ')' | ']' | '”' | '’' | '»')
    };
    let rest = &text[range.clone()];
    let at = rest.find(is_terminator)?;
    let more = rest[at..].find(|letter| !is_closing(letter));
    Some(more.map_or(range.end, |more| range.start + at + more))
}

fn is_sentence_end(text: &str, sentence: Range<usize>, line_end: usize) -> bool {
    let end = sentence.end;
    if text[..end].ends_with(['。', '！', '？']) || end == line_end {
        return true;
    }
    let mut next = text[end..line_end].chars();
    if !next.next().is_some_and(char::is_whitespace) {
        return false;
    }
    let next = next.next();
    !next.is_some_and(char::is_lowercase) && !ends_with_abbreviation(&text[sentence])
}

/// Initials and words of two letters with a full stop, such as `e.g.`, `Dr.` or `J.`
fn ends_with_abbreviation(sentence: &str) -> bool {
    let Some(rest) = sentence.strip_suffix('.') else {
        return false;
    };
    let word = rest.rsplit([' ', '(']).next().unwrap_or_default();
    let letters = word.rsplit('.').next().unwrap_or_default();
    let is_short = (1..=2).contains(&letters.chars().count());
    is_short && letters.chars().all(char::is_alphabetic) && letters != "it"
}

fn space_at(text: &str, at: usize, end: usize) -> usize {
    let rest = &text[at..end];
    rest.len() - rest.trim_start().len()
}

/// The start of the character that is at a place, or the end of the text.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The nearest place at or before `at` where a word may begin, not before `least`.
fn word_start_before(text: &str, at: usize, least: usize) -> usize {
    let at = boundary(text, at);
    let place = text[least..at].rfind([' ', '\n']);
    place.map_or(at, |place| least + place + 1)
}

/// The nearest place at or before `at` where a word has ended, not before `least`.
fn word_end_before(text: &str, at: usize, least: usize) -> usize {
    let at = boundary(text, at);
    let place = text[least..at].rfind([' ', '\n']);
    place.map_or(at, |place| least + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let found = sentences(text, 0..text.len());
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_before_a_space_and_a_capital() {
        assert_eq!(
            cut("One. Two! “Three?” Four"),
            ["One.", "Two!", "“Three?”", "Four"]
        );
        assert_eq!(
            cut("Version 1.2 works. 3 more."),
            ["Version 1.2 works.", "3 more."]
        );
        assert_eq!(cut("一。二！三"), ["一。", "二！", "三"]);
        assert_eq!(cut(""), Vec::<&str>::new());
        assert_eq!(cut("no end"), ["no end"]);
    }

    #[test]
    fn sentences_of_a_text_end_with_their_lines() {
        let found: Vec<&str> = sentences_of("One. Two\n\nthree. Four").collect();
        assert_eq!(found, ["One.", "Two", "three.", "Four"]);
    }

    #[test]
    fn abbreviations_end_no_sentence() {
        for text in [
            "Tools, e.g. Git, help.",
            "Dr. J. S. Bach wrote it",
            "see p. 3 there",
        ] {
            assert_eq!(cut(text), [text]);
        }
    }

    #[test]
    fn lines_are_found_by_any_place_in_them() {
        let text = "one\ntwo\n";
        assert_eq!(line_at(text, 0), 0..3);
        assert_eq!(line_at(text, 3), 0..3);
        assert_eq!(line_at(text, 4), 4..7);
        assert_eq!(line_at(text, 8), 8..8);
    }
}
