//! Merged partitions as Arrow batches: the tables of the index.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, LargeListBuilder, LargeStringBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, RecordBatch, TimestampSecondArray, UInt32Array, UInt64Array, UInt8Array,
};
use arrow_schema::{ArrowError, DataType, Field};

use super::lexicon::LexiconRange;
use super::merge::{LinkRow, MergedPartition};
use super::weigh::WeighedBags;
use crate::columns::{list_array, CodecError, StringColumn, TextColumn};
use crate::fragments::{FragmentBlock, NO_DATE};
use crate::text::{Language, WordDigest};
use crate::url;

/// Estimated bytes of a URL.
const BYTES_A_URL: usize = 128;

/// Columns with their names, and whether they may be null.
pub(super) type NamedColumns = Vec<(&'static str, ArrayRef, bool)>;

/// One row per URL: its title, its source, its number of words and a hash of them.
pub fn page_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let urls = texts_of(merged, |block| &block.urls)?;
    let hashes: Vec<Vec<u64>> = merged.blocks.iter().map(word_hashes).collect();
    let mut names = StringBuilder::with_capacity(merged.urls(), merged.urls() * BYTES_A_URL);
    let mut site = StringBuilder::new();
    let mut title = StringBuilder::new();
    let mut crawled = BooleanBuilder::new();
    let mut file = StringBuilder::new();
    let mut language = StringBuilder::new();
    let mut digests = Vec::new();
    let mut offset = Vec::new();
    let mut date = Vec::new();
    let mut length = Vec::new();
    for row in &merged.rows {
        let name = urls[row.name.0 as usize].get(row.name.1 as usize);
        names.append_value(name);
        site.append_value(url::site(name));
        crawled.append_value(row.page.is_some());
        let Some((block, page)) = row.page else {
            title.append_null();
            file.append_null();
            language.append_null();
            digests.push(0);
            offset.push(None);
            date.push(None);
            length.push(0);
            continue;
        };
        let hash_of = &hashes[block as usize];
        let (block, page) = (&merged.blocks[block as usize], page as usize);
        let captures = &block.captures;
        title.append_value(block.texts.title.get(page));
        file.append_value(captures.file_of(page));
        let known = Language::numbered(captures.language[page]);
        language.append_option(known.as_ref().map(Language::code));
        offset.push(Some(captures.offset[page]));
        let known = Some(captures.date[page]).filter(|&date| date != NO_DATE);
        date.push(known.map(|date| date as i64 - (1 << 62)));
        let own = block.texts.words.row(page).iter();
        let found = WordDigest::of_hashes(own.map(|&word| hash_of[word as usize]));
        length.push(found.words);
        digests.push(found.digest);
    }
    let inlinks: Vec<u32> = merged.rows.iter().map(|row| row.inlinks).collect();
    let ids = UInt64Array::from(merged.urls.values().to_vec());
    let date = TimestampSecondArray::from(date).with_timezone("UTC");
    batch(vec![
        ("id", Arc::new(ids), false),
        ("url", Arc::new(names.finish()), false),
        ("site", Arc::new(site.finish()), false),
        ("title", Arc::new(title.finish()), true),
        ("crawled", Arc::new(crawled.finish()), false),
        ("inlinks", Arc::new(UInt32Array::from(inlinks)), false),
        ("file", Arc::new(file.finish()), true),
        ("offset", Arc::new(UInt64Array::from(offset)), true),
        ("date", Arc::new(date), true),
        ("length", Arc::new(UInt32Array::from(length)), false),
        ("variants", variants(merged), false),
        ("language", Arc::new(language.finish()), true),
        ("digest", Arc::new(UInt64Array::from(digests)), false),
    ])
}

