//! A WACZ (zip) file as a crawl: which of its entries are archives, and where their bytes are.
//!
//! An entry that cannot be read is a failure of its own; the others are read. Entries must not
//! overlap, so reading a zip file never takes more bytes than the file has.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use flate2::read::DeflateDecoder;
use zip::read::{Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, HasZipMetadata};

use super::{SourceFile, SourceFiles};
use crate::crawl::inflate::{open_stream, Input, MemberStream};
use crate::crawl::{CrawlError, Skip, Skips};

const NO_DIRECTORY: &str = "is a broken zip file: it has no sound directory";
const PACK_AGAIN: &str = "fetch or pack the zip file again";

/// The record at the end of a zip file without a comment.
const END: u64 = 22;

pub(super) fn begins_as_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

pub(super) fn ends_as_zip(file: &mut File, size: u64) -> io::Result<bool> {
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(size.saturating_sub(END)))?;
    file.take(END).read_to_end(&mut end)?;
    Ok(end.starts_with(b"PK\x05\x06") && end.ends_with(&[0, 0]))
}

/// The archives of a zip file, in the order of its directory.
pub(super) fn open(path: &Path, name: &str) -> Result<SourceFiles, CrawlError> {
    let file = File::open(path).map_err(|e| CrawlError::io(name, 0, &e))?;
    let broken = |error| fault(name, NO_DIRECTORY, error);
    let mut zip = ZipIterable::try_new(BufReader::new(file), Config::default()).map_err(broken)?;
    let listed = zip.files().map_err(broken)?;
    let (mut entries, mut rest) = (Vec::new(), None);
    for entry in listed.by_ref() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => rest = Some(error),
        }
    }
    let mut opened = archives(&entries, listed.reader_mut(), path, name);
    if let Some(error) = rest {
        let reason = format!(
            "is a broken zip file: its directory ends after {} of its entries",
            entries.len()
        );
        let failed = SourceFile::Failed(fault(name, &reason, error));
        opened.files.push_back(failed);
    }
    if opened.files.is_empty() {
        return Err(CrawlError::new(
            name,
            0,
            "is a zip file without a WARC in it",
            "give a WACZ, with WARC files in its folder archive/",
        ));
    }
    Ok(opened)
}

/// Describes the fault to users; the library's messages describe its internals.
fn fault(name: &str, reason: &str, error: ZipError) -> CrawlError {
    match error {
        ZipError::Io(error) => CrawlError::io(name, 0, &error),
        _ => CrawlError::new(name, 0, reason, PACK_AGAIN),
    }
}

fn archives(
    entries: &[ZipFileEntry<'_>],
    reader: &mut BufReader<File>,
    path: &Path,
    name: &str,
) -> SourceFiles {
    let mut ranges = EntryRanges::new(entries, reader);
    let (mut files, mut skips) = (VecDeque::new(), Skips::default());
    for entry in entries {
        let inner = String::from_utf8_lossy(entry.name_raw());
        if inner.ends_with('/') {
            continue;
        }
        if !is_archive_name(&inner) {
            skips.count(Skip::Info);
            continue;
        }
        let name = format!("{name}#{inner}");
        let place = check_kind(entry, &name).and_then(|()| ranges.start_of(entry, reader, &name));
        files.push_back(match place {
            Ok(start) => {
                let (name, path) = (name, path.to_owned());
                let size = entry.compressed_size();
                let deflated = entry.compression() == CompressionMethod::Deflated;
                SourceFile::Archive {
                    name: name.clone(),
                    size,
                    open: Box::new(move || open_entry(&name, &path, start..start + size, deflated)),
                }
            }
            Err(error) => SourceFile::Failed(error),
        });
    }
    SourceFiles::new(files, skips)
}

fn is_archive_name(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    plain.ends_with(".warc") || plain.ends_with(".arc")
}

fn check_kind(entry: &ZipFileEntry<'_>, name: &str) -> Result<(), CrawlError> {
    let (reason, advice) = match entry.compression() {
        _ if entry.encrypted() => ("is encrypted", "pack the zip file again without a password"),
        CompressionMethod::Stored | CompressionMethod::Deflated => return Ok(()),
        _ => (
            "uses an unknown compression method",
            "pack the zip file again with stored or deflated entries",
        ),
    };
    Err(CrawlError::new(name, 0, reason, advice))
}

/// The byte ranges of the entries, to detect overlaps.
struct EntryRanges {
    /// Offsets of the readable local headers, and of the directory after them.
    heads: Vec<u64>,
    taken: HashSet<u64>,
}

impl EntryRanges {
    fn new(entries: &[ZipFileEntry<'_>], reader: &mut BufReader<File>) -> Self {
        let metadata = entries.iter().map(HasZipMetadata::get_metadata);
        let directory = metadata.clone().map(|entry| entry.central_header_start);
        let sound = metadata.filter(|entry| entry.data_start(reader).is_ok());
        let mut heads: Vec<u64> = sound.map(|entry| entry.header_start).collect();
        heads.extend(directory.take(1));
        heads.sort_unstable();
        let taken = HashSet::new();
        Self { heads, taken }
    }

    /// The offset of an entry's bytes, if they exist and no other entry has claimed them.
    fn start_of(
        &mut self,
        entry: &ZipFileEntry<'_>,
        reader: &mut BufReader<File>,
        name: &str,
    ) -> Result<u64, CrawlError> {
        let metadata = entry.get_metadata();
        let start = metadata.data_start(reader).map_err(|error| {
            let reason = "has no header where the zip file's directory says";
            fault(name, reason, error)
        })?;
        let head = metadata.header_start;
        let next = self.heads.partition_point(|&other| other <= head);
        let end = start.checked_add(entry.compressed_size());
        let fits = end.is_some_and(|end| self.heads.get(next).is_some_and(|&next| end <= next));
        if !fits || !self.taken.insert(head) {
            let reason = "reaches into another part of the zip file, or past its end";
            return Err(CrawlError::new(name, 0, reason, PACK_AGAIN));
        }
        Ok(start)
    }
}

/// Opens an archive inside a zip file.
fn open_entry(
    name: &str,
    path: &Path,
    bytes: Range<u64>,
    deflated: bool,
) -> Result<MemberStream, CrawlError> {
    let failed = |error: io::Error| CrawlError::io(name, 0, &error);
    let file = File::open(path).map_err(failed)?;
    let part = Input::part(file, bytes.start, bytes.end - bytes.start).map_err(failed)?;
    let input = if deflated {
        Input::pipe(Box::new(DeflateDecoder::new(part)))
    } else {
        part
    };
    open_stream(name, input)
}
