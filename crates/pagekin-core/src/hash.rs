//! The one stable hash of the build. URLs and terms are known by it, so a
//! change here is a change of the index format.

use xxhash_rust::xxh3::xxh3_64;

/// Set in the id of a link term, so that it can never equal a word's id.
pub const LINK_BIT: u64 = 1 << 63;

/// The id of a canonical URL.
pub fn url_id(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

/// The term id of a (stemmed) word: 63 bits, never 0.
pub fn word_term(word: &str) -> u64 {
    (xxh3_64(word.as_bytes()) & !LINK_BIT).max(1)
}

/// The term id that stands for a linking page.
pub fn link_term(source: u64) -> u64 {
    source | LINK_BIT
}

/// Whether a term stands for a linking page. Such terms come after all words.
pub fn is_link(term: u64) -> bool {
    term & LINK_BIT != 0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_terms_never_meet() {
        assert_eq!(word_term("garden") >> 63, 0);
        assert_eq!(link_term(word_term("garden")) >> 63, 1);
    }

    #[test]
    fn partitions_follow_the_order_of_ids() {
        assert_eq!(partition_of(u64::MAX, 4), 15);
        assert_eq!(partition_of(0, 4), 0);
        assert_eq!(partition_of(u64::MAX, 0), 0);
    }

    #[test]
    fn the_hash_is_xxh3_as_published() {
        assert_eq!(xxh3_64(b""), 0x2d06_8005_38d3_94c2);
    }
}
