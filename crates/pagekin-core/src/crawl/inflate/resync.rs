//! Resynchronisation: after damage, finds the next member that starts a record.
//!
//! Takes linear time: a range of input is searched at most twice, because a member found after
//! an earlier fault that fails too moves the search beyond it.

use std::io;

use flate2::{Decompress, FlushDecompress};
use memchr::memmem;

use super::gunzip::{gzip_header, GzipHeader, MAGIC};
use super::input::{Input, BUFFER};
use super::stream::{Codec, MemberStream};
use super::unzstd::MAGIC as ZSTD_MAGIC;
use crate::crawl::record_start::{begins, blank_len};

/// How far before a fault the search starts: damaged data may inflate for a while.
const BACK: u64 = 64 << 10;
/// False starts tried in one file before giving up, to bound the time. Random data contain one
/// gzip magic in 16 MiB, and far fewer of zstd, which take longer to try.
const GZIP_TRIES: u32 = 1 << 24;
const ZSTD_TRIES: u32 = 1 << 18;
/// Bytes of a member that are inflated to see how it starts.
const PROBE: usize = 4 << 10;

impl MemberStream {
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

    /// Moves to the next member that starts a record without inflating the rest of this one.
    /// False if there is none; the input is then at its end and this member is still open.
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

pub(super) fn probe_gzip(bytes: &[u8]) -> bool {
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

pub(super) fn begins_after_blank(bytes: &[u8]) -> bool {
    begins(&bytes[blank_len(bytes)..], None)
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
