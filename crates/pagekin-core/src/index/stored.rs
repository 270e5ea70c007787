//! The pages of a shard as they were read from their captures, for a build from the index.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampSecondType, UInt16Type, UInt64Type};
use arrow_array::{Array, RecordBatch};

use super::files::table::MappedTable;
use super::files::verified::{TableError, VerifiedFile};
use crate::crawl::{CaptureKind, Listing};
use crate::pages::StoredPage;
use crate::text::Language;

/// What an index keeps of a crawl.
pub enum StoredRow<'a> {
    /// A capture; the number of its file is yet to be given.
    Capture {
        /// The table that it is in.
        table: &'a MappedTable,
        /// What is kept of it.
        page: StoredPage<'a>,
        /// The name of its file.
        file: &'a str,
    },
    /// A URL that redirects to a variant of itself.
    Redirect(&'a str),
    /// A capture as it is listed, and the name of its file.
    Listed(Listing<'a>, &'a str),
}

/// The tables of a shard that pages can be made from again.
#[derive(Debug)]
pub struct StoredShard {
    pages: MappedTable,
    texts: MappedTable,
    layouts: MappedTable,
    standby: MappedTable,
    captures: MappedTable,
}

/// The columns of `captures` that are read.
const CAPTURES: [&str; 9] = [
    "url", "date", "kind", "status", "media", "digest", "length", "file", "offset",
];
/// The columns of `pages` that are read.
const PAGES: [&str; 7] = ["id", "url", "title", "file", "offset", "date", "language"];
/// The columns that both `layouts` and `standby` have at their end.
const LAYOUT: [&str; 7] = [
    "since",
    "body",
    "canonical",
    "title_words",
    "links",
    "anchors",
    "breaks",
];
/// The other columns of `standby`.
const STANDBY: [&str; 8] = [
    "url", "redirect", "title", "text", "file", "offset", "date", "language",
];

