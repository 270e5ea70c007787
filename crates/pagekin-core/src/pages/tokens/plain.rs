//! Markup so plain that the standard's states are not needed to read it.
//!
//! Most of a page is text, comments and tags as everybody writes them. Those
//! are read here, by looking for the byte at which they end; whatever else
//! comes (an odd tag, a script, a reference that is not among the usual ones,
//! the end of the page) is left to the library, which reads on to the end of
//! the next tag. A test holds the two against each other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use html5gum::{Token, Tokenizer};
use memchr::{memchr, memchr2, memchr3, memchr_iter};

use super::super::tags::Name;
use super::markup::raw_state;
use super::Reader;

/// Names of usual references. What they stand for, the library says.
const NAMES: &str = "nbsp quot amp lt gt ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo laquo raquo lsaquo rsaquo \
    hellip bull middot copy reg trade deg plusmn times divide minus frac12 frac14 frac34 sup1 sup2 sup3 micro para \
    sect pound euro cent yen iexcl iquest acute cedil uml macr not shy ordf ordm larr rarr uarr darr harr prime Prime \
    Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde \
    Ograve Oacute Ocirc Otilde Ouml Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml \
    aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml \
    oslash ugrave uacute ucirc uuml yacute thorn yuml OElig oelig Scaron scaron alpha beta gamma delta pi mu sigma omega";
/// The longest of them.
const LONGEST_NAME: usize = 6;
/// Digits of the longest number that is looked at.
const LONGEST_NUMBER: usize = 6;

static REFERENCES: LazyLock<HashMap<&'static [u8], Vec<u8>>> = LazyLock::new(|| {
    let names = NAMES.split_ascii_whitespace();
    names
        .map(|name| (name.as_bytes(), resolved(name)))
        .collect()
});

/// What the library makes of a reference.
fn resolved(name: &str) -> Vec<u8> {
    let reference = format!("&{name};");
    let tokens = Tokenizer::new(&reference).flatten();
    let texts = tokens.filter_map(|token| match token {
        Token::String(text) => Some(text.value.to_vec()),
        _ => None,
    });
    texts.collect::<Vec<_>>().concat()
}

