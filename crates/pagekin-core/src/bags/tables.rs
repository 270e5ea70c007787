//! Merged partitions as Arrow batches: the tables of the index.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, LargeListArray, RecordBatch, StringArray, TimestampSecondArray, UInt16Array,
    UInt32Array, UInt64Array,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::lexicon::LexiconPart;
use super::merge::Merged;
use super::weigh::Bags;
use super::words::WordColumn;
use crate::address;
use crate::exchange::{Strings, Texts, NO_DATE};

/// What a URL takes at most as a rule.
const BYTES_A_URL: usize = 128;

type Columns = Vec<(&'static str, ArrayRef, bool)>;

/// One row a URL: what it is called, where it came from, its words.
pub fn page_batch(merged: &Merged) -> Result<RecordBatch, ArrowError> {
    let urls: Vec<Texts<'_>> = merged
        .segments
        .iter()
        .map(|part| part.urls.texts())
        .collect::<Result<_, _>>()
        .map_err(|damage| ArrowError::from_external_error(Box::new(damage)))?;
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
