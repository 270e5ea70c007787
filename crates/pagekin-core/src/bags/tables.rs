//! Merged partitions as Arrow batches: the tables of the index.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, LargeListArray, LargeStringArray, RecordBatch, StringArray, TimestampSecondArray,
    UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::lexicon::LexiconPart;
use super::merge::Merged;
use super::weigh::Bags;
use crate::address;
use crate::exchange::{Segment, Strings, NO_DATE};

type Columns = Vec<(&'static str, ArrayRef, bool)>;

/// One row a URL: what it is called, where it came from, its words.
pub fn page_batch(merged: &Merged) -> Result<RecordBatch, ArrowError> {
    let urls: Vec<_> = merged
        .segments
        .iter()
        .map(|part| part.urls.texts())
        .collect();
    let mut url = StringBuilder::with_capacity(merged.urls(), merged.urls() * BYTES_A_URL);
    let mut site = StringBuilder::new();
    let mut title = StringBuilder::new();
    let mut crawled = BooleanBuilder::new();
    let mut file = StringBuilder::new();
    let mut words = WordColumn::with_room(merged);
    let mut offset = Vec::new();
    let mut date = Vec::new();
    for row in &merged.rows {
        let name = urls[row.name.0 as usize].get(row.name.1 as usize);
        url.append_value(name);
        site.append_value(address::site(name));
        crawled.append_value(row.page.is_some());
        let Some((segment, page)) = row.page else {
            title.append_null();
            file.append_null();
            words.append_null();
            offset.push(None);
            date.push(None);
            continue;
        };
        let (segment, page) = (&merged.segments[segment as usize], page as usize);
        title.append_value(segment.pages.title.get(page));
        file.append_value(segment.file_of(page));
        offset.push(Some(segment.pages.offset[page]));
        date.push(
            Some(segment.pages.date[page])
                .filter(|&date| date != NO_DATE)
                .map(|date| date as i64 - (1 << 62)),
        );
        words.append(segment, page);
    }
    let inlinks: Vec<u32> = merged.rows.iter().map(|row| row.inlinks).collect();
    batch(vec![
        (
            "id",
            Arc::new(UInt64Array::from(merged.urls.values().to_vec())),
            false,
        ),
        ("url", Arc::new(url.finish()), false),
        ("site", Arc::new(site.finish()), false),
        ("title", Arc::new(title.finish()), true),
        ("crawled", Arc::new(crawled.finish()), false),
        ("inlinks", Arc::new(UInt32Array::from(inlinks)), false),
        ("file", Arc::new(file.finish()), true),
        ("offset", Arc::new(UInt64Array::from(offset)), true),
        (
            "date",
            Arc::new(TimestampSecondArray::from(date).with_timezone("UTC")),
            true,
        ),
        ("words", words.finish()?, true),
    ])
}

/// The words of each page, parted by single spaces.
#[derive(Default)]
struct WordColumn {
    bytes: Vec<u8>,
    ends: Vec<i64>,
    valid: Vec<bool>,
}

impl WordColumn {
    /// Room for about as many bytes as there are; what is not needed is never touched.
    fn with_room(merged: &Merged) -> Self {
        let segments = merged.segments.iter();
        let words: usize = segments.map(|segment| segment.pages.words.len()).sum();
        Self {
            bytes: Vec::with_capacity(words * BYTES_A_WORD),
            ..Self::default()
        }
    }

    fn append(&mut self, segment: &Segment, page: usize) {
        let mut spaced = Spaced::new(&mut self.bytes);
        for &word in segment.pages.words_of(page) {
            spaced.push(&segment.words, word as usize);
        }
        spaced.finish();
        self.ends.push(self.bytes.len() as i64);
        self.valid.push(true);
    }

    fn append_null(&mut self) {
        self.ends.push(self.bytes.len() as i64);
        self.valid.push(false);
    }

    fn finish(self) -> Result<ArrayRef, ArrowError> {
        let offsets: Vec<i64> = std::iter::once(0).chain(self.ends).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let nulls = Some(NullBuffer::from(self.valid));
        Ok(Arc::new(LargeStringArray::try_new(
            offsets,
            Buffer::from(self.bytes),
            nulls,
        )?))
    }
}

/// What a URL takes at most as a rule.
const BYTES_A_URL: usize = 128;
/// What a word and the space behind it take at most as a rule.
const BYTES_A_WORD: usize = 8;
/// How many bytes of words are put together before they are copied.
const STEP: usize = 1 << 12;
/// Bytes that are copied at once, whatever the length of the word.
const AT_ONCE: usize = 16;

/// Words with single spaces between them. Most are shorter than sixteen bytes,
/// and copying sixteen takes less time than finding out how many to copy.
struct Spaced<'a> {
    start: usize,
    out: &'a mut Vec<u8>,
    step: [u8; STEP + AT_ONCE + 1],
    length: usize,
}

