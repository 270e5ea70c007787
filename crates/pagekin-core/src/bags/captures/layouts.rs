//! The tables `layouts` and `standby` of a merged partition. Together with the tables that answers
//! are made from, they suffice to build its pages again.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, LargeBinaryBuilder, LargeStringBuilder, StringBuilder, TimestampSecondBuilder,
    UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use crate::bags::captures::standby::BlockRow;
use crate::bags::merge::MergedPartition;
use crate::bags::tables::NamedColumns;
use crate::fragments::{FragmentBlock, NO_DATE};
use crate::pages::{pack_anchors, pack_breaks};
use crate::text::{Language, WordScanner};

/// The columns that both tables have.
#[derive(Default)]
struct LayoutBuilder {
    since: TimestampSecondBuilder,
    body: UInt64Builder,
    canonical: StringBuilder,
    title_words: LargeStringBuilder,
    links: LargeStringBuilder,
    anchors: LargeBinaryBuilder,
    breaks: LargeBinaryBuilder,
    packed: Vec<u8>,
}

impl LayoutBuilder {
    fn push(&mut self, merged: &MergedPartition, capture: BlockRow) {
        let (block, page) = (&merged.blocks[capture.0 as usize], capture.1 as usize);
        let since = merged.standby.since(&merged.blocks, capture);
        self.since.append_option(date_of(since));
        self.body.append_value(block.captures.digest[page]);
        self.canonical
            .append_value(canonical_of(block, capture.1).unwrap_or_default());
        self.title_words.append_value(title_words_of(block, page));
        self.push_places(block, page);
    }

    fn push_places(&mut self, block: &FragmentBlock, page: usize) {
        let layouts = &block.texts.layouts;
        if layouts.anchors.is_empty() {
            return self.push_no_places();
        }
        let anchors = layouts.anchors.row(page);
        let mut targets = String::new();
        for anchor in anchors {
            targets.push_str(layouts.target_of(anchor).unwrap_or_default());
            targets.push('\n');
        }
        self.links.append_value(targets);
        self.packed.clear();
        pack_anchors(anchors, &mut self.packed);
        self.anchors.append_value(&self.packed);
        self.packed.clear();
        pack_breaks(layouts.breaks.row(page), &mut self.packed);
        self.breaks.append_value(&self.packed);
    }

    /// An empty row, for a page whose text is not kept: only its words are needed.
    fn push_no_places(&mut self) {
        self.links.append_value("");
        self.anchors.append_value([]);
        self.breaks.append_value([]);
    }

    /// The row of a redirect, whose columns are empty.
    fn push_nothing(&mut self) {
        self.since.append_null();
        self.body.append_value(0);
        self.canonical.append_value("");
        self.title_words.append_value("");
        self.links.append_value("");
        self.anchors.append_value([]);
        self.packed.clear();
        pack_breaks(&[], &mut self.packed);
        self.breaks.append_value(&self.packed);
    }

    fn into_columns(mut self) -> NamedColumns {
        vec![
            ("since", times(self.since), true),
            ("body", Arc::new(self.body.finish()), false),
            ("canonical", Arc::new(self.canonical.finish()), false),
            ("title_words", Arc::new(self.title_words.finish()), false),
            ("links", Arc::new(self.links.finish()), false),
            ("anchors", Arc::new(self.anchors.finish()), false),
            ("breaks", Arc::new(self.breaks.finish()), false),
        ]
    }
}

fn times(mut dates: TimestampSecondBuilder) -> ArrayRef {
    Arc::new(dates.finish().with_timezone("UTC"))
}

/// A date of a block in seconds since 1970.
fn date_of(number: u64) -> Option<i64> {
    (number != NO_DATE && number != u64::MAX).then(|| number as i64 - (1 << 62))
}

/// The canonical URL that a capture names, if it differs from its own.
fn canonical_of(block: &FragmentBlock, capture: u32) -> Option<&str> {
    let named = &block.captures.named;
    // In order of captures, and redirects after them.
    let at = named.by.binary_search(&capture).ok()?;
    Some(block.urls.get(named.url[at] as usize))
}

