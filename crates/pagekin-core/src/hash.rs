//! The one stable hash of the build (XXH3). It identifies URLs and terms, so a change here changes
//! the index format.

mod seed;

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

pub(crate) use seed::{string_hash, KeyHashers, KeySeed};

/// Set in the id of a link term, so that it can never equal a word's id.
pub const LINK_BIT: u64 = 1 << 63;

/// The id of a canonical URL.
pub fn url_id(url: impl AsRef<[u8]>) -> u64 {
    xxh3_64(url.as_ref())
}

/// Number of bits of a concept number; all other bits of its term id are 0.
const CONCEPT_BITS: u32 = 12;
/// Concept numbers are below this.
pub const MAX_CONCEPTS: u32 = 1 << CONCEPT_BITS;

/// The term id of a (stemmed) word: 63 bits, never 0 and never that of a concept.
pub fn word_term(word: impl AsRef<[u8]>) -> u64 {
    let term = xxh3_64(word.as_ref()) & !LINK_BIT;
    if term == 0 || is_concept(term) {
        term | 1
    } else {
        term
    }
}

/// The term id of a concept, whose numbers start at 1: the bits of the number in reverse order,
/// from the second highest bit down, so that ids are evenly spread.
pub fn concept_term(number: u32) -> u64 {
    u64::from(number).reverse_bits() >> 1
}

/// Whether a term is a concept.
pub fn is_concept(term: u64) -> bool {
    term != 0 && !is_link(term) && term.trailing_zeros() >= 63 - CONCEPT_BITS
}

/// The number of a concept by its term id.
pub fn concept_number(term: u64) -> u32 {
    (term << 1).reverse_bits() as u32
}

/// The term id that stands for a linking page.
pub fn link_term(source: u64) -> u64 {
    source | LINK_BIT
}

/// Whether a term stands for a linking page. Such terms come after all words.
pub fn is_link(term: u64) -> bool {
    term & LINK_BIT != 0
}

/// One hash of several, in their order.
pub(crate) fn mixed(first: u64, others: impl Iterator<Item = u64>) -> u64 {
    // An odd constant with well-spread bits: the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = others.fold(first, |mixed, other| {
        (mixed ^ other).wrapping_mul(FACTOR).rotate_left(32)
    });
    (mixed ^ (mixed >> 29)).wrapping_mul(FACTOR)
}

/// The partition of an id when there are `2^bits` partitions: its leading bits,
/// so that partitions in order hold ids in order.
pub fn partition_of(id: u64, bits: u32) -> usize {
    if bits == 0 {
        0
    } else {
        (id >> (64 - bits)) as usize
    }
}

/// A hash map keyed by term.
pub(crate) type TermMap<V> = HashMap<u64, V, KeyHashers>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_links_have_different_terms() {
        assert_eq!(word_term("garden") >> 63, 0);
        assert_eq!(link_term(word_term("garden")) >> 63, 1);
    }

    #[test]
    fn concept_terms_and_numbers_convert_both_ways() {
        for number in [1, 2, 3, 100, MAX_CONCEPTS - 1] {
            let term = concept_term(number);
            assert!(is_concept(term) && !is_link(term));
            assert_eq!(concept_number(term), number);
            assert!(!is_concept(term | 1));
            assert!(!is_concept(link_term(term)));
        }
        assert_eq!(concept_term(1), 1 << 62);
        assert_eq!(concept_term(3), 3 << 61);
        assert!(!is_concept(0) && !is_concept(word_term("garden")));
    }

    #[test]
    fn partition_is_the_leading_bits_of_an_id() {
        assert_eq!(partition_of(u64::MAX, 4), 15);
        assert_eq!(partition_of(0, 4), 0);
        assert_eq!(partition_of(u64::MAX, 0), 0);
    }

    #[test]
    fn hash_matches_published_xxh3() {
        assert_eq!(xxh3_64(b""), 0x2d06_8005_38d3_94c2);
    }
}
