//! Plain markup, read without the library.
//!
//! Whatever is not plain (an odd tag, a title, the end of the page) is left to the library, which
//! reads on to the end of the next tag. A test holds the two against each other.

use memchr::memchr2;

use super::super::plain::{
    end_of_comment, end_of_mute, pass, plain_name, reference, resolve, Attributes,
};
use super::super::tags;
use super::Reader;

impl Reader<'_> {
    /// Reads from `at` as far as all is plain, and returns how far that is.
    pub(super) fn read_plain(&mut self, mut at: usize) -> usize {
        let html = self.html;
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
        let end = end_of_comment(html, at)?;
        self.begin_comment();
        Some(end)
    }

    fn plain_end_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (tag, after) = plain_name(html, at + 2)?;
        let (end, _) = pass(html, after)?;
        self.begin_end_tag();
        self.end_of_tag(tag, tags::rules_of(tag));
        Some(end)
    }

    fn plain_start_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (tag, after) = plain_name(html, at + 1)?;
        let rules = tags::rules_of(tag);
        self.begin_start_tag();
        let end = if rules.is_attributed() {
            self.plain_attributes(html, after)?
        } else {
            let (end, self_closing) = pass(html, after)?;
            self.self_closing = self_closing;
            end
        };
        let end = match rules.is_raw() {
            true if !self.foreign.is_empty() => return None,
            true => end_of_mute(html, end, tag)?,
            false => end,
        };
        self.end_of_tag(tag, rules);
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
                resolve(&html[value], kept.begin())?;
            }
        }
        Some(attributes.end)
    }
}
