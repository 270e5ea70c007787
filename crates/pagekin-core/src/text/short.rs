//! Short strings packed into 128 bits, and how to copy one from text in one step.

/// A string of up to 15 bytes in a number: its bytes from the lowest up, its
/// length in the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortWord([u8; 16]);

/// The longest string that fits.
pub const LONGEST_SHORT: usize = 15;

/// How many bytes are read to cut out a word.
pub(super) const WINDOW: usize = 16;

/// The length of a stand-in.
const LONG: usize = 0xff;

const EACH: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;

/// The bits of N letters.
const LETTERS: [u128; WINDOW] = {
    let mut bits = [0; WINDOW];
    let mut length = 1;
    while length < WINDOW {
        bits[length] = bits[length - 1] << 8 | 0xff;
        length += 1;
    }
    bits
};

impl ShortWord {
    /// The number of neither a word nor a stand-in.
    pub const NONE: Self = Self([0xff; 16]);

    const fn of(key: u128) -> Self {
        Self(key.to_le_bytes())
    }

    /// A string of up to 15 bytes.
    pub fn new(text: &[u8]) -> Self {
        let mut padded = [0; 16];
        padded[..text.len()].copy_from_slice(text);
        Self::of(u128::from_le_bytes(padded) | length_byte(text.len()))
    }

    /// A word of up to 15 ASCII letters, in lower case; `None` for any other word.
    #[inline]
    pub fn of_ascii(word: &str) -> Option<Self> {
        let mut letters = [0; LONGEST_SHORT];
        let letters = letters.get_mut(..word.len())?;
        letters.copy_from_slice(word.as_bytes());
        letters.make_ascii_lowercase();
        word.is_ascii().then(|| Self::new(letters))
    }

    /// The word of these ASCII letters, in lower case; `length` is at most 15.
    #[inline]
    pub(super) fn cut(text: &[u8], start: usize, length: usize) -> Self {
        let mut window = [0; WINDOW];
        window.copy_from_slice(&text[start..start + WINDOW]);
        Self::of((u128::from_le_bytes(window) | EACH << 5) & LETTERS[length] | length_byte(length))
    }

    /// The word of the first `length` of these bytes, at most 15.
    #[inline]
    pub(super) fn padded(bytes: &[u8; WINDOW], length: usize) -> Self {
        Self::of(u128::from_le_bytes(*bytes) & LETTERS[length] | length_byte(length))
    }

    /// A stand-in for a string that does not fit: its number.
    pub fn numbered(number: u32) -> Self {
        Self::of(u128::from(number) | length_byte(LONG))
    }

    /// The number that it stands for, if it is a stand-in.
    pub fn number(self) -> Option<u32> {
        (self.length() == LONG).then_some(self.key() as u32)
    }

    /// How many bytes it has.
    #[inline]
    pub fn length(self) -> usize {
        usize::from(self.0[LONGEST_SHORT])
    }

    /// Its bytes; it must not be a stand-in.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0[..self.length()]
    }

    /// The number.
    #[inline]
    pub const fn key(self) -> u128 {
        u128::from_le_bytes(self.0)
    }
}

const fn length_byte(length: usize) -> u128 {
    (length as u128) << (8 * LONGEST_SHORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_constructors_give_the_same_short_word() {
        let word = ShortWord::new(b"garden");
        assert_eq!(ShortWord::cut(b"Garden and more words", 0, 6), word);
        assert_eq!(ShortWord::of_ascii("Garden"), Some(word));
        assert_eq!(ShortWord::of_ascii("gärten"), None);
        assert_eq!(ShortWord::of_ascii("a".repeat(16).as_str()), None);
        assert_eq!(ShortWord::padded(b"garden-and-more.", 6), word);
        assert_eq!((word.bytes(), word.number()), (&b"garden"[..], None));
        assert_eq!(ShortWord::numbered(7).number(), Some(7));
    }
}
