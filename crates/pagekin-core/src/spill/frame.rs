//! Frames: a magic number, a length and an XXH3 checksum before the bytes.

use std::borrow::Cow;
use std::ops::Range;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::FORM;

const MAGIC: [u8; 8] = *b"PKSPILL\0";
/// The magic number, the length of the bytes and their checksum, each of eight bytes.
pub(super) const HEADER: usize = 24;

/// Why a frame is damaged.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FrameFault {
    /// The bytes are not those of a frame of this version.
    #[error("there is no frame of this version at byte {at}")]
    Magic {
        /// Where it should begin.
        at: usize,
    },
    /// The frame is longer or shorter than its place.
    #[error("expected {expected} bytes in a frame, found {found}")]
    Length {
        /// The bytes expected, by the header or the place.
        expected: u64,
        /// The bytes found.
        found: u64,
    },
    /// A part has more or fewer frames.
    #[error("expected {expected} frames, found {found}")]
    Count {
        /// The number that its reader needs.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// The bytes have another checksum.
    #[error("expected checksum {expected:016x}, found {found:016x}")]
    Checksum {
        /// The checksum in the header.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
}

/// Appends a frame of what `append` appends; [`add_checksums`] completes it.
pub(super) fn put(out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&magic());
    out.extend_from_slice(&[0; HEADER - 8]);
    append(out);
    let length = (out.len() - start - HEADER) as u64;
    out[start + 8..start + 16].copy_from_slice(&length.to_le_bytes());
}

/// Writes the checksums of frames that are put one after another.
pub(super) fn add_checksums(mut frames: &mut [u8]) {
    while let Some(header) = Header::read(frames) {
        let (frame, rest) = frames.split_at_mut(HEADER + header.length as usize);
        let sum = header.checksum(&frame[HEADER..]);
        frame[16..HEADER].copy_from_slice(&sum.to_le_bytes());
        frames = rest;
    }
}

fn magic() -> [u8; 8] {
    let mut magic = MAGIC;
    magic[7] = FORM;
    magic
}

/// The header of a frame.
pub(super) struct Header {
    is_ours: bool,
    pub(super) length: u64,
    sum: u64,
}

impl Header {
    /// The header at the beginning of these bytes, if there are enough.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.get(..HEADER)?.as_chunks::<8>();
        Some(Self {
            is_ours: words[0] == magic(),
            length: u64::from_le_bytes(words[1]),
            sum: u64::from_le_bytes(words[2]),
        })
    }

    /// The checksum of the bytes, and of their number with them.
    fn checksum(&self, bytes: &[u8]) -> u64 {
        xxh3_64(bytes) ^ self.length.rotate_left(32)
    }

    /// Checks the bytes behind the header.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), FrameFault> {
        let found = self.checksum(bytes);
        if found == self.sum {
            return Ok(());
        }
        Err(FrameFault::Checksum {
            expected: self.sum,
            found,
        })
    }
}

/// The frames of a part, checked.
#[derive(Debug)]
pub struct Frames<'a> {
    bytes: Cow<'a, [u8]>,
    ranges: Vec<Range<usize>>,
}

impl<'a> Frames<'a> {
    /// Frames that never left memory: they are found by their lengths alone.
    pub(super) fn of_memory(bytes: &'a [u8]) -> Result<Self, FrameFault> {
        Self::new(Cow::Borrowed(bytes), |_, _| Ok(()))
    }

    /// Frames of a file.
    pub(super) fn of_file(bytes: Vec<u8>) -> Result<Self, FrameFault> {
        Self::new(Cow::Owned(bytes), Header::check)
    }

    fn new(
        bytes: Cow<'a, [u8]>,
        check: impl Fn(&Header, &[u8]) -> Result<(), FrameFault>,
    ) -> Result<Self, FrameFault> {
        let (mut ranges, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            let header = Header::read(&bytes[at..]).filter(|header| header.is_ours);
            let header = header.ok_or(FrameFault::Magic { at })?;
            let rest = &bytes[at + HEADER..];
            let length = usize::try_from(header.length).unwrap_or(usize::MAX);
            let frame = rest.get(..length).ok_or(FrameFault::Length {
                expected: header.length,
                found: rest.len() as u64,
            })?;
            check(&header, frame)?;
            at += HEADER;
            ranges.push(at..at + length);
            at += length;
        }
        Ok(Self { bytes, ranges })
    }

    /// The only frame.
    pub(super) fn into_single(self) -> Result<Cow<'a, [u8]>, FrameFault> {
        let [range] = &self.ranges[..] else {
            return Err(FrameFault::Count {
                expected: 1,
                found: self.ranges.len(),
            });
        };
        Ok(match self.bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range.clone()]),
            Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(range.start)),
        })
    }

    /// Every frame.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ranges.iter().map(|range| &self.bytes[range.clone()])
    }
}
