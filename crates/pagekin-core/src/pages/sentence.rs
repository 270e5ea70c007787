//! Sentence ends before hard breaks, detected lazily.

use std::ops::Range;

/// How many texts wait at most.
const MAX_UNSETTLED: usize = 4096;

/// Whether the page so far ends with a complete sentence. Texts wait until a hard break follows:
/// few pages have many, and searching every text for its last letter is slow.
#[derive(Debug, Default)]
pub(super) struct SentenceEnd {
    ended: bool,
    /// The texts that wait, as ranges of the page.
    unsettled: Vec<Range<usize>>,
}

impl SentenceEnd {
    /// A text to check now.
    pub(super) fn notice(&mut self, text: &[u8]) {
        if let Some(ended) = ends_sentence(text) {
            self.ended = ended;
            self.unsettled.clear();
        }
    }

    /// A text to check when it matters.
    #[inline]
    pub(super) fn remember(&mut self, html: &[u8], text: Range<usize>) {
        if self.unsettled.len() == MAX_UNSETTLED {
            self.settle(html);
        }
        self.unsettled.push(text);
    }

    /// Checks the texts that wait.
    pub(super) fn settle(&mut self, html: &[u8]) {
        let texts = self.unsettled.drain(..).rev();
        let last = texts.map(|text| &html[text]).find_map(ends_sentence);
        self.ended = last.unwrap_or(self.ended);
    }

    /// Whether the last sentence has ended. Call [`SentenceEnd::settle`] before.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Begins the next page.
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
        let mut sentence = SentenceEnd::default();
        let mut at = 0;
        for text in texts {
            sentence.remember(html.as_bytes(), at..at + text.len());
            at += text.len();
        }
        sentence.settle(html.as_bytes());
        sentence.has_ended()
    }

    #[test]
    fn ignored_characters_do_not_change_the_sentence_end() {
        assert!(ended(&["An end.", " \n", "\") "]));
        assert!(!ended(&["An end.", "None", " "]));
        assert!(!ended(&[" "]));
    }

    #[test]
    fn sentence_end_does_not_depend_on_the_number_of_texts() {
        let mut texts = vec!["An end!"];
        texts.extend([" "; 3 * MAX_UNSETTLED]);
        assert!(ended(&texts));
        texts.push("no");
        assert!(!ended(&texts));
    }

    #[test]
    fn noticed_text_follows_remembered_text() {
        let mut sentence = SentenceEnd::default();
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
