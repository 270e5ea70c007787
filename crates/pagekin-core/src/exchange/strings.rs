//! Many strings in one piece.

use super::bytes::{Damage, Pack, Unpack};
use crate::memory::clear_for;

/// Strings one after another.
#[derive(Debug, Default, Clone)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as u32);
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        std::str::from_utf8(self.bytes_of(index)).unwrap_or_default()
    }

    pub(crate) fn bytes_of(&self, index: usize) -> &[u8] {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        &self.bytes[start..self.ends[index] as usize]
    }

    /// The first `N` bytes from a string's start on and its length, if that is
    /// at most `N` and there are so many bytes.
    #[inline]
    pub(crate) fn first_bytes_of<const N: usize>(&self, index: usize) -> Option<(&[u8; N], usize)> {
        let start = index
            .checked_sub(1)
            .map_or(0, |last| self.ends[last] as usize);
        let length = self.ends[index] as usize - start;
        let bytes = self.bytes.get(start..)?.first_chunk()?;
        (length <= N).then_some((bytes, length))
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All strings, looked through at once: that takes less time than one by one.
    pub(crate) fn texts(&self) -> Result<Texts<'_>, Damage> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| Damage {
            at: error.valid_up_to(),
        })?;
        let ends = &self.ends;
        Ok(Texts { text, ends })
    }

    /// All bytes, and where each string ends.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<u32>) {
        (self.bytes, self.ends)
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        out.put_bytes(&self.bytes);
        out.put_u32s(&self.ends);
    }

    /// Becomes the strings that were packed, and keeps its memory.
    pub(super) fn refill(&mut self, from: &mut Unpack<'_>) -> Result<(), Damage> {
        let bytes = from.bytes()?;
        clear_for(&mut self.bytes, bytes.len());
        self.bytes.extend_from_slice(bytes);
        from.u32s_to(&mut self.ends)
    }
}

/// Strings that are seen to be text.
pub(crate) struct Texts<'a> {
    text: &'a str,
    ends: &'a [u32],
}

impl<'a> Texts<'a> {
    pub(crate) fn get(&self, index: usize) -> &'a str {
        let start = index.checked_sub(1).map_or(0, |last| self.ends[last]);
        let range = start as usize..self.ends[index] as usize;
        self.text.get(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_one_by_one_and_as_texts() {
        let mut strings = Strings::default();
        let words = ["garden", "", "größe"];
        words.iter().for_each(|word| strings.push(word.as_bytes()));
        let texts = strings.texts().expect("words are text");
        assert_eq!([0, 1, 2].map(|at| strings.get(at)), words);
        assert_eq!([0, 1, 2].map(|at| texts.get(at)), words);
        let parts = (b"gardengr\xc3\xb6\xc3\x9fe".to_vec(), vec![6, 6, 13]);
        assert_eq!(strings.clone().into_parts(), parts);
        strings.push(&[0xff]);
        let damage = strings.texts().err();
        assert_eq!(damage, Some(Damage { at: 13 }), "bytes that are no text");
    }
}
