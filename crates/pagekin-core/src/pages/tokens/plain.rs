//! Markup so plain that the standard's states are not needed to read it.
//!
//! Most of a page is text, comments and tags as everybody writes them. Those
//! are read here, by looking for the byte at which they end; whatever else
//! comes (an odd tag, a title, a reference that is not among the usual ones,
//! the end of the page) is left to the library, which reads on to the end of
//! the next tag. A test holds the two against each other.

mod attributes;
mod passed;
mod references;

use memchr::{memchr2, memchr_iter};

use self::attributes::{keep, pass, plain_name, Attributes};
use self::references::reference;
use super::super::tags::{self, Tag};
use super::Reader;

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
        if html.get(at) == Some(&b'<') {
            return at;
        }
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
        let mut letters = [0; 4];
        let (text, length) = reference(html, &mut letters)?;
        self.text(text);
        Some(length)
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
        let (end, _) = pass(html, after)?;
        self.begin_end_tag();
        self.name = name;
        self.end_of_tag();
        Some(end)
    }

    fn plain_start_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (name, after) = plain_name(html, at + 1)?;
        let tag = name.tag();
        let rules = tags::rules_of(tag);
        self.begin_start_tag();
        let end = if rules.is_attributed() {
            self.plain_attributes(html, after)?
        } else {
            let (end, self_closing) = pass(html, after)?;
            self.self_closing = self_closing;
            end
        };
        let end = if rules.is_raw() {
            self.plain_raw(html, end, tag)?
        } else {
            end
        };
        self.name = name;
        self.end_of_tag();
        Some(end)
    }

    /// Reads a tag's attributes, and returns where it ends.
    fn plain_attributes(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let attributes = Attributes::read(html, at)?;
        self.self_closing = attributes.self_closing;
        for (kept, value) in [
            (&mut self.href, attributes.href),
            (&mut self.alt, attributes.alt),
        ] {
            if let Some(value) = value {
                keep(&html[value], kept)?;
            }
        }
        Some(attributes.end)
    }

    /// Where the end tag is of an element whose text nobody sees.
    fn plain_raw(&self, html: &[u8], from: usize, tag: Tag) -> Option<usize> {
        if !self.foreign.is_empty() || !tags::rules_of(tag).is_mute() {
            return None;
        }
        let mut escaped = false;
        for place in memchr_iter(b'<', &html[from..]) {
            let rest = &html[from + place + 1..];
            match *rest.first()? {
                b'/' if is_tag(&rest[1..], tag) => return Some(from + place),
                b'!' => escaped |= tag == tags::SCRIPT && rest.starts_with(b"!--"),
                // A script in a comment in a script: its end tag may be none.
                _ if escaped && is_tag(rest, tags::SCRIPT) => return None,
                _ => {}
            }
        }
        None
    }
}

/// Whether this is the tag's name and what may follow it.
fn is_tag(html: &[u8], tag: Tag) -> bool {
    plain_name(html, 0).is_some_and(|(name, _)| name.tag() == tag)
}
