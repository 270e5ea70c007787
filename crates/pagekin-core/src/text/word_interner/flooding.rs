//! Hash flooding: words and URLs that share their places under constants that everybody knows.

use super::*;
use crate::hash::string_hash;
use xxhash_rust::xxh3::xxh3_64;

/// The constants of the table of short words before it had a seed.
const KNOWN: KeySeed = KeySeed::known(0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93);
const WORDS: usize = 20_000;
/// The size of a table of N words.
const SLOTS: usize = 1 << 16;
/// All words hash to the first slots, one in this many.
const SHARE: usize = 64;

/// Words of letters with `start` before them that a hash sends to the first slots.
fn chosen(start: &str, hash: impl Fn(&[u8]) -> u64) -> Vec<String> {
    let letters = |number: u64| (0..7).map(move |at| b'a' + (number / 26u64.pow(at) % 26) as u8);
    let word = |number: u64| {
        format!(
            "{start}{}",
            String::from_utf8_lossy(&letters(number).collect::<Vec<_>>())
        )
    };
    let sent = |word: &String| (hash(word.as_bytes()) as usize & (SLOTS - 1)) < SLOTS / SHARE;
    (0..).map(word).filter(sent).take(WORDS).collect()
}

/// How many slots a look-up passes on average, by where its search starts and where it ends.
fn mean_steps(slots: usize, places: impl Iterator<Item = (usize, usize)>) -> usize {
    let steps = places.map(|(start, at)| at.wrapping_sub(start) & (slots - 1));
    steps.sum::<usize>() / WORDS
}

fn mean_steps_of_words(words: &[String], seed: KeySeed) -> usize {
    let mut interner = WordInterner {
        seed,
        ..WordInterner::default()
    };
    for word in words {
        interner.intern(word.as_bytes());
    }
    assert_eq!((interner.len(), interner.short.len()), (WORDS, SLOTS));
    let filled = (0..).zip(&interner.short).filter(|&(_, &slot)| slot > 0);
    let start = |slot: u32| seed.hash(interner.words[slot as usize].key()) as usize;
    mean_steps(SLOTS, filled.map(|(at, &slot)| (start(slot), at)))
}

#[test]
fn chosen_words_collide_only_without_a_seed() {
    let words = chosen("", |word| KNOWN.hash(ShortWord::new(word).key()));
    assert!(mean_steps_of_words(&words, KNOWN) > WORDS / 4);
    assert!(mean_steps_of_words(&words, KeySeed::default()) < 4);
}

#[test]
fn chosen_strings_collide_only_without_a_seed() {
    let strings = chosen("http://flood.example/", |url| xxh3_64(url) >> 32);
    let steps = |hash: fn(&[u8]) -> u64| {
        let mut slots = vec![0; SLOTS];
        for (number, string) in (1..).zip(&strings) {
            place(&mut slots, (hash(string.as_bytes()) >> 32) as usize, number);
        }
        let filled = (0..).zip(&slots).filter(|&(_, &slot)| slot > 0);
        let start = |slot: usize| (hash(strings[slot - 1].as_bytes()) >> 32) as usize;
        mean_steps(SLOTS, filled.map(|(at, &slot)| (start(slot), at)))
    };
    assert!(steps(xxh3_64) > WORDS / 4);
    assert!(steps(string_hash) < 4);
}

#[test]
fn numbers_follow_first_sight_with_any_seed() {
    let words = chosen("", |word| KNOWN.hash(ShortWord::new(word).key()));
    for seed in [KNOWN, KeySeed::known(1, 2), KeySeed::default()] {
        let mut interner = WordInterner {
            seed,
            ..WordInterner::default()
        };
        for (number, word) in words.iter().take(2000).enumerate() {
            assert_eq!(interner.intern(word.as_bytes()), number as u32);
        }
    }
}
