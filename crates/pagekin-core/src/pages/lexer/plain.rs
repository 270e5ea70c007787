//! Plain markup: text, comments and tags that need none of the tokenizer's states.
//!
//! Whatever is not plain is left to html5gum.

use memchr::memchr_iter;

use super::super::tags::{self, Tag};
use super::attributes::{read_attributes, read_name, AttributeFilter};
use super::references::read_reference;
use super::{Lexer, LexerSink};

impl<S: LexerSink> Lexer<'_, S> {
    /// Reads on while the markup is plain.
    pub(super) fn read_plain(&mut self) {
        let html = self.html;
        let mut at = self.at.get();
        while !self.sink.is_done() {
            if html.get(at) != Some(&b'<') {
                at = self.sink.plain_text(html, at);
            }
            let next = match html.get(at) {
                Some(b'<') => self.read_markup(html, at),
                Some(b'&') => self.read_plain_reference(html, at),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        self.at.set(at);
    }

    fn read_plain_reference(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let mut buffer = [0; 4];
        let (text, length) = read_reference(&html[at..], &mut buffer)?;
        self.sink.text(text);
        Some(at + length)
    }

    #[inline]
    fn read_markup(&mut self, html: &[u8], at: usize) -> Option<usize> {
        match html.get(at + 1)? {
            b'!' => self.read_comment(html, at),
            b'/' => self.read_end_tag(html, at),
            _ => self.read_start_tag(html, at),
        }
    }

    fn read_comment(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let end = end_of_comment(html, at)?;
        self.sink.comment();
        Some(end)
    }

    fn read_end_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (tag, after) = read_name(html, at + 2)?;
        let nothing = AttributeFilter::Nothing;
        let (end, _) = read_attributes(html, after, nothing, &mut self.attributes)?;
        self.end_tag((tag, tags::rules_of(tag)), &html[at + 2..after], end);
        Some(end)
    }

    fn read_start_tag(&mut self, html: &[u8], at: usize) -> Option<usize> {
        let (tag, after) = read_name(html, at + 1)?;
        let rules = tags::rules_of(tag);
        self.attributes.clear();
        let filter = S::attributes_of(tag, rules);
        let (end, self_closing) = read_attributes(html, after, filter, &mut self.attributes)?;
        let content_end = if rules.is_raw() {
            self.find_end_of_hidden_text(html, end, tag)?
        } else {
            end
        };
        let state = self.start_tag((tag, rules), &html[at + 1..after], (end, self_closing));
        Some(if state.is_some() { content_end } else { end })
    }

    fn find_end_of_hidden_text(&mut self, html: &[u8], from: usize, tag: Tag) -> Option<usize> {
        if !self.searches_end || self.sink.in_foreign_content() {
            return None;
        }
        end_of_hidden_text(html, from, tag)
    }
}

/// Where the comment ends that may begin here.
fn end_of_comment(html: &[u8], at: usize) -> Option<usize> {
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
    Some(at + 4 + length + 1)
}

/// Where the end tag begins of an element whose text no reader sees.
fn end_of_hidden_text(html: &[u8], from: usize, tag: Tag) -> Option<usize> {
    if !tags::rules_of(tag).is_mute() {
        return None;
    }
    let mut escaped = false;
    for place in memchr_iter(b'<', &html[from..]) {
        let rest = &html[from + place + 1..];
        match *rest.first()? {
            b'/' if starts_with_name(&rest[1..], tag) => return Some(from + place),
            b'!' => escaped |= tag == tags::SCRIPT && rest.starts_with(b"!--"),
            // The end tag of a script in a comment in a script may not end the outer one.
            _ if escaped && starts_with_name(rest, tags::SCRIPT) => return None,
            _ => {}
        }
    }
    None
}

/// Maximum bytes read of a name: all names in question are shorter, and a page may consist of one
/// name that begins again at every `<`.
const LONGEST_NAME: usize = 32;

/// Whether the tag's name begins here, complete.
fn starts_with_name(html: &[u8], tag: Tag) -> bool {
    let start = &html[..html.len().min(LONGEST_NAME)];
    read_name(start, 0).is_some_and(|(name, _)| name == tag)
}
