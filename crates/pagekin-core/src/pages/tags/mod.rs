//! Tag names as numbers, and the rules of HTML for them.

mod rules;

pub use self::rules::*;

/// A tag name as a number: its letters if they are up to eight, else a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tag(u64);

impl Tag {
    /// The tag with this lower-case name.
    pub const fn new(name: &[u8]) -> Self {
        let mut whole = TagName {
            packed: 0,
            length: 0,
        };
        whole.push(name);
        whole.tag()
    }
}

/// A name that is put together from pieces.
#[derive(Debug, Clone, Copy, Default)]
pub struct TagName {
    packed: u64,
    length: usize,
}

impl TagName {
    /// Appends a piece.
    #[inline]
    pub const fn push(&mut self, piece: &[u8]) {
        let mut at = 0;
        while at < piece.len() {
            let byte = piece[at] as u64;
            if self.length < 8 {
                self.packed |= byte << (8 * self.length);
            } else {
                self.packed =
                    (self.packed.rotate_left(23) ^ byte).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            self.length += 1;
            at += 1;
        }
    }

    /// An ASCII name in lower case; `bytes` are the first eight bytes from its start on.
    #[inline]
    pub fn lower(bytes: &[u8; 8], name: &[u8]) -> Self {
        if name.len() > bytes.len() {
            let mut lower = Self::default();
            name.iter()
                .for_each(|byte| lower.push(&[byte.to_ascii_lowercase()]));
            return lower;
        }
        let beyond = u64::MAX.checked_shl(8 * name.len() as u32).unwrap_or(0);
        Self {
            packed: lower_eight(u64::from_le_bytes(*bytes) & !beyond),
            length: name.len(),
        }
    }

    /// The tag with this name.
    #[inline]
    pub const fn tag(self) -> Tag {
        Tag(if self.length > 8 {
            self.packed | 0xff << 56
        } else {
            self.packed
        })
    }
}

/// Eight bytes of ASCII in lower case.
#[inline]
fn lower_eight(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let from_a = bytes + EACH * (0x80 - b'A' as u64);
    let past_z = bytes + EACH * (0x7f - b'Z' as u64);
    bytes | (from_a & !past_z & EACH << 7) >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_casing_eight_bytes_at_once_gives_the_same_names() {
        for name in ["A", "Div", "h1", "@[`{-Z_z", "blockquote", "H-T.M~L1"] {
            let padded = format!("{name}>>>>>>>>");
            let bytes = padded.as_bytes().first_chunk().expect("eight bytes");
            let lower = TagName::lower(bytes, name.as_bytes()).tag();
            assert_eq!(
                lower,
                Tag::new(name.to_ascii_lowercase().as_bytes()),
                "{name}"
            );
        }
    }
}
