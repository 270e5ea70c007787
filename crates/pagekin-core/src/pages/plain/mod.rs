//! Markup so plain that the standard's states are not needed to read it.
//!
//! Most of a page is text, comments and tags as everybody writes them. Where those end is
//! found here by looking for the byte at which they do; of whatever else comes (an odd
//! tag, a reference that is not among the usual ones, the end of the page) nothing is told,
//! and the library reads it. Tests hold the two against each other.

mod attributes;
mod passed;
mod references;

use memchr::memchr_iter;

pub(super) use self::attributes::{each, pass, plain_name, resolve, Attributes};
pub(super) use self::references::reference;
use super::tags::{self, Tag};

/// Where the comment ends that may begin here.
pub(super) fn end_of_comment(html: &[u8], at: usize) -> Option<usize> {
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

/// Where the end tag is of an element whose text nobody sees.
pub(super) fn end_of_mute(html: &[u8], from: usize, tag: Tag) -> Option<usize> {
    if !tags::rules_of(tag).is_mute() {
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

/// How far the names are looked at that are asked for here, all of which are shorter. A page may
/// be one name that begins anew at every `<`.
const NAME: usize = 32;

/// Whether this is the tag's name and what may follow it.
fn is_tag(html: &[u8], tag: Tag) -> bool {
    let look = &html[..html.len().min(NAME)];
    plain_name(look, 0).is_some_and(|(name, _)| name == tag)
}
