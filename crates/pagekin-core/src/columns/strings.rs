//! A column of strings: their bytes in one array, with the end of each.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

use super::codec::{impl_column, CodecError};
use super::ragged::{Ends, Ragged};

/// Strings one after another.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StringColumn {
    rows: Ragged<u8, u32>,
}

impl_column!(StringColumn { rows });

impl StringColumn {
    /// Appends a string.
    pub fn push(&mut self, text: &[u8]) {
        self.rows.push(text.iter().copied());
    }

    /// A string; nothing if its bytes are not text.
    pub fn get(&self, row: usize) -> &str {
        std::str::from_utf8(self.bytes_of(row)).unwrap_or_default()
    }

    /// The bytes of a string.
    pub fn bytes_of(&self, row: usize) -> &[u8] {
        self.rows.row(row)
    }

    /// The bytes of all strings together.
    pub fn bytes(&self) -> usize {
        self.rows.values().len()
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All strings, checked at once: that takes less time than one by one.
    pub fn texts(&self) -> Result<TextColumn<'_>, CodecError> {
        let bytes = self.rows.values();
        let text = std::str::from_utf8(bytes).map_err(|error| CodecError {
            what: "bytes of UTF-8",
            expected: bytes.len() as u64,
            found: error.valid_up_to() as u64,
        })?;
        let ends = self.rows.ends();
        Ok(TextColumn { text, ends })
    }

    /// The strings as an Arrow column.
    pub fn into_array(self) -> Result<ArrayRef, ArrowError> {
        let (bytes, ends) = self.rows.into_parts();
        let ends = ends.as_slice().iter().map(|&end| end as i32);
        let offsets = ScalarBuffer::from_iter(std::iter::once(0).chain(ends));
        let array = StringArray::try_new(OffsetBuffer::new(offsets), bytes.into(), None)?;
        Ok(Arc::new(array))
    }
}

/// Strings that are known to be text.
pub struct TextColumn<'a> {
    text: &'a str,
    ends: &'a Ends<u32>,
}

impl<'a> TextColumn<'a> {
    /// A string.
    pub fn get(&self, row: usize) -> &'a str {
        self.text.get(self.ends.range(row)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    #[test]
    fn strings_are_read_one_by_one_and_as_a_column() {
        let mut strings = StringColumn::default();
        let words = ["garden", "", "größe"];
        words.iter().for_each(|word| strings.push(word.as_bytes()));
        let texts = strings.texts().expect("words are text");
        assert_eq!([0, 1, 2].map(|at| strings.get(at)), words);
        assert_eq!([0, 1, 2].map(|at| texts.get(at)), words);
        let array = strings.clone().into_array().expect("words are text");
        let found: Vec<_> = array.as_string::<i32>().iter().flatten().collect();
        assert_eq!(found, words);
        strings.push(&[0xff]);
        let error = strings.texts().err();
        assert_eq!(error.map(|error| error.found), Some(13));
        assert!(strings.into_array().is_err());
    }
}
