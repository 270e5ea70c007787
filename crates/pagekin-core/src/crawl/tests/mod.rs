//! Tests of the reader on archives built in memory.

mod archives;
mod bodies;
mod damage;
mod formats;
mod fuzz;
mod layers;
mod recovery;
mod wacz;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use flate2::write::GzEncoder;
use flate2::Compression;

use super::containers::open_pipe;
use super::{Batch, CrawlError, CrawlReader, Limits, Scratch, Skips, Source};

/// The result of reading a source.
#[derive(Debug, Default, PartialEq)]
struct CrawlResult {
    pages: Vec<Page>,
    skips: Skips,
    files: Vec<String>,
    errors: Vec<CrawlError>,
}

/// An owned capture.
#[derive(Debug, PartialEq)]
struct Page {
    url: String,
    date: Option<i64>,
    charset: Option<String>,
    body: Vec<u8>,
    file: u32,
    offset: u64,
    truncated: bool,
}

impl CrawlResult {
    /// URLs joined by spaces, a bar, and the skips.
    fn summary(&self) -> String {
        let urls: Vec<_> = self
            .pages
            .iter()
            .map(|p| p.url.trim_start_matches("http://"))
            .collect();
        format!("{} | {}", urls.join(" "), self.skips)
    }
}

fn drain(reader: &mut CrawlReader, limits: &Limits) -> CrawlResult {
    let (mut batch, mut scratch, mut read) =
        (Batch::default(), Scratch::default(), CrawlResult::default());
    loop {
        match reader.fill(&mut batch) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => read.errors.push(error),
        }
        for record in batch.records() {
            match record.decode(limits, &mut scratch) {
                Ok(c) => read.pages.push(Page {
                    url: c.url.to_owned(),
                    date: c.date,
                    charset: c.charset.map(str::to_owned),
                    body: c.body.to_vec(),
                    file: c.file,
                    offset: c.offset,
                    truncated: c.truncated,
                }),
                Err(skip) => read.skips.count(skip),
            }
        }
    }
    read.skips.add(reader.skips());
    read.files = reader.files().to_vec();
    read
}

fn read_source(source: &Source, limits: &Limits) -> CrawlResult {
    match CrawlReader::open(source, limits) {
        Ok(mut reader) => drain(&mut reader, limits),
        Err(error) => CrawlResult {
            errors: vec![error],
            ..CrawlResult::default()
        },
    }
}

fn read_pipe(bytes: &[u8], limits: &Limits) -> CrawlResult {
    match open_pipe("-", Box::new(Cursor::new(bytes.to_vec()))) {
        Ok(opened) => drain(&mut CrawlReader::new(opened, limits), limits),
        Err(error) => CrawlResult {
            errors: vec![error],
            ..CrawlResult::default()
        },
    }
}

fn read_file(bytes: &[u8], limits: &Limits) -> CrawlResult {
    let file = ScratchFile::file(bytes);
    read_source(&Source::File(file.0.clone()), limits)
}

/// Reads as a file and as a pipe, and expects the same of both.
fn read_both(bytes: &[u8]) -> CrawlResult {
    let limits = Limits::default();
    let (file, pipe) = (read_file(bytes, &limits), read_pipe(bytes, &limits));
    assert_eq!((&file.pages, &file.skips), (&pipe.pages, &pipe.skips));
    file
}

/// A file or folder that is removed when the test ends.
struct ScratchFile(PathBuf);

impl ScratchFile {
    fn path() -> PathBuf {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "pagekin-crawl-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        std::env::temp_dir().join(name)
    }

    fn file(bytes: &[u8]) -> Self {
        let scrap = Self(Self::path());
        std::fs::write(&scrap.0, bytes).unwrap();
        scrap
    }

    fn folder(files: &[(&str, &str)]) -> Self {
        let scrap = Self(Self::path());
        for (name, text) in files {
            let path = scrap.0.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
            std::fs::write(path, text).unwrap();
        }
        scrap
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A WARC record of any kind.
fn record(kind: &str, url: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// An HTTP response of status 200.
fn http(headers: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{headers}\r\n").as_bytes(), body].concat()
}

/// A record of a page whose body names it.
fn page(name: &str) -> Vec<u8> {
    let body = format!(
        "<html><title>{name}</title>{}</html>",
        "some text ".repeat(20)
    );
    record(
        "response",
        &format!("http://{name}"),
        &http(
            "Content-Type: text/html; charset=utf-8\r\n",
            body.as_bytes(),
        ),
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Each record gzipped by itself.
fn members(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| gzip(record)).collect()
}
