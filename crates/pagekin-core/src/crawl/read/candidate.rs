//! After damage: the next member that begins a record.
//!
//! Linear: a stretch of input is gone over again at most once, because a member
//! found behind an earlier fault that fails too sends the search beyond it.

use std::io;

use flate2::{Decompress, FlushDecompress};
use memchr::memmem;

use super::gunzip::{gzip_header, GzipHeader, MAGIC};
use super::input::{Input, BUFFER};
use super::start::{begins, blank_len, find_anywhere};
use super::stream::{Codec, Stream};
use super::unzstd::{Unzstd, MAGIC as ZSTD_MAGIC};

/// How far behind a fault the search begins: broken data may inflate for a while.
const BACK: u64 = 64 << 10;
/// False starts tried in one file before it is given up, so that time stays bounded;
/// chance alone makes one in 16 MiB of gzip, and far fewer of zstd, which take longer.
const GZIP_TRIES: u32 = 1 << 24;
const ZSTD_TRIES: u32 = 1 << 18;
/// How much of a member is inflated to see how it begins.
const PROBE: usize = 4 << 10;

impl Stream {
    /// After a fault, moves to the next member that begins a record, if there is one.
    pub fn resync(&mut self) -> io::Result<bool> {
        if self.is_plain() {
            return Ok(false);
        }
        let at = self.input.offset();
        let from = if self.member_at >= self.high {
            at.saturating_sub(BACK).max(self.member_at + 1)
        } else {
            at.max(self.high)
        };
        self.high = self.high.max(at);
        let from = self.input.reachable(from);
        self.input.seek(from)?;
        self.next_member()
    }

    /// Moves to the next member that begins a record without inflating the rest of
    /// this one. If there is none, the input is at its end and this one still open.
    pub fn next_member(&mut self) -> io::Result<bool> {
        let (magic, tries): (&[u8], _) = match self.codec {
            Codec::Plain => return Ok(false),
            Codec::Gzip(_) => (&MAGIC, GZIP_TRIES),
            Codec::Zstd(_) => (&ZSTD_MAGIC, ZSTD_TRIES),
        };
        let finder = memmem::Finder::new(magic);
        while find_magic(&mut self.input, &finder)? {
            if self.probe()? {
                self.open = false;
                self.fault = None;
                return Ok(true);
            }
            self.tries += 1;
            if self.tries > tries {
                return Err(io::Error::other(
                    "damaged, with too many false starts of a record",
                ));
            }
            self.input.consume(1);
        }
        Ok(false)
    }

    fn probe(&mut self) -> io::Result<bool> {
        Ok(match &self.codec {
            Codec::Plain => false,
            Codec::Gzip(_) => probe_gzip(self.input.peek(2 * PROBE)?),
            Codec::Zstd(unzstd) => {
                let probe = unzstd.again();
                let bytes = self.input.peek(BUFFER)?;
                probe.is_some_and(|mut probe| probe.probe(bytes))
            }
        })
    }
}

fn probe_gzip(bytes: &[u8]) -> bool {
    let GzipHeader::Len(header) = gzip_header(bytes) else {
        return false;
    };
    let mut out = [0; PROBE];
    let mut raw = Decompress::new(false);
    if raw
        .decompress(&bytes[header..], &mut out, FlushDecompress::None)
        .is_err()
    {
        return false;
    }
    begins_after_blank(&out[..raw.total_out() as usize])
}

fn begins_after_blank(bytes: &[u8]) -> bool {
    begins(&bytes[blank_len(bytes)..], None)
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crawl) enum Compression {
    Gzip,
    Zstd,
}

/// How a file is compressed, by its first bytes.
pub(in crate::crawl) fn compression_of(magic: &[u8]) -> Option<Compression> {
    let skippable = matches!(magic, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    if magic.starts_with(&MAGIC[..2]) {
        Some(Compression::Gzip)
    } else {
        (skippable || magic.starts_with(&ZSTD_MAGIC)).then_some(Compression::Zstd)
    }
}

/// How a file is compressed whose first bytes do not tell, since they are damaged: by the first
/// member that begins a record, unless one begins before it as it is.
pub(in crate::crawl) fn compression_within(bytes: &[u8]) -> Option<Compression> {
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

fn find_magic(input: &mut Input, finder: &memmem::Finder<'_>) -> io::Result<bool> {
    let size = finder.needle().len();
    loop {
        let bytes = input.peek(size)?;
        if bytes.len() < size {
            return Ok(false);
        }
        if let Some(at) = finder.find(bytes) {
            input.consume(at);
            return Ok(true);
        }
        let n = bytes.len() - (size - 1);
        input.consume(n);
    }
}
