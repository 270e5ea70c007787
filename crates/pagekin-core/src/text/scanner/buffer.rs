//! Buffer for the letters of the word that is being read.

use crate::text::short::{ShortWord, LONGEST_SHORT, WINDOW};

/// The longest word in bytes; letters beyond are dropped.
pub const LONGEST_WORD: usize = 128;

/// Up to [`LONGEST_WORD`] bytes of letters, padded so that a short word is copied in one step.
#[derive(Debug)]
pub(in crate::text) struct LetterBuffer {
    bytes: [u8; LONGEST_WORD + WINDOW],
    length: usize,
}

impl Default for LetterBuffer {
    fn default() -> Self {
        Self {
            bytes: [0; LONGEST_WORD + WINDOW],
            length: 0,
        }
    }
}

impl LetterBuffer {
    #[inline]
    pub(in crate::text) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(in crate::text) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    #[inline]
    pub(in crate::text) fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends a letter, if there is room.
    #[inline]
    pub(in crate::text) fn push(&mut self, letter: &[u8]) {
        let end = self.length + letter.len();
        if end <= LONGEST_WORD {
            self.bytes[self.length..end].copy_from_slice(letter);
            self.length = end;
        }
    }

    /// Appends ASCII letters in lower case, as many as there is room for.
    pub(in crate::text) fn push_ascii(&mut self, letters: &[u8]) {
        let room = &mut self.bytes[self.length..LONGEST_WORD];
        for (place, letter) in room.iter_mut().zip(letters) {
            *place = letter.to_ascii_lowercase();
        }
        self.length += letters.len().min(room.len());
    }

    /// All letters as a short word, if they fit one.
    #[inline]
    pub(in crate::text) fn short(&self) -> Option<ShortWord> {
        let window = self.bytes.first_chunk()?;
        (self.length <= LONGEST_SHORT).then(|| ShortWord::padded(window, self.length))
    }
}
