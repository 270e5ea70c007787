//! Seeds of hash tables, drawn once per process, so that nobody can choose bytes that collide (hash
//! flooding, Crosby and Wallach 2003).
//!
//! Only the places of entries in tables depend on the seed. Output does not: numbers are given in
//! order of first sight, and everything that is iterated is sorted.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64_with_secret;

/// Length of XXH3's default secret; the shortest one is 136 bytes.
const SECRET_BYTES: usize = 192;

static SECRET: LazyLock<[u8; SECRET_BYTES]> = LazyLock::new(|| {
    let (drawn, mut secret) = (RandomState::new(), [0; SECRET_BYTES]);
    for (number, bytes) in secret.chunks_exact_mut(8).enumerate() {
        bytes.copy_from_slice(&drawn.hash_one(number).to_le_bytes());
    }
    secret
});

/// Two random numbers for the folded product of [`KeySeed::hash`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeySeed(u64, u64);

impl Default for KeySeed {
    fn default() -> Self {
        let drawn = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| SECRET[at + byte]));
        Self(drawn(0), drawn(8))
    }
}

impl KeySeed {
    /// A seed of these numbers, as if an attacker knew it.
    #[cfg(test)]
    pub(crate) const fn known(one: u64, other: u64) -> Self {
        Self(one, other)
    }

    /// A quick hash of a key of 128 bits: both halves of a product.
    #[inline]
    pub(crate) const fn hash(self, key: u128) -> u64 {
        let product = (key as u64 ^ self.0) as u128 * ((key >> 64) as u64 ^ self.1) as u128;
        product as u64 ^ (product >> 64) as u64
    }
}

/// The process's own hash of a string. It never leaves the process.
#[inline]
pub(crate) fn string_hash(text: &[u8]) -> u64 {
    xxh3_64_with_secret(text, &*SECRET)
}

/// Hashers of terms and short words for a standard hash map: whoever writes pages chooses both.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeyHashers(KeySeed);

impl BuildHasher for KeyHashers {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher {
            seed: self.0,
            hash: 0,
        }
    }
}

/// The hasher of one number.
#[derive(Debug)]
pub(crate) struct KeyHasher {
    seed: KeySeed,
    hash: u64,
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.hash ^ u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        self.write_u128(key.into());
    }

    #[inline]
    fn write_u128(&mut self, key: u128) {
        self.hash = self.seed.hash(key);
    }
}
