//! Redirects: where a server sends a client that asks for a URL (RFC 9110, section 15.4).

use super::capture::split_head;
use super::fields::{fields, status};
use crate::crawl::record_start::RecordFormat;
use crate::crawl::{Limits, Record};

/// The URL that was asked for, and the `Location` of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect<'a> {
    /// The requested URL, as it is in the archive.
    pub url: &'a str,
    /// The reference to the URL to ask for instead.
    pub location: &'a str,
}

impl<'a> Record<'a> {
    /// The redirect that the record is, if it is one.
    pub fn redirect(&self, limits: &Limits) -> Option<Redirect<'a>> {
        if matches!(self.format, RecordFormat::Page { .. }) {
            return None;
        }
        let url = self.head_fields().ok()?.url;
        let (head, _) = split_head(self.block.trim_ascii_start(), limits.header)?;
        let line = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
        if !matches!(status(line)?, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let mut found = fields(&head[line.len()..]);
        let (_, location) = found.find(|(name, _)| name.eq_ignore_ascii_case(b"location"))?;
        Some(Redirect {
            url: std::str::from_utf8(url).ok()?,
            location: std::str::from_utf8(location).ok()?,
        })
    }
}
