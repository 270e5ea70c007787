//! Checksums of the blocks of a file (XXH3). A block is compared with its checksum the first
//! time it is read: damage is noticed before it is used, and an index opens without being read.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_buffer::ScalarBuffer;
use xxhash_rust::xxh3::{xxh3_64, Xxh3};

/// The bytes of a block: as many as a machine reads at a time anyway.
pub const BLOCK: usize = 4096;

/// The checksum of a whole file, and those of its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChecksums {
    /// XXH3 with 128 bits.
    pub whole: u128,
    /// XXH3 of each block, its lower 32 bits.
    pub blocks: Vec<u32>,
}

impl FileChecksums {
    /// Reads a file and computes its checksums.
    pub fn compute(mut file: impl Read) -> io::Result<Self> {
        let (mut whole, mut blocks) = (Xxh3::new(), Vec::new());
        let mut part = Vec::with_capacity(256 * BLOCK);
        loop {
            part.clear();
            file.by_ref()
                .take(256 * BLOCK as u64)
                .read_to_end(&mut part)?;
            if part.is_empty() {
                let whole = whole.digest128();
                return Ok(Self { whole, blocks });
            }
            whole.update(&part);
            blocks.extend(part.chunks(BLOCK).map(block_checksum));
        }
    }
}

fn block_checksum(block: &[u8]) -> u32 {
    xxh3_64(block) as u32
}

/// One checksum a block, and a bitset of the blocks that have been found sound.
#[derive(Debug)]
pub struct BlockChecksums {
    expected: ScalarBuffer<u32>,
    sound: Vec<AtomicU64>,
}

impl BlockChecksums {
    /// The checksums of a file of which nothing has been read yet.
    pub fn new(expected: ScalarBuffer<u32>) -> Self {
        let words = expected.len().div_ceil(64);
        Self {
            expected,
            sound: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// For a file of this many bytes that has no checksums: every block counts as sound.
    pub fn none(size: usize) -> Self {
        let words = size.div_ceil(BLOCK).div_ceil(64);
        Self {
            expected: ScalarBuffer::from(Vec::new()),
            sound: (0..words).map(|_| AtomicU64::new(u64::MAX)).collect(),
        }
    }

    /// Whether the blocks that hold these bytes of the file are as they were written.
    #[inline]
    pub fn match_blocks(&self, file: &[u8], bytes: Range<usize>) -> bool {
        let mut blocks = bytes.start / BLOCK..bytes.end.div_ceil(BLOCK);
        blocks.all(|block| self.is_sound(block) || self.compare(file, block))
    }

    #[inline]
    fn is_sound(&self, block: usize) -> bool {
        let bits = self.sound.get(block / 64);
        bits.is_some_and(|bits| bits.load(Ordering::Relaxed) >> (block % 64) & 1 == 1)
    }

    #[cold]
    fn compare(&self, file: &[u8], block: usize) -> bool {
        let start = block * BLOCK;
        let bytes = file.get(start..file.len().min(start + BLOCK));
        let sound = bytes.map(block_checksum) == self.expected.get(block).copied();
        if let Some(bits) = self.sound.get(block / 64).filter(|_| sound) {
            bits.fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        sound && bytes.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(file: &[u8]) -> BlockChecksums {
        BlockChecksums::new(file.chunks(BLOCK).map(block_checksum).collect())
    }

    #[test]
    fn checksums_are_of_the_file_and_of_each_block() {
        let file: Vec<u8> = (0..(1 << 20) + 5).map(|at: u32| (at >> 3) as u8).collect();
        let found = FileChecksums::compute(&file[..]).expect("readable");
        assert_eq!(found.whole, xxhash_rust::xxh3::xxh3_128(&file));
        let blocks: Vec<u32> = file.chunks(BLOCK).map(block_checksum).collect();
        assert_eq!(found.blocks, blocks);
        let empty = FileChecksums::compute(&[][..]).expect("readable");
        assert_eq!(empty.blocks, []);
    }

    #[test]
    fn unchanged_file_matches_its_checksums() {
        let file: Vec<u8> = (0..3 * BLOCK + 5).map(|at| at as u8).collect();
        let sums = sums(&file);
        for _ in 0..2 {
            assert!(sums.match_blocks(&file, 0..file.len()));
            assert!(sums.match_blocks(&file, 7..7));
        }
    }

    #[test]
    fn flipped_byte_is_detected_in_its_block_only() {
        let file = vec![7; 3 * BLOCK + 5];
        for at in [0, BLOCK - 1, BLOCK, 3 * BLOCK + 4] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            for block in 0..4 {
                let start = block * BLOCK;
                let held = sums(&file).match_blocks(&damaged, start..start + 1);
                assert_eq!(held, block != at / BLOCK);
            }
        }
    }

    #[test]
    fn file_of_another_length_does_not_match() {
        let file = vec![7; 2 * BLOCK];
        // New checksums each time: a block found sound is not compared again.
        assert!(!sums(&file).match_blocks(&file, 0..2 * BLOCK + 1));
        assert!(!sums(&file).match_blocks(&file[..BLOCK + 9], BLOCK..BLOCK + 1));
        assert!(!sums(&file).match_blocks(&[], 0..1));
    }
}
