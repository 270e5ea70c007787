//! Attributes that nobody reads, passed over sixty-four bytes at a time.
//!
//! Where a tag ends depends on what is quoted. That is told by bits, one a byte, as long
//! as each `=` stands between a name and a double quote, and each such quote behind an `=`
//! or at the end of a value: then no quote is part of a name or of another value.

use wide::{i8x16, CmpEq, CmpLt};

/// How many bytes are looked at together.
const MARKED: usize = 64;

/// The first byte is the lowest bit.
#[derive(Default)]
struct Marks {
    double: u64,
    single: u64,
    equals: u64,
    ends: u64,
    /// What stands before no `=` of an attribute: white space, `/`, and what is odd.
    blank: u64,
}

impl Marks {
    #[inline]
    fn of(bytes: &[u8; MARKED]) -> Self {
        let mut marks = Self::default();
        let (sixteens, _) = bytes.as_chunks::<16>();
        for (place, sixteen) in sixteens.iter().enumerate() {
            let bytes = i8x16::from(sixteen.map(|byte| byte as i8));
            let is = |byte: u8| bytes.cmp_eq(i8x16::splat(byte as i8));
            let mask = |marked: i8x16| u64::from(marked.move_mask() as u32) << (16 * place);
            marks.double |= mask(is(b'"'));
            marks.single |= mask(is(b'\''));
            marks.equals |= mask(is(b'='));
            marks.ends |= mask(is(b'>'));
            marks.blank |= mask(bytes.cmp_lt(i8x16::splat(b' ' as i8 + 1)) | is(b'/'));
        }
        marks
    }
}

/// What the bytes before those that are looked at leave behind, each the lowest bit.
#[derive(Default)]
struct Before {
    quoted: u64,
    equals: u64,
    no_name: u64,
}

/// Where the tag ends whose attributes begin here, if they are written in the usual way.
#[inline]
pub(super) fn end_of_tag(html: &[u8], from: usize) -> Option<usize> {
    let mut before = Before::default();
    let mut at = from;
    loop {
        let bytes: &[u8; MARKED] = html.get(at..)?.first_chunk()?;
        let marks = Marks::of(bytes);
        // From each opening quote on, to before the closing one.
        let quoted = parity(marks.double) ^ before.quoted.wrapping_neg();
        let end = (marks.ends & !quoted).trailing_zeros();
        let equals = marks.equals & !quoted;
        let no_name = marks.blank | marks.double | marks.equals;
        let unusual = (marks.double & quoted) ^ (equals << 1 | before.equals)
            | equals & (no_name << 1 | before.no_name)
            | marks.single & !quoted;
        // The end itself counts: before it there is no `=`.
        if unusual & (u64::MAX >> (63 - end.min(63))) != 0 {
            return None;
        }
        if end < u64::BITS {
            return Some(at + end as usize);
        }
        before = Before {
            quoted: quoted >> 63,
            equals: equals >> 63,
            no_name: no_name >> 63,
        };
        at += MARKED;
    }
}

/// Of each bit whether an odd number of bits is set up to it.
#[inline]
fn parity(bits: u64) -> u64 {
    (0..6).fold(bits, |bits, step| bits ^ bits << (1 << step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(attributes: &str) -> Option<usize> {
        end_of_tag(format!("{attributes}{}", " ".repeat(MARKED)).as_bytes(), 0)
    }

    #[test]
    fn what_is_quoted_ends_no_tag() {
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
    fn what_is_unusual() {
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
