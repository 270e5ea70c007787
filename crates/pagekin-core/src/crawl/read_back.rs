//! Random access: one record of an archive, by the place that an index has of it.
//!
//! The place is not trusted: only a whole record that begins there is returned, and reading stops at
//! the maximum size of a record.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use super::containers::{names_page, open_file, SourceFile};
use super::framing::{Batch, Framer, FramingError};
use super::inflate::{open_stream, Input, MemberStream};
use super::{ArchivedRecord, CaptureKind, CrawlError, Limits, MediaType, Skip};

/// Bytes after a record that framing looks at: line breaks, and the trailer of a gzip member.
const BEHIND: u64 = 64;
/// Bytes of records that suffice to recognise the first.
const ONE_RECORD: usize = 1;
const MOVED: &str =
    "the file may have changed since it was indexed: say where the old one is, or index it again";

/// Where the stored bytes of a record are.
#[derive(Clone, Debug)]
pub enum StoredRecord {
    /// In a file, or in an entry of a zip file.
    File(PathBuf, Option<String>),
    /// A file of a folder of pages, which has this URL.
    Page(PathBuf, String),
    /// The record's stored bytes themselves, after the dictionary of its file if it has one.
    Bytes(String, Vec<u8>),
}

/// The place of a record.
#[derive(Clone, Copy, Debug)]
pub struct RecordPlace {
    /// As [`super::Capture::offset`].
    pub offset: u64,
    /// Number of stored bytes that hold it; without it everything before the record is read.
    pub length: Option<u64>,
}

/// Reads a record.
pub fn read_back(
    stored: &StoredRecord,
    place: RecordPlace,
    limits: &Limits,
) -> Result<ArchivedRecord, CrawlError> {
    let name = stored.name();
    match stored {
        StoredRecord::Page(path, url) => read_page(path, url, limits),
        StoredRecord::Bytes(_, bytes) => {
            let stream = open_stream(&name, Input::pipe(Box::new(Cursor::new(bytes.clone()))))?;
            first_record(Framer::new(stream, *limits, 0), &name, place, limits)
        }
        StoredRecord::File(path, entry) => {
            let mut stream = open_archive(path, entry.as_deref(), &name)?;
            if seek(&mut stream, place).map_err(|e| CrawlError::io(&name, place.offset, &e))? {
                let framer = Framer::new(stream, *limits, 0).starting_at(place.offset);
                return first_record(framer, &name, place, limits);
            }
            search(Framer::new(stream, *limits, 0), &name, place, limits)
        }
    }
}

impl StoredRecord {
    fn name(&self) -> String {
        match self {
            Self::File(path, Some(entry)) => format!("{}#{entry}", path.display()),
            Self::File(path, None) | Self::Page(path, _) => path.display().to_string(),
            Self::Bytes(name, _) => name.clone(),
        }
    }
}

/// Moves to the bytes of a record and ends behind them. False, without moving, if it can only be
/// found by reading everything before it.
fn seek(stream: &mut MemberStream, place: RecordPlace) -> io::Result<bool> {
    let Some(length) = place.length else {
        return Ok(false);
    };
    let Some(size) = stream.input.len() else {
        return Ok(false);
    };
    stream.input.seek(place.offset.min(size))?;
    let end = place.offset.saturating_add(length);
    stream.input.end_at(end.saturating_add(BEHIND));
    Ok(true)
}

/// The stored bytes of an archive, or of the entry of this name.
fn open_archive(path: &Path, entry: Option<&str>, name: &str) -> Result<MemberStream, CrawlError> {
    let mut files = open_file(path)?.files.into_iter();
    let found = files.find_map(|file| match file {
        SourceFile::Archive {
            name: own, open, ..
        } if entry.is_none() || own == name => Some(open),
        _ => None,
    });
    let missing = || CrawlError::new(name, 0, "is not in the zip file, or cannot be read", MOVED);
    found.ok_or_else(missing)?()
}

/// The record that begins at the place.
fn first_record(
    mut framer: Framer,
    name: &str,
    place: RecordPlace,
    limits: &Limits,
) -> Result<ArchivedRecord, CrawlError> {
    let mut batch = Batch::default();
    framed(framer.fill_up_to(&mut batch, ONE_RECORD), name, place)?;
    // Bytes that were cut out of a file begin with the record.
    let is_cut_out = framer.stream.input.len().is_none();
    let first = batch.records().next();
    let found = first.filter(|record| is_cut_out || record.offset == place.offset);
    let record = found.ok_or_else(|| match framer.skips.iter().next() {
        Some((skip, _)) => unusable(name, place, skip),
        None => CrawlError::new(name, place.offset, "has no record there", MOVED),
    })?;
    let archived = record.archived(limits);
    archived.map_err(|skip| unusable(name, place, skip))
}

/// The record at an offset in the inflated bytes, after all that come before it.
fn search(
    mut framer: Framer,
    name: &str,
    place: RecordPlace,
    limits: &Limits,
) -> Result<ArchivedRecord, CrawlError> {
    let mut batch = Batch::default();
    loop {
        batch.clear();
        let more = framed(framer.fill(&mut batch), name, place)?;
        let mut records = batch.records();
        let found =
            records.find(|record| record.offset == place.offset && record.length == place.length);
        if let Some(record) = found {
            let archived = record.archived(limits);
            return archived.map_err(|skip| unusable(name, place, skip));
        }
        if !more {
            let reason = "has no record there";
            return Err(CrawlError::new(name, place.offset, reason, MOVED));
        }
    }
}

fn framed(
    done: Result<bool, FramingError>,
    name: &str,
    place: RecordPlace,
) -> Result<bool, CrawlError> {
    done.map_err(|error| match error {
        FramingError::Io(error) => CrawlError::io(name, place.offset, &error),
        FramingError::Bomb(ratio) => CrawlError::bomb(name, place.offset, ratio),
    })
}

fn unusable(name: &str, place: RecordPlace, skip: Skip) -> CrawlError {
    let reason = format!("has no whole record of a capture there ({skip})");
    CrawlError::new(name, place.offset, reason, MOVED)
}

/// A file of a folder of pages. Only one with the name of the page is read: an index may be forged.
fn read_page(path: &Path, url: &str, limits: &Limits) -> Result<ArchivedRecord, CrawlError> {
    let name = path.display().to_string();
    let failed = |error: io::Error| CrawlError::io(&name, 0, &error);
    let refused = |reason: &str| Err(CrawlError::new(&name, 0, reason, MOVED));
    if MediaType::of_file_name(path).is_none() || !names_page(path, url) {
        return refused("does not have the name of the page");
    }
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return refused("is not a file");
    }
    let mut body = Vec::new();
    let file = File::open(path).map_err(failed)?;
    let mut file = file.take(limits.body.saturating_add(1));
    file.read_to_end(&mut body).map_err(failed)?;
    if body.len() as u64 > limits.body {
        return refused("is too large");
    }
    Ok(ArchivedRecord {
        url: url.to_owned(),
        date: None,
        kind: CaptureKind::File,
        head: Vec::new(),
        body,
        charset: None,
        encoded: false,
        truncated: false,
        refers_to: None,
    })
}
