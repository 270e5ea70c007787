//! Where captures come from, and what a file is, by its first bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;

use super::read::{compression_of, compression_within, Compression};
use super::read::{Input, Pending, Stream, FURTHEST, ZSTD_MAGIC};
use super::{folder, wacz, CrawlError, Skips};

/// Largest dictionary of a `.warc.zst` file that is accepted.
const DICTIONARY: u64 = 16 << 20;

/// Where captures come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A WARC, ARC or WACZ file, compressed or not; its name does not matter.
    File(PathBuf),
    /// A folder of HTML files, whose URLs are their paths under a base.
    Folder {
        /// The folder.
        root: PathBuf,
        /// The URL of the folder.
        base_url: String,
    },
    /// Standard input: a WARC or ARC, compressed or not.
    Stdin,
    /// A named pipe through which somebody hands us a file from elsewhere.
    Pipe {
        /// The pipe.
        path: PathBuf,
        /// What the file is called where it comes from.
        name: String,
    },
}

/// A source whose files are known.
pub(super) struct Opened {
    pub pending: VecDeque<Pending>,
    pub skips: Skips,
    pub size: Option<u64>,
}

pub(super) fn open(source: &Source) -> Result<Opened, CrawlError> {
    match source {
        Source::File(path) => open_file(path),
        Source::Folder { root, base_url } => open_folder(root, base_url),
        Source::Stdin => open_pipe("-", Box::new(io::stdin())),
        Source::Pipe { path, name } => {
            let pipe = File::open(path).map_err(|error| CrawlError::io(name, 0, &error))?;
            open_pipe(name, Box::new(pipe))
        }
    }
}

fn open_file(path: &Path) -> Result<Opened, CrawlError> {
    let name = path.display().to_string();
    let failed = |error: io::Error| CrawlError::io(&name, 0, &error);
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
        // One with a damaged beginning is known by its archives: an ARC too may end with a zip file.
        if is_zip || opened.is_ok() {
            return opened;
        }
    }
    let input = Input::part(file, 0, meta.len()).map_err(failed)?;
    let stream = stream_of(&name, input)?;
    Ok(single(name, stream, Some(meta.len())))
}

pub(super) fn open_pipe(name: &str, bytes: Box<dyn Read + Send>) -> Result<Opened, CrawlError> {
    let mut input = Input::pipe(bytes);
    let magic = input.peek(4).map_err(|e| CrawlError::io(name, 0, &e))?;
    if wacz::begins_as_zip(magic) {
        let advice = "save it to a file and give that";
        return Err(CrawlError::new(
            name,
            0,
            "a WACZ cannot be read from a pipe",
            advice,
        ));
    }
    let stream = stream_of(name, input)?;
    Ok(single(name.to_owned(), stream, None))
}

fn single(name: String, stream: Stream, size: Option<u64>) -> Opened {
    let stream = Box::new(stream);
    Opened {
        pending: VecDeque::from([Pending::Open {
            name,
            stream,
            size: size.unwrap_or(0),
        }]),
        skips: Skips::default(),
        size,
    }
}

/// The inflated bytes of a file, by its magic number.
pub(super) fn stream_of(name: &str, mut input: Input) -> Result<Stream, CrawlError> {
    let failed = |error: io::Error| CrawlError::io(name, 0, &error);
    let magic = input.peek(4).map_err(failed)?;
    if magic.is_empty() {
        return Err(CrawlError::new(
            name,
            0,
            "is empty",
            "fetch or write it again, or leave it out",
        ));
    }
    match compression_of(magic).or_else(|| compression_within(input.look_ahead(FURTHEST))) {
        None => Ok(Stream::plain(input)),
        Some(Compression::Gzip) => Ok(Stream::gzip(input)),
        Some(Compression::Zstd) => {
            let dictionary = dictionary_of(&mut input).map_err(failed)?;
            Stream::zstd(input, dictionary).ok_or_else(|| {
                let advice = "fetch the file again; without its dictionary it cannot be read";
                CrawlError::new(name, 0, "its zstd dictionary is broken", advice)
            })
        }
    }
}

/// The dictionary in the first frame of a `.warc.zst`, itself perhaps compressed.
fn dictionary_of(input: &mut Input) -> io::Result<Option<Vec<u8>>> {
    let head = input.peek(8)?;
    let [0x5D, 0x2A, 0x4D, 0x18, a, b, c, d, ..] = *head else {
        return Ok(None);
    };
    input.consume(8);
    let size = u64::from(u32::from_le_bytes([a, b, c, d]));
    let mut bytes = Vec::new();
    input.take(size.min(DICTIONARY)).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.starts_with(&ZSTD_MAGIC) {
        let packed = std::mem::take(&mut bytes);
        if let Ok(decoder) = StreamingDecoder::new(packed.as_slice()) {
            // What does not inflate is no dictionary, which whoever loads it reports.
            let _ = decoder.take(DICTIONARY).read_to_end(&mut bytes);
        }
    }
    Ok(Some(bytes))
}

fn open_folder(root: &Path, base_url: &str) -> Result<Opened, CrawlError> {
    let name = root.display().to_string();
    let Some(base) = folder::base_of(base_url) else {
        let reason = format!("the base URL {base_url:?} is not an http or https URL");
        return Err(CrawlError::new(
            &name,
            0,
            reason,
            "give one such as http://site.example/",
        ));
    };
    let found = folder::html_files(root).map_err(|e| CrawlError::io(&name, 0, &e))?;
    if found.is_empty() {
        let advice = "check the path, or name the pages so";
        return Err(CrawlError::new(
            &name,
            0,
            "holds no .html, .htm or .xhtml file",
            advice,
        ));
    }
    let pending: VecDeque<_> = found
        .into_iter()
        .map(|(path, size)| match size {
            Ok(size) => html(root, &path, &base, size),
            Err(error) => Pending::Failed(error),
        })
        .collect();
    let size = pending.iter().map(Pending::size).sum();
    Ok(Opened {
        pending,
        skips: Skips::default(),
        size: Some(size),
    })
}

fn html(root: &Path, path: &Path, base: &str, size: u64) -> Pending {
    let url = folder::url_of(base, path);
    let path = root.join(path);
    Pending::Html { path, url, size }
}

/// A file in which no record was found.
pub(super) fn no_archive(name: &str, plain: bool, offset: u64) -> CrawlError {
    let (reason, advice) = if plain {
        (
            "is not a WARC, ARC or WACZ",
            "check that it is the right file",
        )
    } else {
        (
            "is compressed, but no WARC or ARC record could be read from it",
            "fetch it again, or check that it is the right file",
        )
    };
    CrawlError::new(name, offset, reason, advice)
}

/// A file that inflates without end to nothing of use.
pub(super) fn bomb(name: &str, offset: u64, ratio: u64) -> CrawlError {
    let reason =
        format!("over 1 GiB without a record inflated from it, {ratio} bytes for each stored");
    CrawlError::new(
        name,
        offset,
        reason,
        "leave it out, or compress it by record",
    )
}
