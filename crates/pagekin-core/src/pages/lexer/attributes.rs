//! Tag names and attributes in their usual form.
//!
//! The byte that ends a name or a value is searched sixteen bytes at a time (SIMD). Anything odd,
//! and anything within sixteen bytes of the page's end, is left to html5gum.

use memchr::{memchr, memchr2, memchr3};
use wide::{i8x16, CmpEq, CmpLt};

use super::super::tags::{Rules, Tag, TagName};
use super::references::read_reference;

/// Which attributes of a tag to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeFilter {
    /// None.
    Nothing,
    /// `href`, `rel`, `alt` and `title`.
    Links,
    /// `role`.
    Role,
    /// All.
    All,
}

impl AttributeFilter {
    /// Which a reader needs of a tag.
    #[inline]
    pub fn of(rules: Rules) -> Self {
        if rules.is_attributed() {
            Self::Links
        } else if rules.at_start != 0 {
            Self::Role
        } else {
            Self::Nothing
        }
    }

    /// Whether to keep an attribute with this name, in any case.
    #[inline]
    pub(super) fn takes(self, name: &[u8]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Links => [&b"href"[..], b"rel", b"alt", b"title"]
                .iter()
                .any(|kept| name.eq_ignore_ascii_case(kept)),
            Self::Role => name.eq_ignore_ascii_case(b"role"),
            Self::All => true,
        }
    }
}

/// Names and values of a tag's attributes in one buffer, which serves one tag after another.
#[derive(Debug, Default)]
pub struct Attributes {
    bytes: Vec<u8>,
    /// Where each name and each value ends.
    ends: Vec<(usize, usize)>,
}

impl Attributes {
    /// The value of the first attribute with this name in lower case.
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.iter()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    /// Names in lower case and values, in order. A name may come twice; the first one counts.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |&(name_end, end)| {
            let name = &self.bytes[start..name_end];
            start = end;
            (name, &self.bytes[name_end..end])
        })
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Adds an attribute without a value.
    pub(super) fn push(&mut self, name: &[u8]) {
        self.bytes.extend(name.iter().map(u8::to_ascii_lowercase));
        self.ends.push((self.bytes.len(), self.bytes.len()));
    }

    /// Appends to the value of the last attribute.
    pub(super) fn push_value(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        if let Some((_, end)) = self.ends.last_mut() {
            *end = self.bytes.len();
        }
    }

    /// Adds an attribute, unless a character reference in its value is not plain.
    #[inline]
    fn push_resolved(&mut self, name: &[u8], value: &[u8]) -> Option<()> {
        self.bytes.extend(name.iter().map(u8::to_ascii_lowercase));
        let name_end = self.bytes.len();
        resolve(value, &mut self.bytes)?;
        self.ends.push((name_end, self.bytes.len()));
        Some(())
    }
}

const SIXTEEN: usize = 16;

/// Where the first marked byte is from here on.
#[inline]
fn first(html: &[u8], from: usize, marked: impl Fn(i8x16) -> i8x16) -> Option<usize> {
    let mut at = from;
    loop {
        let bytes: &[u8; SIXTEEN] = html.get(at..)?.first_chunk()?;
        let marks = marked(i8x16::from(bytes.map(|byte| byte as i8))).move_mask();
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += SIXTEEN;
    }
}

#[inline]
fn is(bytes: i8x16, byte: u8) -> i8x16 {
    bytes.cmp_eq(i8x16::splat(byte as i8))
}

/// White space, and characters that are odd in a name: control characters and non-ASCII.
#[inline]
fn is_space_or_odd(bytes: i8x16) -> i8x16 {
    bytes.cmp_lt(i8x16::splat(b' ' as i8 + 1))
}

