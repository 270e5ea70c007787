//! Redirects: where a server sends a client that asks for a URL (RFC 9110, section 15.4).

use super::fields::fields;
use super::http_parts::HttpParts;
use crate::crawl::record_start::RecordFormat;
use crate::crawl::{Limits, Record};

/// The status codes of a redirect.
pub(super) const REDIRECTS: [u16; 5] = [301, 302, 303, 307, 308];

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
        if self.skip.is_some() || matches!(self.format, RecordFormat::Page { .. }) {
            return None;
        }
        let url = self.head_fields().ok()?.url;
        let parts = HttpParts::of(self.block, limits.header)?;
        if !REDIRECTS.contains(&parts.status) {
            return None;
        }
        let mut found = fields(parts.fields());
        let (_, location) = found.find(|(name, _)| name.eq_ignore_ascii_case(b"location"))?;
        Some(Redirect {
            url: std::str::from_utf8(url).ok()?,
            location: std::str::from_utf8(location).ok()?,
        })
    }
}