impl StoredShard {
    /// The tables of a shard.
    pub const TABLES: [&'static str; 5] = ["pages", "texts", "layouts", "standby", "captures"];

    /// Opens the tables of a shard, which are in these files.
    pub fn open(files: &HashMap<&str, Arc<VerifiedFile>>) -> Result<Self, TableError> {
        let file = |name: &str| {
            files.get(name).cloned().ok_or_else(|| TableError {
                file: name.to_owned(),
                what: "the table is missing".to_owned(),
            })
        };
        let layouts = [&["id"], &LAYOUT[..]].concat();
        let standby = [&STANDBY[..], &LAYOUT].concat();
        let shard = Self {
            pages: MappedTable::open(file("pages")?, &PAGES)?,
            texts: MappedTable::open_compressed(file("texts")?, &["id", "text"])?,
            layouts: MappedTable::open_layouts(file("layouts")?, &layouts)?,
            standby: MappedTable::open_compressed(file("standby")?, &standby)?,
            captures: MappedTable::open(file("captures")?, &CAPTURES)?,
        };
        match shard.texts.rows() == shard.layouts.rows() {
            true => Ok(shard),
            false => Err(shard.layouts.error("not every text has one layout")),
        }
    }

    /// How many pages it has.
    pub fn pages(&self) -> usize {
        self.layouts.rows()
    }

    /// How many captures and redirects it keeps beside them.
    pub fn standby(&self) -> usize {
        self.standby.rows()
    }

    /// How many captures it lists.
    pub fn captures(&self) -> usize {
        self.captures.rows()
    }

    /// Visits some of the captures that are listed.
    pub fn read_captures<E: From<TableError>>(
        &self,
        rows: Range<usize>,
        visit: &mut impl FnMut(StoredRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for row in rows {
            let (batch, at) = self.captures.find(row)?;
            let text = |column| Ok::<_, TableError>(batch.text::<i32>(column, at)?.unwrap_or(""));
            let kind = CaptureKind::named(text(2)?);
            let unknown = || {
                self.captures
                    .error("a capture is of no kind or has no place")
            };
            let listed = Listing {
                url: text(0)?,
                date: batch.known::<TimestampSecondType>(1, at)?,
                kind: kind.ok_or_else(unknown)?,
                status: batch.known::<UInt16Type>(3, at)?,
                media: text(4)?.to_owned(),
                digest: text(5)?.to_owned(),
                length: batch.known::<UInt64Type>(6, at)?,
                file: 0,
                offset: batch.known::<UInt64Type>(8, at)?.ok_or_else(unknown)?,
            };
            visit(StoredRow::Listed(listed, text(7)?))?;
        }
        Ok(())
    }

    /// Visits some of the pages.
    pub fn read_pages<E: From<TableError>>(
        &self,
        rows: Range<usize>,
        visit: &mut impl FnMut(StoredRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut texts = BatchCursor::new(&self.texts);
        let mut layouts = BatchCursor::new(&self.layouts);
        for row in rows {
            let (text, text_at) = texts.find(row)?;
            let (layout, at) = layouts.find(row)?;
            let ids = [(text, text_at), (layout, at)];
            let [id, layout_id] = ids.map(|(batch, at)| {
                let ids = batch.column(0).as_primitive_opt::<UInt64Type>();
                ids.map(|ids| ids.value(at))
            });
            let unknown = || self.layouts.error("a layout is of no crawled page");
            let id = id.filter(|_| id == layout_id).ok_or_else(unknown)?;
            let (row, row_at) = self.pages.find_key(id)?.ok_or_else(unknown)?;
            let language = row.text::<i32>(6, row_at)?;
            let page = StoredPage {
                url: row.text::<i32>(1, row_at)?.unwrap_or_default(),
                title: row.text::<i32>(2, row_at)?.unwrap_or_default(),
                offset: row.known::<UInt64Type>(4, row_at)?.ok_or_else(unknown)?,
                date: row.known::<TimestampSecondType>(5, row_at)?,
                language: language.and_then(Language::named),
                text: StoredColumns(text, &self.texts).text(1, text_at)?,
                ..StoredColumns(layout, &self.layouts).layout(1, at)?
            };
            let file = row.text::<i32>(3, row_at)?.unwrap_or_default();
            let table = &self.layouts;
            visit(StoredRow::Capture { table, page, file })?;
        }
        Ok(())
    }

    /// Visits some of the captures and redirects beside the pages.
    pub fn read_standby<E: From<TableError>>(
        &self,
        rows: Range<usize>,
        visit: &mut impl FnMut(StoredRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let table = &self.standby;
        let mut cursor = BatchCursor::new(table);
        for row in rows {
            let (batch, at) = cursor.find(row)?;
            let columns = StoredColumns(batch, table);
            let url = columns.short(0, at)?;
            if columns.flag(1, at)? {
                visit(StoredRow::Redirect(url))?;
                continue;
            }
            let page = StoredPage {
                url,
                title: columns.short(2, at)?,
                text: columns.text(3, at)?,
                offset: columns.number(5, at)?,
                date: columns.time(6, at)?,
                language: Language::named(columns.short(7, at)?),
                ..columns.layout(STANDBY.len(), at)?
            };
            let file = columns.short(4, at)?;
            visit(StoredRow::Capture { table, page, file })?;
        }
        Ok(())
    }
}

/// The batch of a compressed table that was read last: rows are read in order.
struct BatchCursor<'a> {
    table: &'a MappedTable,
    first: usize,
    batch: Option<RecordBatch>,
}

impl<'a> BatchCursor<'a> {
    fn new(table: &'a MappedTable) -> Self {
        Self {
            table,
            first: 0,
            batch: None,
        }
    }

    /// The batch of a row, and the row's place in it.
    fn find(&mut self, row: usize) -> Result<(&RecordBatch, usize), TableError> {
        let held = self.batch.as_ref().map_or(0, RecordBatch::num_rows);
        if self.batch.is_none() || !(self.first..self.first + held).contains(&row) {
            let (batch, at) = self.table.decompress(row)?;
            self.first = row - at;
            self.batch = Some(batch);
        }
        let missing = || self.table.error("a batch is missing");
        let batch = self.batch.as_ref().ok_or_else(missing)?;
        Ok((batch, row - self.first))
    }
}

/// The columns of a batch of a compressed table.
struct StoredColumns<'a>(&'a RecordBatch, &'a MappedTable);

impl<'a> StoredColumns<'a> {
    fn wrong(&self) -> TableError {
        self.1
            .error("the table has other columns than its format says")
    }

    fn short(&self, column: usize, row: usize) -> Result<&'a str, TableError> {
        let texts = self.0.column(column).as_string_opt::<i32>();
        let texts = texts.ok_or_else(|| self.wrong())?;
        Ok(if texts.is_valid(row) {
            texts.value(row)
        } else {
            ""
        })
    }

    fn text(&self, column: usize, row: usize) -> Result<&'a str, TableError> {
        let texts = self.0.column(column).as_string_opt::<i64>();
        Ok(texts.ok_or_else(|| self.wrong())?.value(row))
    }

    fn bytes(&self, column: usize, row: usize) -> Result<&'a [u8], TableError> {
        let bytes = self.0.column(column).as_binary_opt::<i64>();
        Ok(bytes.ok_or_else(|| self.wrong())?.value(row))
    }

    fn flag(&self, column: usize, row: usize) -> Result<bool, TableError> {
        let flags = self.0.column(column).as_boolean_opt();
        Ok(flags.ok_or_else(|| self.wrong())?.value(row))
    }

    fn number(&self, column: usize, row: usize) -> Result<u64, TableError> {
        let numbers = self.0.column(column).as_primitive_opt::<UInt64Type>();
        Ok(numbers.ok_or_else(|| self.wrong())?.value(row))
    }

    fn time(&self, column: usize, row: usize) -> Result<Option<i64>, TableError> {
        let times = self.0.column(column);
        let times = times.as_primitive_opt::<TimestampSecondType>();
        let times = times.ok_or_else(|| self.wrong())?;
        Ok(times.is_valid(row).then(|| times.value(row)))
    }

    /// What the columns of [`LAYOUT`] say of a row, the first of them being `first`.
    fn layout(&self, first: usize, row: usize) -> Result<StoredPage<'a>, TableError> {
        Ok(StoredPage {
            url: "",
            file: 0,
            offset: 0,
            date: None,
            since: self.time(first, row)?,
            body: self.number(first + 1, row)?,
            canonical: self.short(first + 2, row)?,
            language: None,
            title: "",
            title_words: self.text(first + 3, row)?,
            text: "",
            links: self.text(first + 4, row)?,
            anchors: self.bytes(first + 5, row)?,
            breaks: self.bytes(first + 6, row)?,
        })
    }
}
