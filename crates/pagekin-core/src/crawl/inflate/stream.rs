//! Decompression, member by member.
//!
//! A member is a gzip member or a zstd frame. The stream never guesses what is between members:
//! a fault stops it until [`MemberStream::resync`] finds the next member that starts a record.

use std::io;

use flate2::{Crc, Decompress};
use libdeflater::Decompressor;

use super::gunzip::{gunzip, open_gzip};
use super::input::Input;
use super::unzstd::Unzstd;
use super::whole::inflate_whole;

/// How a pull ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crawl) enum PullState {
    /// The space is full, and more data follow.
    More,
    /// A member ended and its checksum matched.
    MemberEnd,
    /// The input ended between members.
    End,
    /// The input ended within a member.
    Cut,
    /// The stored bytes are not a member, or a damaged one.
    Broken,
}

/// What a pull delivered: `n` bytes, all of one member.
pub(in crate::crawl) struct Pull {
    pub n: usize,
    /// The stored offset of the member, if these are its first bytes.
    pub first: Option<u64>,
    pub state: PullState,
}

pub(in crate::crawl) enum Codec {
    Plain,
    Gzip(Box<Gunzip>),
    Zstd(Box<Unzstd>),
}

/// Decompressors of gzip members, whole or streaming.
pub(in crate::crawl) struct Gunzip {
    whole: Decompressor,
    raw: Decompress,
    crc: Crc,
}

/// The inflated bytes of one file.
pub(in crate::crawl) struct MemberStream {
    pub(in crate::crawl) input: Input,
    pub(in crate::crawl) codec: Codec,
    /// Whether the stream is inside a member.
    pub(in crate::crawl) open: bool,
    pub(in crate::crawl) member_at: u64,
    /// Set by a fault until the next resync.
    pub(in crate::crawl) fault: Option<PullState>,
    /// The furthest fault so far, and the number of false starts tried in the file.
    pub(in crate::crawl) high: u64,
    pub(in crate::crawl) tries: u32,
}

impl Gunzip {
    fn pull(
        &mut self,
        input: &mut Input,
        out: &mut [u8],
        is_first: bool,
    ) -> io::Result<(usize, PullState)> {
        if is_first {
            if let Some(n) = inflate_whole(input, &mut self.whole, out) {
                return Ok((n, PullState::MemberEnd));
            }
        }
        gunzip(input, &mut self.raw, &mut self.crc, out)
    }
}

impl MemberStream {
    fn new(input: Input, codec: Codec) -> Self {
        Self {
            input,
            codec,
            open: false,
            member_at: 0,
            fault: None,
            high: 0,
            tries: 0,
        }
    }

    pub fn plain(input: Input) -> Self {
        Self::new(input, Codec::Plain)
    }

    /// `None` if the dictionary is not valid.
    pub fn zstd(input: Input, dictionary: Option<Vec<u8>>) -> Option<Self> {
        let unzstd = Box::new(Unzstd::new(dictionary)?);
        Some(Self::new(input, Codec::Zstd(unzstd)))
    }

    pub fn gzip(input: Input) -> Self {
        let gunzip = Gunzip {
            whole: Decompressor::new(),
            raw: Decompress::new(false),
            crc: Crc::new(),
        };
        Self::new(input, Codec::Gzip(Box::new(gunzip)))
    }

    pub fn is_plain(&self) -> bool {
        matches!(self.codec, Codec::Plain)
    }

    /// Inflates into `out` until it is full or a member ends.
    pub(in crate::crawl) fn pull(&mut self, out: &mut [u8]) -> io::Result<Pull> {
        let stopped = |state| Pull {
            n: 0,
            first: None,
            state,
        };
        if let Some(fault) = self.fault {
            return Ok(stopped(fault));
        }
        let mut first = None;
        if !self.open && !self.is_plain() {
            match self.open_member()? {
                PullState::More => first = Some(self.member_at),
                PullState::End => return Ok(stopped(PullState::End)),
                fault => {
                    self.fault = Some(fault);
                    return Ok(stopped(fault));
                }
            }
        }
        let (n, state) = match &mut self.codec {
            Codec::Plain => match self.input.read_into(out)? {
                0 => (0, PullState::End),
                n => (n, PullState::More),
            },
            Codec::Gzip(codec) => codec.pull(&mut self.input, out, first.is_some())?,
            Codec::Zstd(unzstd) => unzstd.pull(&mut self.input, out)?,
        };
        self.open = state == PullState::More;
        if matches!(state, PullState::Cut | PullState::Broken) {
            self.fault = Some(state);
        }
        Ok(Pull { n, first, state })
    }

    /// Reads the header of the next member; [`PullState::More`] if there is one.
    fn open_member(&mut self) -> io::Result<PullState> {
        let is_gzip = matches!(self.codec, Codec::Gzip(_));
        let padded = skip_padding(&mut self.input, is_gzip)?;
        self.member_at = self.input.offset();
        if !padded {
            return Ok(PullState::End);
        }
        let state = match &mut self.codec {
            Codec::Plain => PullState::More,
            Codec::Gzip(codec) => {
                codec.raw.reset(false);
                codec.crc.reset();
                open_gzip(&mut self.input)?
            }
            Codec::Zstd(unzstd) => unzstd.open(&mut self.input)?,
        };
        self.open = state == PullState::More;
        Ok(state)
    }
}

/// Skips zero bytes, with which tapes and disks pad, and skippable zstd frames.
/// False at the end of the input.
fn skip_padding(input: &mut Input, is_gzip: bool) -> io::Result<bool> {
    loop {
        let bytes = input.peek(8)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let zeros = bytes.iter().take_while(|&&b| b == 0).count();
        if zeros > 0 {
            input.consume(zeros);
        } else if let (false, Some(size)) = (is_gzip, skippable(bytes)) {
            skip(input, size)?;
        } else {
            return Ok(true);
        }
    }
}

/// The whole size of a skippable zstd frame, if one begins here.
fn skippable(bytes: &[u8]) -> Option<u64> {
    let [m0, 0x2A, 0x4D, 0x18, size @ ..] = bytes else {
        return None;
    };
    let size: [u8; 4] = size.get(..4)?.try_into().ok()?;
    (m0 & 0xF0 == 0x50).then(|| u64::from(u32::from_le_bytes(size)) + 8)
}

fn skip(input: &mut Input, size: u64) -> io::Result<()> {
    let to = input.offset() + size;
    while !input.seek(to)? {
        let n = input.peek(1)?.len();
        if n == 0 {
            break;
        }
        input.consume(n);
    }
    Ok(())
}
