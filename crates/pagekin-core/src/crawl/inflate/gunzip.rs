//! Streaming decompression of gzip members, verified by their trailers.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::input::{Input, BUFFER};
use super::stream::PullState;

/// How a gzip member begins.
pub(in crate::crawl) const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];

/// The result of measuring a gzip header.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::crawl) enum GzipHeader {
    Len(usize),
    Short,
    Bad,
}

/// Measures the header of a gzip member.
pub(in crate::crawl) fn gzip_header(bytes: &[u8]) -> GzipHeader {
    let seen = bytes.len().min(MAGIC.len());
    if bytes[..seen] != MAGIC[..seen] || bytes.get(3).is_some_and(|flags| flags & 0xE0 != 0) {
        return GzipHeader::Bad;
    }
    gzip_header_len(bytes).map_or(GzipHeader::Short, GzipHeader::Len)
}

fn gzip_header_len(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut len = 10;
    if flags & 4 != 0 {
        let extra = [*bytes.get(len)?, *bytes.get(len + 1)?];
        len += 2 + usize::from(u16::from_le_bytes(extra));
    }
    for text in [8, 16] {
        if flags & text != 0 {
            len += memchr::memchr(0, bytes.get(len..)?)? + 1;
        }
    }
    if flags & 2 != 0 {
        len += 2;
    }
    (bytes.len() >= len).then_some(len)
}

pub(in crate::crawl) fn open_gzip(input: &mut Input) -> io::Result<PullState> {
    let mut header = gzip_header(input.peek(18)?);
    if header == GzipHeader::Short {
        header = gzip_header(input.peek(BUFFER)?);
    }
    Ok(match header {
        GzipHeader::Len(len) => {
            input.consume(len);
            PullState::More
        }
        GzipHeader::Short if input.buffered().len() < BUFFER => PullState::Cut,
        _ => PullState::Broken,
    })
}

pub(in crate::crawl) fn gunzip(
    input: &mut Input,
    raw: &mut Decompress,
    crc: &mut Crc,
    out: &mut [u8],
) -> io::Result<(usize, PullState)> {
    let mut n = 0;
    loop {
        let bytes = input.peek(1)?;
        if bytes.is_empty() {
            return Ok((n, PullState::Cut));
        }
        let (before_in, before_out) = (raw.total_in(), raw.total_out());
        let result = raw.decompress(bytes, &mut out[n..], FlushDecompress::None);
        let written = (raw.total_out() - before_out) as usize;
        input.consume((raw.total_in() - before_in) as usize);
        crc.update(&out[n..n + written]);
        n += written;
        match result {
            Ok(Status::StreamEnd) => return Ok((n, gzip_trailer(input, crc)?)),
            Ok(_) if n == out.len() => return Ok((n, PullState::More)),
            Ok(_) => {}
            Err(_) => return Ok((n, PullState::Broken)),
        }
    }
}

fn gzip_trailer(input: &mut Input, crc: &Crc) -> io::Result<PullState> {
    // The data are complete even if the end of the file cut the trailer off.
    let Some(trailer) = input.peek(8)?.get(..8) else {
        input.consume(8);
        return Ok(PullState::MemberEnd);
    };
    let right =
        trailer[..4] == crc.sum().to_le_bytes() && trailer[4..] == crc.amount().to_le_bytes();
    if right {
        input.consume(8);
    }
    Ok(if right {
        PullState::MemberEnd
    } else {
        PullState::Broken
    })
}