impl Reader<'_> {
    /// Reads from `at` as far as all is plain, and returns how far that is.
    pub(super) fn read_plain(&mut self, html: &[u8], mut at: usize) -> usize {
        while !self.stop {
            at = self.plain_text(html, at);
            let next = match html.get(at) {
                Some(b'<') => self.plain_markup(html, at),
                Some(b'&') => self.plain_reference(&html[at..]).map(|length| at + length),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// Reads text, to where it may end.
    #[inline]
    fn plain_text(&mut self, html: &[u8], at: usize) -> usize {
        if self.speaks() {
            return self.builder.text_before_markup(html, at);
        }
        let end = memchr2(b'<', b'&', &html[at..]).map_or(html.len(), |length| at + length);
        if end > at {
            self.text(&html[at..end]);
        }
        end
    }

    fn plain_reference(&mut self, html: &[u8]) -> Option<usize> {
        if html.get(1) == Some(&b'#') {
            let (letter, length) = numbered(html)?;
            self.text(letter.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(length);
        }
        let name = &html[1..html.len().min(LONGEST_NAME + 2)];
        let length = memchr(b';', name)?;
        self.text(REFERENCES.get(&name[..length])?);
        Some(length + 2)
    }

    #[inline]
    fn plain_markup(&mut self, html: &[u8], at: usize) -> Option<usize> {
        match html.get(at + 1)? {
            b'!' => self.plain_comment(html, at),
            b'/' => self.plain_end_tag(html, at),
            _ => self.plain_start_tag(html, at),
        }
    }

    fn plain_comment(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let comment = html[at..].strip_prefix(b"<!--")?;
        if comment.starts_with(b">") || comment.starts_with(b"->") {
            return None;
        }
        let ends = |at: &usize| {
            [&b"--"[..], b"--!"]
                .iter()
                .any(|end| comment[..*at].ends_with(end))
        };
        let length = memchr_iter(b'>', comment).find(ends)?;
        self.begin_comment();
        Some(at + 4 + length + 1)
    }

    fn plain_end_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (name, after) = plain_name(html, at + 2)?;
        let attributes = Attributes::read(html, after)?;
        self.begin_end_tag();
        self.name = name;
        self.end_of_tag();
        Some(attributes.end)
    }

    fn plain_start_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (name, after) = plain_name(html, at + 1)?;
        if raw_state(name.tag()).is_some() {
            return None;
        }
        let attributes = Attributes::read(html, after)?;
        self.begin_start_tag();
        self.name = name;
        self.self_closing = attributes.self_closing;
        for (kept, value) in [
            (&mut self.href, attributes.href),
            (&mut self.alt, attributes.alt),
        ] {
            if let Some(value) = value {
                kept.begin();
                kept.push(&html[value]);
            }
        }
        self.end_of_tag();
        Some(attributes.end)
    }
}

/// A reference to a character by its number, and how long it is.
fn numbered(html: &[u8]) -> Option<(char, usize)> {
    let hexadecimal = matches!(html.get(2), Some(b'x' | b'X'));
    let (radix, start) = if hexadecimal { (16, 3) } else { (10, 2) };
    let rest = &html[start..html.len().min(start + LONGEST_NUMBER + 1)];
    let length = memchr(b';', rest).filter(|&length| length > 0)?;
    let mut digits = rest[..length]
        .iter()
        .map(|&byte| char::from(byte).to_digit(radix));
    let number = digits.try_fold(0, |number, digit| Some(number * radix + digit?))?;
    // Controls are left out: some stand for something else.
    let is_control = number < 0x20 || (0x7f..0xa0).contains(&number);
    let character = char::from_u32(number).filter(|_| !is_control)?;
    Some((character, start + length + 1))
}

/// A tag's name from `at` on, and where it ends.
#[inline]
fn plain_name(html: &[u8], at: usize) -> Option<(Name, usize)> {
    if !html.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let mut name = Name::default();
    let mut end = at;
    loop {
        match *html.get(end)? {
            byte if is_space(byte) => break,
            b'>' | b'/' => break,
            0 => return None,
            byte => name.push(&[byte.to_ascii_lowercase()]),
        }
        end += 1;
    }
    Some((name, end))
}

/// What is wanted of a tag's attributes: where the values are.
#[derive(Default)]
struct Attributes {
    href: Option<Range<usize>>,
    alt: Option<Range<usize>>,
    self_closing: bool,
    /// Behind the tag.
    end: usize,
}

impl Attributes {
    /// The attributes from `at` on, if nothing about them is odd.
    #[inline]
    fn read(html: &[u8], mut at: usize) -> Option<Self> {
        let mut attributes = Self::default();
        loop {
            at = past_spaces(html, at);
            match *html.get(at)? {
                b'>' => break,
                b'/' if html.get(at + 1) == Some(&b'>') => {
                    attributes.self_closing = true;
                    at += 1;
                    break;
                }
                b'/' | b'=' => return None,
                _ => at = attributes.attribute(html, at)?,
            }
        }
        attributes.end = at + 1;
        Some(attributes)
    }

    /// Reads an attribute and returns where it ends.
    #[inline]
    fn attribute(&mut self, html: &[u8], start: usize) -> Option<usize> {
        let rest = &html[start..];
        let length = rest.iter().position(|&byte| ends_name(byte))?;
        let equals = past_spaces(html, start + length);
        let (value, end) = if html.get(equals) == Some(&b'=') {
            plain_value(html, past_spaces(html, equals + 1))?
        } else {
            (equals..equals, equals)
        };
        let kept = match &rest[..length] {
            name if name.eq_ignore_ascii_case(b"href") => &mut self.href,
            name if name.eq_ignore_ascii_case(b"alt") => &mut self.alt,
            _ => return Some(end),
        };
        if memchr3(b'&', b'\r', 0, &html[value.clone()]).is_some() {
            return None;
        }
        kept.get_or_insert(value);
        Some(end)
    }
}

/// Where an attribute's value is, and where it ends with its quote.
#[inline]
fn plain_value(html: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    match *html.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + memchr(quote, &html[at + 1..])?;
            Some((at + 1..end, end + 1))
        }
        b'>' => None,
        _ => {
            let ends = |&byte: &u8| is_space(byte) || byte == b'>';
            let end = at + html[at..].iter().position(ends)?;
            Some((at..end, end))
        }
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

#[inline]
fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'=' | b'>' | b'/')
}
