//! Whether the text of a page so far ends a sentence, which only hard breaks ask.

use std::ops::Range;

/// How many texts are remembered before they are looked at.
const MOST_UNSETTLED: usize = 4096;

/// What is known of the last sentence. Most texts are looked at only if a hard break follows: few
/// pages have many, and where the last letter of a text is cannot be foretold.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    ended: bool,
    /// Where texts are in the page that have not been looked at.
    unsettled: Vec<Range<usize>>,
}

impl Sentence {
    /// A text to look at now.
    pub(super) fn notice(&mut self, text: &[u8]) {
        if let Some(ended) = ends_sentence(text) {
            self.ended = ended;
            self.unsettled.clear();
        }
    }

    /// A text to look at when it matters.
    #[inline]
    pub(super) fn remember(&mut self, html: &[u8], text: Range<usize>) {
        if self.unsettled.len() == MOST_UNSETTLED {
            self.settle(html);
        }
        self.unsettled.push(text);
    }

    /// Looks at what is remembered.
    pub(super) fn settle(&mut self, html: &[u8]) {
        let texts = self.unsettled.drain(..).rev();
        let last = texts.map(|text| &html[text]).find_map(ends_sentence);
        self.ended = last.unwrap_or(self.ended);
    }

    /// Whether the last sentence has ended; what is remembered must be settled before.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Turns to the next page.
    pub(super) fn begin(&mut self) {
        self.ended = false;
        self.unsettled.clear();
    }
}

/// Whether a text ends a sentence, unless there is nothing in it that could.
fn ends_sentence(text: &[u8]) -> Option<bool> {
    let passed = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'"' | b'\'' | b')');
    let last = text.iter().rev().find(|&byte| !passed(byte))?;
    Some(matches!(last, b'.' | b'!' | b'?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of a page, and whether the last sentence has ended behind them.
    fn ended(texts: &[&str]) -> bool {
        let html = texts.concat();
        let mut sentence = Sentence::default();
        let mut at = 0;
        for text in texts {
            sentence.remember(html.as_bytes(), at..at + text.len());
            at += text.len();
        }
        sentence.settle(html.as_bytes());
        sentence.has_ended()
    }

    #[test]
    fn what_is_passed_over_ends_nothing_and_begins_nothing() {
        assert!(ended(&["An end.", " \n", "\") "]));
        assert!(!ended(&["An end.", "None", " "]));
        assert!(!ended(&[" "]));
    }

    #[test]
    fn many_texts_are_as_good_as_few() {
        let mut texts = vec!["An end!"];
        texts.extend([" "; 3 * MOST_UNSETTLED]);
        assert!(ended(&texts));
        texts.push("no");
        assert!(!ended(&texts));
    }

    #[test]
    fn what_is_noticed_comes_behind_what_is_remembered() {
        let mut sentence = Sentence::default();
        sentence.remember(b"No.", 0..3);
        sentence.notice(b"yes");
        sentence.settle(b"No.");
        assert!(!sentence.has_ended());
        sentence.remember(b"No.", 0..3);
        sentence.notice(b" ");
        sentence.settle(b"No.");
        assert!(sentence.has_ended());
        sentence.begin();
        assert!(!sentence.has_ended());
    }
}
