//! Plain markup, handed on without the library's states.

use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Token;
use memchr::memchr2;

use super::super::plain::{
    each, end_of_comment, end_of_mute, pass, plain_name, reference, resolve,
};
use super::super::tags::{self, Tag};
use super::{is_looked_at, Feed};

impl Feed<'_> {
    /// Reads on as far as all is plain.
    pub(super) fn read_plain(&mut self, html: &[u8]) {
        while !self.stop {
            let at = self.plain_text(html);
            let next = match html.get(at) {
                Some(b'<') => self.plain_markup(html, at),
                Some(b'&') => self.plain_reference(html, at),
                _ => None,
            };
            match next {
                Some(next) => self.at.set(next),
                None => break,
            }
        }
    }

    fn plain_text(&mut self, html: &[u8]) -> usize {
        let rest = &html[self.at.get()..];
        let length = memchr2(b'<', b'&', rest).unwrap_or(rest.len());
        self.text.extend_from_slice(&rest[..length]);
        self.at.set(self.at.get() + length);
        self.at.get()
    }

    fn plain_reference(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let mut letters = [0; 4];
        let (text, length) = reference(&html[at..], &mut letters)?;
        self.text.extend_from_slice(text);
        Some(at + length)
    }

    fn plain_markup(&mut self, html: &[u8], at: usize) -> Option<usize> {
        match html.get(at + 1)? {
            b'!' => self.plain_comment(html, at),
            b'/' => self.plain_end_tag(html, at),
            _ => self.plain_start_tag(html, at),
        }
    }

    fn plain_comment(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let end = end_of_comment(html, at)?;
        self.end_text();
        self.hand_on(Token::CommentToken(StrTendril::new()));
        Some(end)
    }

    fn plain_end_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (_, after) = plain_name(html, at + 2)?;
        let (end, _) = pass(html, after)?;
        self.begin_tag(false);
        self.push_name(&html[at + 2..after]);
        self.end_tag();
        Some(end)
    }

    fn plain_start_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (tag, after) = plain_name(html, at + 1)?;
        let rules = tags::rules_of(tag);
        let is_read = rules.is_attributed() || is_looked_at(tag);
        let mut attributes = Vec::new();
        let (end, self_closing) = if is_read {
            each(html, after, |name, value| attributes.push((name, value)))?
        } else {
            pass(html, after)?
        };
        let content = if rules.is_raw() {
            self.plain_content(html, end, tag)?
        } else {
            end
        };
        self.begin_tag(true);
        self.push_name(&html[at + 1..after]);
        self.self_closing = self_closing;
        self.plain_attributes(html, &attributes)?;
        let is_text = self.end_tag().is_some();
        self.mute = false;
        self.skips_mute &= is_text || !rules.is_raw();
        Some(if is_text { content } else { end })
    }

    /// Where the text ends that nobody sees. Once that was looked for in vain it is not looked for
    /// again: a page may have such elements without number.
    fn plain_content(&mut self, html: &[u8], from: usize, tag: Tag) -> Option<usize> {
        if !self.skips_mute || !tags::rules_of(tag).is_mute() {
            return None;
        }
        let end = end_of_mute(html, from, tag);
        self.skips_mute = end.is_some();
        end
    }

    fn push_name(&mut self, name: &[u8]) {
        self.name.extend(name.iter().map(u8::to_ascii_lowercase));
    }

    fn plain_attributes(
        &mut self,
        html: &[u8],
        attributes: &[(Range<usize>, Range<usize>)],
    ) -> Option<()> {
        for (name, value) in attributes {
            self.attribute.clear();
            let name = html[name.clone()].iter().map(u8::to_ascii_lowercase);
            self.attribute.extend(name);
            if self.wants() {
                self.value.clear();
                resolve(&html[value.clone()], &mut self.value)?;
                self.keep_attribute();
            }
        }
        Some(())
    }
}
