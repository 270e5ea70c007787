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

/// The bits of so many letters.
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
    /// No word's number, and no stand-in's.
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

    /// The word of ASCII letters that begins here, in lower case, if it ends
    /// within 15 bytes at another ASCII character.
    #[inline]
    pub fn at(text: &[u8], at: usize) -> Option<Self> {
        let window = match text
            .get(at..at + 16)
            .and_then(|window| window.try_into().ok())
        {
            Some(window) => u128::from_le_bytes(window),
            None => near_the_end(text.get(at..)?)?,
        };
        // Most words end within the first eight bytes.
        let first = window as u64;
        let mut length = count_letters(first);
        if length == 8 {
            length += count_letters((window >> 64) as u64);
        }
        // A byte with its high bit set is no ASCII.
        if length == 0 || length > LONGEST_SHORT || window >> (8 * length) & 0x80 != 0 {
            return None;
        }
        let lower = (window | EACH << 5) & LETTERS[length];
        Some(Self::of(lower | length_byte(length)))
    }

    /// The word of these ASCII letters, in lower case; `length` is at most 15.
    #[inline]
    pub(super) fn cut(text: &[u8], start: usize, length: usize) -> Self {
        let mut window = [0; WINDOW];
        window.copy_from_slice(&text[start..start + WINDOW]);
        Self::of((u128::from_le_bytes(window) | EACH << 5) & LETTERS[length] | length_byte(length))
    }

    /// The word of so many of these bytes, at most 15.
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

    /// Its bytes; it must be no stand-in.
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

/// The last bytes of a text, unless a word reaches its end: more may follow.
fn near_the_end(text: &[u8]) -> Option<u128> {
    let mut window = [0; 16];
    window.get_mut(..text.len())?.copy_from_slice(text);
    (!text.last()?.is_ascii_alphabetic()).then_some(u128::from_le_bytes(window))
}

/// How many ASCII letters eight bytes begin with. Each byte is looked at without
/// its high bit, so that no sum reaches into the next byte.
#[inline]
fn count_letters(bytes: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = EACH << 7;
    let lower = (bytes | EACH << 5) & !HIGH;
    let from_a = lower + EACH * (0x80 - b'a' as u64);
    let past_z = lower + EACH * (0x7f - b'z' as u64);
    let letters = from_a & !past_z & !bytes & HIGH;
    (!letters & HIGH).trailing_zeros() as usize / 8
}

const fn length_byte(length: usize) -> u128 {
    (length as u128) << (8 * LONGEST_SHORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<String> {
        let padded = format!("{text}                ");
        ShortWord::at(padded.as_bytes(), 0)
            .map(|word| String::from_utf8(word.bytes().to_vec()).expect("ASCII"))
    }

    #[test]
    fn short_word_ends_at_any_non_letter() {
        for byte in 0..=127u8 {
            let text = format!("Ab{}", char::from(byte));
            let expected = if byte.is_ascii_alphabetic() {
                text.to_lowercase()
            } else {
                "ab".to_owned()
            };
            assert_eq!(at(&text), Some(expected), "{byte}");
        }
    }

    #[test]
    fn words_that_are_not_short_are_rejected() {
        assert_eq!(at(" garden"), None);
        assert_eq!(at("café"), None);
        assert_eq!(at("extraordinarily").as_deref(), Some("extraordinarily"));
        assert_eq!(at("extraordinarilyx"), None);
        assert_eq!(ShortWord::at(b"at the end", 7), None);
        assert_eq!(
            ShortWord::at(b"at the end.", 7),
            Some(ShortWord::new(b"end"))
        );
        assert_eq!(ShortWord::at(b"end", 3), None);
    }

    #[test]
    fn both_constructors_give_the_same_short_word() {
        assert_eq!(
            Some(ShortWord::new(b"garden")),
            ShortWord::at(b"Garden and more words", 0)
        );
    }
}