/// The words of a title, if they differ from the words of its stored form.
fn title_words_of(block: &FragmentBlock, page: usize) -> String {
    let words = block.texts.title_words.row(page).iter();
    let words = words.map(|&word| block.words.get(word as usize));
    let (mut kept, mut scanner) = (Vec::<String>::new(), WordScanner::default());
    scanner.scan(block.texts.title.bytes_of(page), &mut kept);
    scanner.finish(&mut kept);
    match words.clone().eq(kept.iter().map(String::as_str)) {
        true => String::new(),
        false => words.collect::<Vec<_>>().join(" "),
    }
}

/// One row per crawled page: where its links and breaks are, and what no other table has.
pub fn layout_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let (mut ids, mut layouts) = (UInt64Builder::new(), LayoutBuilder::default());
    for (row, &id) in merged.rows.iter().zip(merged.urls.values()) {
        if let Some(page) = row.page {
            ids.append_value(id);
            layouts.push(merged, page);
        }
    }
    let mut columns: NamedColumns = vec![("id", Arc::new(ids.finish()), false)];
    columns.extend(layouts.into_columns());
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// The columns of `standby` that other tables have of pages.
#[derive(Default)]
struct StandbyBuilder {
    id: UInt64Builder,
    url: StringBuilder,
    redirect: BooleanBuilder,
    title: StringBuilder,
    text: LargeStringBuilder,
    file: StringBuilder,
    offset: UInt64Builder,
    date: TimestampSecondBuilder,
    language: StringBuilder,
    layouts: LayoutBuilder,
}

impl StandbyBuilder {
    fn push_capture(&mut self, merged: &MergedPartition, capture: BlockRow) {
        let (block, page) = (&merged.blocks[capture.0 as usize], capture.1 as usize);
        let captures = &block.captures;
        self.id.append_value(captures.url_id_of(page));
        self.url.append_value(captures.page_urls.get(page));
        self.redirect.append_value(false);
        self.title.append_value(block.texts.title.get(page));
        self.text.append_value(block.texts.text.get(page));
        self.file.append_value(captures.file_of(page));
        self.offset.append_value(captures.offset[page]);
        self.date.append_option(date_of(captures.date[page]));
        let language = Language::numbered(captures.language[page]);
        self.language
            .append_option(language.as_ref().map(Language::code));
        self.layouts.push(merged, capture);
    }

    fn push_redirect(&mut self, merged: &MergedPartition, (block, url): BlockRow) {
        let block = &merged.blocks[block as usize];
        self.id.append_value(block.captures.url_ids[url as usize]);
        self.url.append_value(block.urls.get(url as usize));
        self.redirect.append_value(true);
        self.title.append_value("");
        self.text.append_value("");
        self.file.append_value("");
        self.offset.append_value(0);
        self.date.append_null();
        self.language.append_null();
        self.layouts.push_nothing();
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: NamedColumns = vec![
            ("id", Arc::new(self.id.finish()), false),
            ("url", Arc::new(self.url.finish()), false),
            ("redirect", Arc::new(self.redirect.finish()), false),
            ("title", Arc::new(self.title.finish()), false),
            ("text", Arc::new(self.text.finish()), false),
            ("file", Arc::new(self.file.finish()), false),
            ("offset", Arc::new(self.offset.finish()), false),
            ("date", times(self.date), true),
            ("language", Arc::new(self.language.finish()), true),
        ];
        columns.extend(self.layouts.into_columns());
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}

/// One row a capture or redirect that is kept beside the pages, in order of ids, captures first.
pub fn standby_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let standby = &merged.standby;
    let id = |&(block, row): &BlockRow| {
        let captures = &merged.blocks[block as usize].captures;
        captures.url_id_of(row as usize)
    };
    let redirect_id =
        |&(block, url): &BlockRow| merged.blocks[block as usize].captures.url_ids[url as usize];
    let mut rows = StandbyBuilder::default();
    let mut redirects = standby.redirects.iter().peekable();
    for capture in &standby.captures {
        while let Some(redirect) = redirects.next_if(|other| redirect_id(other) < id(capture)) {
            rows.push_redirect(merged, *redirect);
        }
        rows.push_capture(merged, *capture);
    }
    redirects.for_each(|&redirect| rows.push_redirect(merged, redirect));
    rows.finish()
}
