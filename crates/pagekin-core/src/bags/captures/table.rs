//! The table of captures: every one of a partition, pages or not, in order of URL and date.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, TimestampSecondArray, UInt16Array, UInt64Array};
use arrow_schema::ArrowError;

use crate::bags::merge::MergedPartition;
use crate::fragments::ListedCapture;

/// One row per capture. Rows that are equal in all columns come from a file that was named twice.
pub fn capture_batch(merged: &MergedPartition) -> Result<RecordBatch, ArrowError> {
    let mut rows: Vec<ListedCapture<'_>> = merged
        .blocks
        .iter()
        .flat_map(|block| block.listed.iter())
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let rows = &rows[..];
    let ids = rows.iter().map(|row| row.id);
    let date = TimestampSecondArray::from_iter(rows.iter().map(|row| row.date));
    let status = UInt16Array::from_iter(rows.iter().map(|row| row.status));
    let length = UInt64Array::from_iter(rows.iter().map(|row| row.length));
    let offset = UInt64Array::from_iter_values(rows.iter().map(|row| row.offset));
    let kinds = rows.iter().map(|row| row.kind.name().as_bytes());
    RecordBatch::try_from_iter_with_nullable(vec![
        (
            "id",
            Arc::new(UInt64Array::from_iter_values(ids)) as ArrayRef,
            false,
        ),
        ("url", texts(rows.iter().map(|row| row.url)), false),
        ("date", Arc::new(date.with_timezone("UTC")), true),
        ("kind", texts(kinds), false),
        ("status", Arc::new(status), true),
        (
            "media",
            texts_or_null(rows.iter().map(|row| row.media)),
            true,
        ),
        (
            "digest",
            texts_or_null(rows.iter().map(|row| row.digest)),
            true,
        ),
        ("length", Arc::new(length), true),
        ("file", texts(rows.iter().map(|row| row.file)), false),
        ("offset", Arc::new(offset), false),
    ])
}

fn texts<'a>(rows: impl Iterator<Item = &'a [u8]>) -> ArrayRef {
    let mut made = StringBuilder::new();
    rows.for_each(|row| made.append_value(String::from_utf8_lossy(row)));
    Arc::new(made.finish())
}

fn texts_or_null<'a>(rows: impl Iterator<Item = &'a [u8]>) -> ArrayRef {
    let mut made = StringBuilder::new();
    for row in rows {
        let known = (!row.is_empty()).then(|| String::from_utf8_lossy(row));
        made.append_option(known);
    }
    Arc::new(made.finish())
}