impl<'a> Spaced<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        Self {
            start: out.len(),
            out,
            step: [0; STEP + AT_ONCE + 1],
            length: 0,
        }
    }

    #[inline]
    fn push(&mut self, words: &Strings, word: usize) {
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

/// One row a link: the linking page's words `from..to` are its window, of
/// which `first..last` are the anchor.
pub fn link_batch(merged: &Merged) -> Result<RecordBatch, ArrowError> {
    let place = |at: usize| -> ArrayRef {
        let places = merged.links.iter().map(|row| {
            merged.segments[row.segment as usize].links.places[row.link as usize * 4 + at]
        });
        Arc::new(UInt32Array::from_iter_values(places))
    };
    batch(vec![
        (
            "target",
            Arc::new(UInt64Array::from_iter_values(
                merged.links.iter().map(|row| row.target),
            )),
            false,
        ),
        (
            "source",
            Arc::new(UInt64Array::from_iter_values(
                merged.links.iter().map(|row| row.source),
            )),
            false,
        ),
        ("from", place(0), false),
        ("first", place(1), false),
        ("last", place(2), false),
        ("to", place(3), false),
    ])
}

/// One row a bag.
pub fn bag_batch(bags: Bags) -> Result<RecordBatch, ArrowError> {
    let ends: Vec<i64> = std::iter::once(0)
        .chain(bags.ends.iter().map(|&end| end as i64))
        .collect();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
    let list = |kind: DataType, values: ArrayRef| -> Result<ArrayRef, ArrowError> {
        let field = Arc::new(Field::new("item", kind, false));
        Ok(Arc::new(LargeListArray::try_new(
            field,
            offsets.clone(),
            values,
            None,
        )?))
    };
    batch(vec![
        ("id", Arc::new(UInt64Array::from(bags.urls)), false),
        (
            "terms",
            list(DataType::UInt64, Arc::new(UInt64Array::from(bags.terms)))?,
            false,
        ),
        (
            "weights",
            list(DataType::UInt16, Arc::new(UInt16Array::from(bags.weights)))?,
            false,
        ),
    ])
}

/// One row a term.
pub fn lexicon_batch(part: LexiconPart) -> Result<RecordBatch, ArrowError> {
    batch(vec![
        ("term", Arc::new(UInt64Array::from(part.terms)), false),
        ("word", strings(part.words)?, false),
        (
            "frequency",
            Arc::new(UInt32Array::from(part.frequencies)),
            false,
        ),
    ])
}

/// A column of strings.
fn strings(strings: Strings) -> Result<ArrayRef, ArrowError> {
    let (bytes, ends) = strings.into_parts();
    let offsets: Vec<i32> = std::iter::once(0)
        .chain(ends.into_iter().map(|end| end as i32))
        .collect();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(StringArray::try_new(offsets, bytes.into(), None)?))
}

fn batch(columns: Columns) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter_with_nullable(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_by_single_spaces() {
        let texts = [
            "a",
            "garden",
            "sixteen-letters-",
            "seventeen-letters",
            "é",
            "z",
        ];
        let mut words = Strings::default();
        texts.iter().for_each(|text| words.push(text.as_bytes()));
        let mut out = b"before".to_vec();
        Spaced::new(&mut out).finish();
        assert_eq!(out, b"before");
        let numbers: Vec<usize> = (0..5000).map(|i| i * 7 % texts.len()).collect();
        let mut spaced = Spaced::new(&mut out);
        numbers.iter().for_each(|&word| spaced.push(&words, word));
        spaced.finish();
        let expected: Vec<&str> = numbers.iter().map(|&word| texts[word]).collect();
        assert_eq!(out, format!("before{}", expected.join(" ")).as_bytes());
    }
}
