//! The checksums of a file's sectors. A sector is compared with its checksum
//! the first time that it is read, so that damage is met before it is believed,
//! and an index opens without reading it.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_buffer::ScalarBuffer;
use xxhash_rust::xxh3::{xxh3_64, Xxh3};

/// The bytes of a sector: as many as a machine reads at a time anyway.
pub const SECTOR: usize = 4096;

/// The checksum of a sector.
pub fn sector_sum(sector: &[u8]) -> u32 {
    xxh3_64(sector) as u32
}

/// The checksum of a whole file, and those of its sectors.
pub fn checksums(mut file: impl Read) -> io::Result<(u128, Vec<u32>)> {
    let (mut whole, mut sums) = (Xxh3::new(), Vec::new());
    let mut part = Vec::with_capacity(256 * SECTOR);
    loop {
        part.clear();
        file.by_ref()
            .take(256 * SECTOR as u64)
            .read_to_end(&mut part)?;
        if part.is_empty() {
            return Ok((whole.digest128(), sums));
        }
        whole.update(&part);
        sums.extend(part.chunks(SECTOR).map(sector_sum));
    }
}

/// One checksum a sector, and which sectors have been seen to be sound.
#[derive(Debug)]
pub struct Sums {
    sums: ScalarBuffer<u32>,
    sound: Vec<AtomicU64>,
}

impl Sums {
    /// The checksums of a file of which nothing has been read yet.
    pub fn new(sums: ScalarBuffer<u32>) -> Self {
        let words = sums.len().div_ceil(64);
        Self {
            sums,
            sound: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Whether these bytes of the file are as they were written.
    #[inline]
    pub fn hold(&self, file: &[u8], bytes: Range<usize>) -> bool {
        let mut sectors = bytes.start / SECTOR..bytes.end.div_ceil(SECTOR);
        sectors.all(|sector| self.is_known(sector) || self.compare(file, sector))
    }

    #[inline]
    fn is_known(&self, sector: usize) -> bool {
        let known = self.sound.get(sector / 64);
        known.is_some_and(|bits| bits.load(Ordering::Relaxed) >> (sector % 64) & 1 == 1)
    }

    #[cold]
    fn compare(&self, file: &[u8], sector: usize) -> bool {
        let start = sector * SECTOR;
        let bytes = file.get(start..file.len().min(start + SECTOR));
        let sound = bytes.map(sector_sum) == self.sums.get(sector).copied();
        if let Some(bits) = self.sound.get(sector / 64).filter(|_| sound) {
            bits.fetch_or(1 << (sector % 64), Ordering::Relaxed);
        }
        sound && bytes.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(file: &[u8]) -> Sums {
        Sums::new(file.chunks(SECTOR).map(sector_sum).collect())
    }

    #[test]
    fn checksums_are_of_the_file_and_of_each_sector() {
        let file: Vec<u8> = (0..(1 << 20) + 5).map(|at: u32| (at >> 3) as u8).collect();
        let (whole, sums) = checksums(&file[..]).expect("readable");
        assert_eq!(whole, xxhash_rust::xxh3::xxh3_128(&file));
        assert_eq!(
            sums,
            file.chunks(SECTOR).map(sector_sum).collect::<Vec<_>>()
        );
        assert_eq!(checksums(&[][..]).expect("readable").1, []);
    }

    #[test]
    fn what_is_as_it_was_holds() {
        let file: Vec<u8> = (0..3 * SECTOR + 5).map(|at| at as u8).collect();
        let sums = sums(&file);
        for _ in 0..2 {
            assert!(sums.hold(&file, 0..file.len()));
            assert!(sums.hold(&file, 7..7));
        }
    }

    #[test]
    fn a_flipped_byte_is_met_in_its_sector_and_in_no_other() {
        let file = vec![7; 3 * SECTOR + 5];
        for at in [0, SECTOR - 1, SECTOR, 3 * SECTOR + 4] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            for sector in 0..4 {
                let start = sector * SECTOR;
                let held = sums(&file).hold(&damaged, start..start + 1);
                assert_eq!(held, sector != at / SECTOR);
            }
        }
    }

    #[test]
    fn a_file_of_another_length_does_not_hold() {
        let file = vec![7; 2 * SECTOR];
        // Each for itself: what was seen to be sound is not looked at again.
        assert!(!sums(&file).hold(&file, 0..2 * SECTOR + 1));
        assert!(!sums(&file).hold(&file[..SECTOR + 9], SECTOR..SECTOR + 1));
        assert!(!sums(&file).hold(&[], 0..1));
    }
}