/// The other addresses of each page.
fn variants(merged: &MergedPartition) -> ArrayRef {
    let field = Field::new("item", DataType::Utf8, false);
    let mut lists = LargeListBuilder::new(StringBuilder::new()).with_field(field);
    let mut rest = &merged.variants[..];
    for &id in merged.urls.values() {
        while let Some((&(page, (block, row)), later)) = rest.split_first() {
            if page > id {
                break;
            }
            if page == id {
                let name = merged.blocks[block as usize]
                    .variants
                    .bytes_of(row as usize);
                lists.values().append_value(String::from_utf8_lossy(name));
            }
            rest = later;
        }
        lists.append(true);
    }
    Arc::new(lists.finish())
}

/// One row per crawled page: its text as it is read, and which of its words are in templates.
pub fn text_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let texts = texts_of(merged, |block| &block.texts.text)?;
    let bytes = merged.blocks.iter().map(|block| block.texts.text.bytes());
    let mut text = LargeStringBuilder::with_capacity(merged.urls(), bytes.sum());
    let mut ids = Vec::new();
    for (row, &id) in merged.rows.iter().zip(merged.urls.values()) {
        if let Some((block, page)) = row.page {
            ids.push(id);
            text.append_value(texts[block as usize].get(page as usize));
        }
    }
    let templates = &merged.template_words;
    let places = UInt32Array::from(templates.values().to_vec());
    let templates = list_array(&templates.ends().offsets(), places)?;
    batch(vec![
        ("id", Arc::new(UInt64Array::from(ids)), false),
        ("text", Arc::new(text.finish()), false),
        ("templates", templates, false),
    ])
}

/// A column of each block as text.
fn texts_of<'a>(
    merged: &'a MergedPartition,
    column: fn(&'a FragmentBlock) -> &'a StringColumn,
) -> Result<Vec<TextColumn<'a>>, ArrowError> {
    let columns = merged.blocks.iter().map(|block| column(block).texts());
    let columns: Result<_, CodecError> = columns.collect();
    columns.map_err(|damage| ArrowError::from_external_error(Box::new(damage)))
}

fn word_hashes(block: &FragmentBlock) -> Vec<u64> {
    let words = 0..block.words.len();
    words
        .map(|word| WordDigest::hash(block.words.bytes_of(word)))
        .collect()
}

/// One row per link: the linking page's words `from..to` are its window, of
/// which `first..last` are the anchor; `template` is 1 if it is in one.
pub fn link_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let links = || merged.links.iter();
    let id = |id: fn(&LinkRow) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(links().map(id)))
    };
    let place = |at: usize| -> ArrayRef {
        let places = links()
            .map(|row| merged.blocks[row.block as usize].links.places[row.link as usize * 4 + at]);
        Arc::new(UInt32Array::from_iter_values(places))
    };
    let in_template = |row: &LinkRow| {
        let links = &merged.blocks[row.block as usize].links;
        u8::from(links.template_words_of(row.link as usize).is_some())
    };
    let template = UInt8Array::from_iter_values(links().map(in_template));
    let template: ArrayRef = Arc::new(template);
    batch(vec![
        ("target", id(|row| row.target), false),
        ("source", id(|row| row.source), false),
        ("from", place(0), false),
        ("first", place(1), false),
        ("last", place(2), false),
        ("to", place(3), false),
        ("template", template, false),
    ])
}

/// One row per bag.
pub fn bag_batch(weighed: WeighedBags) -> Result<RecordBatch, ArrowError> {
    let [terms, weights] = weighed.bags.into_arrays()?;
    batch(vec![
        ("id", Arc::new(UInt64Array::from(weighed.urls)), false),
        ("terms", terms, false),
        ("weights", weights, false),
    ])
}

/// One row per term.
pub fn lexicon_batch(part: LexiconRange) -> Result<RecordBatch, ArrowError> {
    let frequencies = UInt32Array::from(part.frequencies);
    batch(vec![
        ("term", Arc::new(UInt64Array::from(part.terms)), false),
        ("word", part.words.into_array()?, false),
        ("frequency", Arc::new(frequencies), false),
    ])
}

fn batch(columns: NamedColumns) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter_with_nullable(columns)
}
