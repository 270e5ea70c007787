//! The text of a page as a person reads it: white space collapsed, one line for each break.
//!
//! The scanner finds the same words in it as in the page. Where two elements meet inside what would
//! be read as one word, a zero-width space keeps its two words apart.

use crate::text::is_word_part;

/// The gap between the text so far and the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    Nothing,
    /// A word ends here, invisibly.
    Boundary,
    Space,
    Line,
}

/// An invisible separator of words.
const ZERO_WIDTH_SPACE: &str = "\u{200b}";

/// The text of the current page.
#[derive(Debug, Default)]
pub(super) struct VisibleText {
    bytes: Vec<u8>,
    gap: Gap,
}

impl VisibleText {
    /// Appends text in UTF-8.
    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) {
        let Some(first) = text.iter().position(|byte| !is_space(*byte)) else {
            if !text.is_empty() {
                self.space();
            }
            return;
        };
        if first > 0 {
            self.space();
        }
        self.close_gap(&text[first..]);
        self.push_collapsed(&text[first..]);
    }

    /// Ends a word.
    #[inline]
    pub(super) fn boundary(&mut self) {
        self.gap = self.gap.max(Gap::Boundary);
    }

    /// Ends a word visibly.
    #[inline]
    pub(super) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// Ends a line.
    #[inline]
    pub(super) fn line(&mut self) {
        self.gap = Gap::Line;
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.gap = Gap::Nothing;
    }

    /// Becomes another text.
    pub(super) fn replace(&mut self, text: String) {
        self.bytes = text.into_bytes();
    }

    fn close_gap(&mut self, next: &[u8]) {
        if !self.bytes.is_empty() {
            match self.gap {
                Gap::Nothing => {}
                Gap::Boundary if !self.would_join(next) => {}
                Gap::Boundary => self.bytes.extend_from_slice(ZERO_WIDTH_SPACE.as_bytes()),
                Gap::Space => self.bytes.push(b' '),
                Gap::Line => self.bytes.push(b'\n'),
            }
        }
        self.gap = Gap::Nothing;
    }

    /// Whether a word could go on from the text so far into the next one.
    fn would_join(&self, next: &[u8]) -> bool {
        let last = self.bytes.len().saturating_sub(4);
        let last = self.bytes[last..].utf8_chunks().last();
        let last = last.and_then(|chunk| chunk.valid().chars().next_back());
        let next = next[..next.len().min(4)].utf8_chunks().next();
        let next = next.and_then(|chunk| chunk.valid().chars().next());
        last.is_some_and(is_word_part) && next.is_some_and(is_word_part)
    }

    /// Appends text that begins with no white space; what it ends with becomes the gap.
    fn push_collapsed(&mut self, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.resize(start + text.len(), 0);
        let (mut end, mut was_space) = (start, false);
        for &byte in text {
            let is_space = is_space(byte);
            self.bytes[end] = if is_space { b' ' } else { byte };
            // The next byte is written over a second space.
            end += usize::from(!(is_space && was_space));
            was_space = is_space;
        }
        self.bytes.truncate(end - usize::from(was_space));
        self.gap = if was_space { Gap::Space } else { Gap::Nothing };
    }
}

/// White space as HTML has it.
#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parts: &[&str]) -> String {
        let mut text = VisibleText::default();
        for &part in parts {
            match part {
                "|" => text.boundary(),
                "_" => text.space(),
                "/" => text.line(),
                part => text.push(part.as_bytes()),
            }
        }
        String::from_utf8(text.bytes).expect("UTF-8")
    }

    #[test]
    fn white_space_is_collapsed() {
        assert_eq!(
            text(&[" One \n\t two", " ", "\n three, 4 "]),
            "One two three, 4"
        );
        assert_eq!(text(&["caf", "é", " s"]), "café s");
        assert_eq!(text(&["", " ", ""]), "");
    }

    #[test]
    fn breaks_are_single_lines_between_texts() {
        assert_eq!(text(&["/", "one ", "/", " ", "/", "two", "/"]), "one\ntwo");
        assert_eq!(text(&["one", "/", "|", "two"]), "one\ntwo");
    }

    #[test]
    fn a_zero_width_space_parts_words_that_would_join() {
        assert_eq!(text(&["foot", "|", "ball"]), "foot\u{200b}ball");
        assert_eq!(text(&["東京", "|", "都"]), "東京\u{200b}都");
        assert_eq!(text(&["e", "|", "\u{301}"]), "e\u{200b}\u{301}");
        assert_eq!(text(&["soft\u{ad}", "|", "ly"]), "soft\u{ad}\u{200b}ly");
        for parts in [
            ["H", "|", "2"],
            ["(", "|", "a"],
            ["a", "|", "."],
            ["»", "|", "é"],
        ] {
            assert_eq!(text(&parts), [parts[0], parts[2]].concat());
        }
        assert_eq!(text(&["one", "|", " ", "|", "two"]), "one two");
        assert_eq!(text(&["one", "_", "two"]), "one two");
    }
}