/// The tag whose name begins at `at`, and where the name ends. Always inlined: returning the pair
/// through memory costs time.
#[inline(always)]
pub(super) fn read_name(html: &[u8], at: usize) -> Option<(Tag, usize)> {
    if !html.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let end = first(html, at, |bytes| {
        is_space_or_odd(bytes) | is(bytes, b'>') | is(bytes, b'/')
    })?;
    let name = TagName::lower(html[at..].first_chunk()?, &html[at..end]);
    is_usual(html[end]).then_some((name.tag(), end))
}

/// Reads a tag's attributes and keeps those that the filter takes. Returns where the tag ends, and
/// whether it closes itself; `None` if anything about it is odd.
#[inline]
pub(super) fn read_attributes(
    html: &[u8],
    mut at: usize,
    filter: AttributeFilter,
    attributes: &mut Attributes,
) -> Option<(usize, bool)> {
    loop {
        at = past_spaces(html, at);
        match *html.get(at)? {
            b'>' => return Some((at + 1, false)),
            b'/' if html.get(at + 1) == Some(&b'>') => return Some((at + 2, true)),
            b'/' | b'=' => return None,
            _ => {
                let (name, value, end) = attribute(html, at)?;
                if filter.takes(name) {
                    attributes.push_resolved(name, value)?;
                }
                at = end;
            }
        }
    }
}

/// An attribute's name and value, and where it ends.
#[inline]
fn attribute(html: &[u8], start: usize) -> Option<(&[u8], &[u8], usize)> {
    let name_end = first(html, start, |bytes| {
        is_space_or_odd(bytes) | is(bytes, b'=') | is(bytes, b'>') | is(bytes, b'/')
    })?;
    if !is_usual(html[name_end]) {
        return None;
    }
    let equals = past_spaces(html, name_end);
    let (value, end) = if html.get(equals) == Some(&b'=') {
        plain_value(html, past_spaces(html, equals + 1))?
    } else {
        (&[][..], equals)
    };
    Some((&html[start..name_end], value, end))
}

/// An attribute's value, and where it ends with its quote.
#[inline]
fn plain_value(html: &[u8], at: usize) -> Option<(&[u8], usize)> {
    match *html.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = first(html, at + 1, |bytes| is(bytes, quote))?;
            Some((&html[at + 1..end], end + 1))
        }
        b'>' => None,
        _ => {
            let end = first(html, at, |bytes| is_space_or_odd(bytes) | is(bytes, b'>'))?;
            is_usual(html[end]).then_some((&html[at..end], end))
        }
    }
}

/// Appends an attribute's value with its character references resolved, if all are plain.
#[inline]
fn resolve(value: &[u8], out: &mut Vec<u8>) -> Option<()> {
    match memchr3(b'&', b'\r', 0, value) {
        None => out.extend_from_slice(value),
        Some(odd) if memchr2(b'\r', 0, &value[odd..]).is_some() => return None,
        Some(_) => resolve_references(value, out)?,
    }
    Some(())
}

fn resolve_references(value: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut rest = value;
    while let Some(at) = memchr(b'&', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let length = if let Some(length) = literal(rest) {
            out.extend_from_slice(&rest[..length]);
            length
        } else {
            let mut buffer = [0; 4];
            let (text, length) = read_reference(rest, &mut buffer)?;
            out.extend_from_slice(text);
            length
        };
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    Some(())
}

/// The length of the text at the start of a value that begins with `&`, unless it is a reference.
/// In a value, `&copy=1` is text.
fn literal(value: &[u8]) -> Option<usize> {
    let name = value[1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric());
    let length = name.count() + 1;
    match value.get(length) {
        Some(b'=') => Some(length),
        next => (length == 1 && next != Some(&b'#')).then_some(length),
    }
}

#[inline]
fn past_spaces(html: &[u8], from: usize) -> usize {
    let spaces = html[from..].iter().take_while(|&&byte| is_space(byte));
    from + spaces.count()
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Whether a byte is white space or a visible ASCII character.
#[inline]
fn is_usual(byte: u8) -> bool {
    is_space(byte) || byte > b' ' && byte.is_ascii()
}
