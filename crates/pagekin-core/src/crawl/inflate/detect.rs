//! Detection of the compression of a file, by its first bytes or by its first sound member.

use std::io::{self, Read};

use memchr::memmem;
use ruzstd::decoding::StreamingDecoder;

use super::gunzip::MAGIC;
use super::input::{Input, FURTHEST};
use super::resync::{begins_after_blank, probe_gzip};
use super::stream::MemberStream;
use super::unzstd::{Unzstd, MAGIC as ZSTD_MAGIC};
use crate::crawl::record_start::find_anywhere;
use crate::crawl::CrawlError;

/// Largest dictionary of a `.warc.zst` file that is accepted.
const DICTIONARY: u64 = 16 << 20;

/// Opens a file by its magic number.
pub(in crate::crawl) fn open_stream(
    name: &str,
    mut input: Input,
) -> Result<MemberStream, CrawlError> {
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
        None => Ok(MemberStream::plain(input)),
        Some(Compression::Gzip) => Ok(MemberStream::gzip(input)),
        Some(Compression::Zstd) => {
            let dictionary = dictionary_of(&mut input).map_err(failed)?;
            MemberStream::zstd(input, dictionary).ok_or_else(|| {
                let advice = "fetch the file again; it cannot be read without its dictionary";
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
            // Loading the dictionary reports bytes that do not inflate.
            let _ = decoder.take(DICTIONARY).read_to_end(&mut bytes);
        }
    }
    Ok(Some(bytes))
}

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
}

/// The compression that the first bytes declare.
fn compression_of(magic: &[u8]) -> Option<Compression> {
    let skippable = matches!(magic, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    if magic.starts_with(&MAGIC[..2]) {
        Some(Compression::Gzip)
    } else {
        (skippable || magic.starts_with(&ZSTD_MAGIC)).then_some(Compression::Zstd)
    }
}

/// The compression of a file whose first bytes are damaged: that of the first member that starts
/// a record, unless an uncompressed record comes first.
fn compression_within(bytes: &[u8]) -> Option<Compression> {
    if begins_after_blank(bytes) {
        return None;
    }
    let gzip = memmem::find_iter(bytes, &MAGIC).find(|&at| probe_gzip(&bytes[at..]));
    let is_frame =
        |at: &usize| Unzstd::new(None).is_some_and(|mut frame| frame.probe(&bytes[*at..]));
    let zstd = memmem::find_iter(bytes, &ZSTD_MAGIC).find(is_frame);
    let first = match (gzip, zstd) {
        (Some(gzip), Some(zstd)) if zstd < gzip => (zstd, Compression::Zstd),
        (Some(gzip), _) => (gzip, Compression::Gzip),
        (None, zstd) => (zstd?, Compression::Zstd),
    };
    let plain = find_anywhere(bytes, None);
    (plain.is_none_or(|plain| first.0 < plain)).then_some(first.1)
}
