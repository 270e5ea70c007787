//! Decompression of zstd frames, verified by their checksums where present.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use super::input::Input;
use super::stream::PullState;

/// How a zstd frame begins.
pub(in crate::crawl) const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A decoder of zstd frames, with the dictionary of the file if it has one.
pub(in crate::crawl) struct Unzstd {
    decoder: FrameDecoder,
    dictionary: Option<(u32, Vec<u8>)>,
}

impl Unzstd {
    /// `None` if the dictionary is not valid.
    pub fn new(dictionary: Option<Vec<u8>>) -> Option<Self> {
        let mut decoder = FrameDecoder::new();
        let dictionary = match dictionary {
            Some(bytes) => {
                let parsed = Dictionary::decode_dict(&bytes).ok()?;
                let id = parsed.id;
                decoder.add_dict(parsed).ok()?;
                Some((id, bytes))
            }
            None => None,
        };
        Some(Self {
            decoder,
            dictionary,
        })
    }

    /// A decoder like this one, at the start of a frame.
    pub fn again(&self) -> Option<Self> {
        Self::new(self.dictionary.as_ref().map(|(_, bytes)| bytes.clone()))
    }

    pub fn open(&mut self, input: &mut Input) -> io::Result<PullState> {
        let opened = self.begin(&mut *input);
        input.take_fault().map_or(Ok(()), Err)?;
        Ok(match opened {
            Some(()) => PullState::More,
            None if input.peek(1)?.is_empty() => PullState::Cut,
            None => PullState::Broken,
        })
    }

    fn begin(&mut self, source: impl Read) -> Option<()> {
        self.decoder.reset(source).ok()?;
        // Writers may omit the dictionary id from the frame.
        match self.dictionary {
            Some((id, _)) => self.decoder.force_dict(id).ok(),
            None => Some(()),
        }
    }

    pub fn pull(&mut self, input: &mut Input, out: &mut [u8]) -> io::Result<(usize, PullState)> {
        let mut n = 0;
        loop {
            let got = self.decoder.read(&mut out[n..])?;
            n += got;
            if n == out.len() {
                return Ok((n, PullState::More));
            }
            if got > 0 {
                continue;
            }
            if self.decoder.is_finished() {
                let right = self
                    .decoder
                    .get_checksum_from_data()
                    .is_none_or(|sum| Some(sum) == self.decoder.get_calculated_checksum());
                return Ok((
                    n,
                    if right {
                        PullState::MemberEnd
                    } else {
                        PullState::Broken
                    },
                ));
            }
            let block = self
                .decoder
                .decode_blocks(&mut *input, BlockDecodingStrategy::UptoBlocks(1));
            input.take_fault().map_or(Ok(()), Err)?;
            if block.is_err() {
                let ended = input.peek(1)?.is_empty();
                return Ok((
                    n,
                    if ended {
                        PullState::Cut
                    } else {
                        PullState::Broken
                    },
                ));
            }
        }
    }

    /// Whether a frame with a sound first block starts here. The contents of the block are not
    /// visible: the decoder returns nothing before the window is full.
    pub fn probe(&mut self, mut bytes: &[u8]) -> bool {
        let block = BlockDecodingStrategy::UptoBlocks(1);
        self.begin(&mut bytes).is_some() && self.decoder.decode_blocks(&mut bytes, block).is_ok()
    }
}
