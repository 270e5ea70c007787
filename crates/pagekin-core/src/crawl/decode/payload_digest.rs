//! The payload digest of a record (WARC 1.1, section 5.9): as its header says, or SHA-1 in base 32
//! (RFC 4648) as other tools write it.

use sha1::{Digest, Sha1};

/// Maximum length of a digest that is taken over from a header.
const MAX_LENGTH: usize = 160;
const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A digest that a header may have: a name, a colon and letters.
pub(super) fn declared(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?;
    let plain = text.len() <= MAX_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
    let named = text
        .split_once(':')
        .is_some_and(|(name, digest)| !name.is_empty() && !digest.is_empty());
    (plain && named).then(|| text.to_owned())
}

/// The digest of a payload.
pub(super) fn computed(payload: &[u8]) -> String {
    let mut text = String::from("sha1:");
    for five in Sha1::digest(payload).as_chunks::<5>().0 {
        let bits = five
            .iter()
            .fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        for letter in (0..8).rev() {
            text.push(char::from(LETTERS[(bits >> (5 * letter) & 31) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_nothing_is_the_known_one() {
        assert_eq!(computed(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }

    #[test]
    fn digest_of_a_header_is_taken_over_if_it_is_one() {
        assert_eq!(declared(b"sha1:ABC").as_deref(), Some("sha1:ABC"));
        for odd in [
            &b"ABC"[..],
            b":A",
            b"sha1:",
            b"sha1:A B",
            b"sha1:\xff",
            &[b'a'; 200],
        ] {
            assert_eq!(declared(odd), None);
        }
    }
}
