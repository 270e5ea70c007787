//! A single file or a stream, whose format is detected by its first bytes.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{wacz, SourceFile, SourceFiles};
use crate::crawl::inflate::{open_stream, Input, MemberStream};
use crate::crawl::{CrawlError, Skips};

/// Opens a WARC, ARC or WACZ file.
pub(in crate::crawl) fn open_file(path: &Path) -> Result<SourceFiles, CrawlError> {
    let name = path.display().to_string();
    let failed = |error: io::Error| CrawlError::io(&name, 0, &error);
    // Opening a pipe blocks until a process writes to it, and a device may have no end.
    let kind = fs::metadata(path).map_err(failed)?.file_type();
    if !kind.is_file() && !kind.is_dir() && !is_open_already(path) {
        let advice = "give a file, or - and send it to standard input";
        let reason = "is a pipe, socket or device";
        return Err(CrawlError::new(&name, 0, reason, advice));
    }
    let mut file = File::open(path).map_err(failed)?;
    let meta = file.metadata().map_err(failed)?;
    if meta.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if !meta.is_file() {
        return open_pipe(&name, Box::new(file));
    }
    let mut magic = Vec::new();
    (&file).take(4).read_to_end(&mut magic).map_err(failed)?;
    let is_zip = wacz::begins_as_zip(&magic);
    if is_zip || wacz::ends_as_zip(&mut file, meta.len()).map_err(failed)? {
        let opened = wacz::open(path, &name);
        // A zip file with a damaged start still lists its archives. An ARC may also end with a zip file.
        if is_zip || opened.is_ok() {
            return opened;
        }
    }
    let input = Input::part(file, 0, meta.len()).map_err(failed)?;
    let stream = open_stream(&name, input)?;
    Ok(single(name, stream, Some(meta.len())))
}

/// Whether a path stands for a file that the process has open, as those of `<(command)` do.
fn is_open_already(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/proc/self/fd"]
        .iter()
        .any(|open| path.starts_with(open))
}

/// Opens a WARC or ARC that comes through a pipe.
pub(in crate::crawl) fn open_pipe(
    name: &str,
    bytes: Box<dyn Read + Send>,
) -> Result<SourceFiles, CrawlError> {
    let mut input = Input::pipe(bytes);
    let magic = input.peek(4).map_err(|e| CrawlError::io(name, 0, &e))?;
    if wacz::begins_as_zip(magic) {
        let advice = "save it to a file and give the file";
        return Err(CrawlError::new(
            name,
            0,
            "a WACZ cannot be read from a pipe",
            advice,
        ));
    }
    let stream = open_stream(name, input)?;
    Ok(single(name.to_owned(), stream, None))
}

fn single(name: String, stream: MemberStream, size: Option<u64>) -> SourceFiles {
    let file = SourceFile::Archive {
        name,
        size: size.unwrap_or(0),
        open: Box::new(|| Ok(stream)),
    };
    SourceFiles {
        files: VecDeque::from([file]),
        skips: Skips::default(),
        size,
    }
}
