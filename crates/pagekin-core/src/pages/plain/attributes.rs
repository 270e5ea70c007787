//! Tags as everybody writes them: their names, and what is wanted of their attributes.
//!
//! What ends a name or a value is looked for in sixteen bytes at once. Whatever is odd, and
//! what is so near the end of the page, is left to the library.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};
use wide::{i8x16, CmpEq, CmpLt};

use super::super::tags::{Name, Tag};
use super::passed::end_of_tag;
use super::references::reference;

const SIXTEEN: usize = 16;

/// Where the first byte is from here on that is marked.
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

/// White space, and what is odd in a name: controls and what is not ASCII.
#[inline]
fn is_space_or_odd(bytes: i8x16) -> i8x16 {
    bytes.cmp_lt(i8x16::splat(b' ' as i8 + 1))
}

/// The tag whose name is from `at` on, and where the name ends. Always inlined, since what comes
/// back through memory is waited for.
#[inline(always)]
pub(in crate::pages) fn plain_name(html: &[u8], at: usize) -> Option<(Tag, usize)> {
    if !html.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let end = first(html, at, |bytes| {
        is_space_or_odd(bytes) | is(bytes, b'>') | is(bytes, b'/')
    })?;
    let name = Name::lower(html[at..].first_chunk()?, &html[at..end]);
    is_usual(html[end]).then_some((name.tag(), end))
}

/// What is wanted of a tag's attributes: where the values are.
#[derive(Default)]
pub(in crate::pages) struct Attributes {
    pub(in crate::pages) href: Option<Range<usize>>,
    pub(in crate::pages) alt: Option<Range<usize>>,
    pub(in crate::pages) self_closing: bool,
    /// Behind the tag.
    pub(in crate::pages) end: usize,
}

impl Attributes {
    /// The attributes from `at` on, if nothing about them is odd.
    #[inline]
    pub(in crate::pages) fn read(html: &[u8], at: usize) -> Option<Self> {
        let (mut href, mut alt) = (None, None);
        let (end, self_closing) = each(html, at, |name, value| {
            match &html[name] {
                name if name.eq_ignore_ascii_case(b"href") => href.get_or_insert(value),
                name if name.eq_ignore_ascii_case(b"alt") => alt.get_or_insert(value),
                _ => return,
            };
        })?;
        Some(Self {
            href,
            alt,
            self_closing,
            end,
        })
    }
}

/// Tells `take` where the name and the value of each attribute is from `at` on. Returns where the
/// tag ends, and whether it closes itself; nothing if anything about them is odd.
#[inline]
pub(in crate::pages) fn each(
    html: &[u8],
    mut at: usize,
    mut take: impl FnMut(Range<usize>, Range<usize>),
) -> Option<(usize, bool)> {
    loop {
        at = past_spaces(html, at);
        match *html.get(at)? {
            b'>' => return Some((at + 1, false)),
            b'/' if html.get(at + 1) == Some(&b'>') => return Some((at + 2, true)),
            b'/' | b'=' => return None,
            _ => {
                let (name, value, end) = attribute(html, at)?;
                take(name, value);
                at = end;
            }
        }
    }
}

/// Where an attribute's name and value are, and where it ends.
#[inline]
fn attribute(html: &[u8], start: usize) -> Option<(Range<usize>, Range<usize>, usize)> {
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
        (equals..equals, equals)
    };
    Some((start..name_end, value, end))
}

/// Passes attributes of which nobody wants the values. Returns where the tag ends, and
/// whether it closes itself.
#[inline]
pub(in crate::pages) fn pass(html: &[u8], at: usize) -> Option<(usize, bool)> {
    if html.get(at) == Some(&b'>') {
        return Some((at + 1, false));
    }
    match end_of_tag(html, at) {
        Some(end) => Some((end + 1, html[end - 1] == b'/')),
        None => Attributes::read(html, at).map(|read| (read.end, read.self_closing)),
    }
}

/// Where an attribute's value is, and where it ends with its quote.
#[inline]
fn plain_value(html: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    match *html.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = first(html, at + 1, |bytes| is(bytes, quote))?;
            Some((at + 1..end, end + 1))
        }
        b'>' => None,
        _ => {
            let end = first(html, at, |bytes| is_space_or_odd(bytes) | is(bytes, b'>'))?;
            is_usual(html[end]).then_some((at..end, end))
        }
    }
}

/// Appends what an attribute's value stands for, unless a reference in it is not plain.
#[inline]
pub(in crate::pages) fn resolve(value: &[u8], out: &mut Vec<u8>) -> Option<()> {
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
            let mut letters = [0; 4];
            let (text, length) = reference(rest, &mut letters)?;
            out.extend_from_slice(text);
            length
        };
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    Some(())
}

/// How much of a value that begins with `&` is surely text. In `a&copy=1` nothing is a
/// reference, since this is a value.
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

/// Whether a byte is ASCII and, unless it is white space, no control.
#[inline]
fn is_usual(byte: u8) -> bool {
    is_space(byte) || byte > b' ' && byte.is_ascii()
}
