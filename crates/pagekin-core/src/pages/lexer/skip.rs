//! Skipping attributes with bit masks, sixty-four bytes at a time.
//!
//! Where a tag ends depends on what is quoted. A prefix XOR over the mask of quotes marks quoted
//! bytes (as in simdjson, Langdale and Lemire 2019). That holds as long as each `=` stands between
//! a name and a double quote, and each such quote behind an `=` or at the end of a value: then no
//! quote is part of a name or of another value. Any other tag is unusual and not skipped here.

use wide::{i8x16, CmpEq, CmpLt};

/// How many bytes one mask covers.
const MARKED: usize = 64;

/// One bit for each byte, the first byte lowest.
#[derive(Default)]
struct AttributeMasks {
    double: u64,
    single: u64,
    equals: u64,
    ends: u64,
    /// What cannot stand before the `=` of an attribute: white space, `/`, and what is odd.
    blank: u64,
}

impl AttributeMasks {
    #[inline]
    fn of(bytes: &[u8; MARKED]) -> Self {
        let mut masks = Self::default();
        let (sixteens, _) = bytes.as_chunks::<16>();
        for (place, sixteen) in sixteens.iter().enumerate() {
            let bytes = i8x16::from(sixteen.map(|byte| byte as i8));
            let is = |byte: u8| bytes.cmp_eq(i8x16::splat(byte as i8));
            let mask = |marked: i8x16| u64::from(marked.move_mask() as u32) << (16 * place);
            masks.double |= mask(is(b'"'));
            masks.single |= mask(is(b'\''));
            masks.equals |= mask(is(b'='));
            masks.ends |= mask(is(b'>'));
            masks.blank |= mask(bytes.cmp_lt(i8x16::splat(b' ' as i8 + 1)) | is(b'/'));
        }
        masks
    }
}

/// What one block of bytes carries into the next, each in the lowest bit.
#[derive(Default)]
struct MaskCarry {
    quoted: u64,
    equals: u64,
    no_name: u64,
}

/// Where the tag ends whose attributes begin here, if they are written in the usual way.
#[inline]
pub(super) fn end_of_tag(html: &[u8], from: usize) -> Option<usize> {
    let mut carry = MaskCarry::default();
    let mut at = from;
    loop {
        let bytes: &[u8; MARKED] = html.get(at..)?.first_chunk()?;
        let masks = AttributeMasks::of(bytes);
        // From each opening quote on, to before the closing one.
        let quoted = prefix_xor(masks.double) ^ carry.quoted.wrapping_neg();
        let end = (masks.ends & !quoted).trailing_zeros();
        let equals = masks.equals & !quoted;
        let no_name = masks.blank | masks.double | masks.equals;
        let unusual = (masks.double & quoted) ^ (equals << 1 | carry.equals)
            | equals & (no_name << 1 | carry.no_name)
            | masks.single & !quoted;
        // The end itself counts: before it there is no `=`.
        if unusual & (u64::MAX >> (63 - end.min(63))) != 0 {
            return None;
        }
        if end < u64::BITS {
            return Some(at + end as usize);
        }
        carry = MaskCarry {
            quoted: quoted >> 63,
            equals: equals >> 63,
            no_name: no_name >> 63,
        };
        at += MARKED;
    }
}

/// Prefix XOR: sets each bit up to which an odd number of bits is set.
#[inline]
fn prefix_xor(bits: u64) -> u64 {
    (0..6).fold(bits, |bits, step| bits ^ bits << (1 << step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(attributes: &str) -> Option<usize> {
        end_of_tag(format!("{attributes}{}", " ".repeat(MARKED)).as_bytes(), 0)
    }

    #[test]
    fn quoted_bytes_do_not_end_a_tag() {
        for attributes in [
            "",
            " class=\"a>b\"",
            " a=\"'\" b /",
            " a=\"\"b=\"=x>\" hidden ",
            &format!(" a=\"{}>\" b=\"{}\"", "x".repeat(57), ">".repeat(70)),
            &format!("{} a=\"x\"", " ".repeat(60)),
        ] {
            let length = attributes.len();
            assert_eq!(end(&format!("{attributes}>")), Some(length), "{attributes}");
        }
    }

    #[test]
    fn unusual_attributes_are_not_skipped() {
        for attributes in [
            " a=b",
            " a=",
            " a='b'",
            " a = \"b\"",
            " =\"b>\"",
            "/=\"b>\"",
            " a=\"b\"=\"c>\"",
            " a==\"b>\"",
            " a\"b\"",
            " a=b\" c=\"d>\"",
            &format!("{}=\"b>\"", " ".repeat(MARKED)),
            &format!(" {}=b", "a".repeat(MARKED - 2)),
        ] {
            assert_eq!(end(&format!("{attributes}>")), None, "{attributes}");
        }
    }
}
