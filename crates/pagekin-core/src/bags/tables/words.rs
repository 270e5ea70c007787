//! The words of pages as a column of text.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeStringArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::ArrowError;

use super::MergedPartition;
use crate::columns::{Ends, StringColumn};
use crate::fragments::FragmentBlock;

/// What a word and the space behind it take at most as a rule.
const BYTES_A_WORD: usize = 8;
/// How many bytes of words are put together before they are copied.
const STEP: usize = 1 << 12;
/// Bytes that are copied at once, whatever the length of the word.
const AT_ONCE: usize = 16;

/// The words of each page, parted by single spaces.
#[derive(Default)]
pub(super) struct WordColumn {
    bytes: Vec<u8>,
    ends: Ends,
    valid: Vec<bool>,
}

impl WordColumn {
    /// Room for about as many bytes as there are; what is not needed is never touched.
    pub(super) fn with_room(merged: &MergedPartition) -> Self {
        let blocks = merged.blocks.iter();
        let words: usize = blocks.map(|block| block.texts.words.values().len()).sum();
        Self {
            bytes: Vec::with_capacity(words * BYTES_A_WORD),
            ..Self::default()
        }
    }

    pub(super) fn append(&mut self, block: &FragmentBlock, page: usize) {
        let mut joiner = WordJoiner::new(&mut self.bytes);
        for &word in block.texts.words.row(page) {
            joiner.push(&block.words, word as usize);
        }
        joiner.finish();
        self.ends.push(self.bytes.len());
        self.valid.push(true);
    }

    pub(super) fn append_null(&mut self) {
        self.ends.push(self.bytes.len());
        self.valid.push(false);
    }

    pub(super) fn finish(self) -> Result<ArrayRef, ArrowError> {
        let (bytes, nulls) = (Buffer::from(self.bytes), NullBuffer::from(self.valid));
        let words = LargeStringArray::try_new(self.ends.offsets(), bytes, Some(nulls))?;
        Ok(Arc::new(words))
    }
}

/// Words with single spaces between them. Most are shorter than sixteen bytes,
/// and copying sixteen takes less time than finding out how many to copy.
struct WordJoiner<'a> {
    start: usize,
    out: &'a mut Vec<u8>,
    step: [u8; STEP + AT_ONCE + 1],
    length: usize,
}

impl<'a> WordJoiner<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        Self {
            start: out.len(),
            out,
            step: [0; STEP + AT_ONCE + 1],
            length: 0,
        }
    }

    #[inline]
    fn push(&mut self, words: &StringColumn, word: usize) {
        match words.first_bytes_of::<AT_ONCE>(word) {
            Some((bytes, length)) => {
                self.step[self.length..self.length + AT_ONCE].copy_from_slice(bytes);
                self.length += length;
                self.step[self.length] = b' ';
                self.length += 1;
            }
            None => self.push_long(words.bytes_of(word)),
        }
        if self.length > STEP {
            self.flush();
        }
    }

    fn push_long(&mut self, word: &[u8]) {
        self.flush();
        self.out.extend_from_slice(word);
        self.out.push(b' ');
    }

    fn flush(&mut self) {
        self.out.extend_from_slice(&self.step[..self.length]);
        self.length = 0;
    }

    /// Copies what is left, without the last space.
    fn finish(mut self) {
        self.flush();
        if self.out.len() > self.start {
            self.out.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_single_spaces() {
        let texts = [
            "a",
            "garden",
            "sixteen-letters-",
            "seventeen-letters",
            "é",
            "z",
        ];
        let mut words = StringColumn::default();
        texts.iter().for_each(|text| words.push(text.as_bytes()));
        let mut out = b"before".to_vec();
        WordJoiner::new(&mut out).finish();
        assert_eq!(out, b"before");
        let numbers: Vec<usize> = (0..5000).map(|i| i * 7 % texts.len()).collect();
        let mut joiner = WordJoiner::new(&mut out);
        numbers.iter().for_each(|&word| joiner.push(&words, word));
        joiner.finish();
        let expected: Vec<&str> = numbers.iter().map(|&word| texts[word]).collect();
        assert_eq!(out, format!("before{}", expected.join(" ")).as_bytes());
    }
}
