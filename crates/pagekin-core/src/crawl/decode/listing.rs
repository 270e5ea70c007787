//! What a capture index (CDX) lists of a record: which URL, when, what kind of answer, and where.

use super::capture::{check_url, readable};
use super::fields::{content_type, fields};
use super::http_parts::HttpParts;
use super::redirect::REDIRECTS;
use super::{payload_digest, Scratch};
use crate::crawl::record_start::RecordFormat;
use crate::crawl::{Limits, Record, Skip};

/// What kind of capture a record is. The order is that of the captures of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaptureKind {
    /// A response of a server.
    Response,
    /// A response that leads elsewhere.
    Redirect,
    /// The same answer as another capture, which alone has the body.
    Revisit,
    /// A resource without a response.
    Resource,
    /// A file of a folder of pages.
    File,
}

impl CaptureKind {
    /// Every kind, by its number.
    pub const ALL: [Self; 5] = [
        Self::Response,
        Self::Redirect,
        Self::Revisit,
        Self::Resource,
        Self::File,
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Redirect => "redirect",
            Self::Revisit => "revisit",
            Self::Resource => "resource",
            Self::File => "file",
        }
    }
}

/// A capture as an index lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<'a> {
    /// The requested URL, as it is in the archive.
    pub url: &'a str,
    /// When it was fetched, in seconds since 1970.
    pub date: Option<i64>,
    /// What kind of capture it is.
    pub kind: CaptureKind,
    /// The HTTP status, if there is a response.
    pub status: Option<u16>,
    /// The media type that the server sent, or empty.
    pub media: String,
    /// The payload digest of its header, or else computed; empty for a revisit without one.
    pub digest: String,
    /// Number of stored bytes from the offset on that hold the record, if they suffice to read it.
    pub length: Option<u64>,
    /// Its file, an index into [`crate::crawl::CrawlReader::files`].
    pub file: u32,
    /// As [`crate::crawl::Capture::offset`].
    pub offset: u64,
}

impl<'a> Record<'a> {
    /// What an index lists of the record, if it is a capture of a web address.
    pub fn listing<'s>(&self, limits: &Limits, scratch: &'s mut Scratch) -> Option<Listing<'s>>
    where
        'a: 's,
    {
        let head = self.head_fields().ok()?;
        check_url(head.url, limits).ok()?;
        let response = self.response_parts(limits);
        let kind = self.kind(response.as_ref());
        let payload = response.map_or(self.block, |parts| parts.body);
        let named = self.named_digest();
        let digest = match kind {
            CaptureKind::Revisit => named.unwrap_or_default(),
            _ => named.unwrap_or_else(|| payload_digest::computed(payload)),
        };
        Some(Listing {
            url: readable(head.url, scratch.url()),
            date: head.date,
            kind,
            status: response.map(|parts| parts.status),
            media: self.media_type(response.as_ref()),
            digest,
            length: self.length,
            file: self.file,
            offset: self.offset,
        })
    }

    /// Whether the capture was fetched after the last moment that is read.
    pub fn is_later(&self, limits: &Limits) -> bool {
        let date = || self.head_fields().ok()?.date;
        limits
            .as_of
            .is_some_and(|last| date().is_some_and(|date| date > last))
    }

    /// Whether the record is of a type that holds responses, or pages.
    pub fn is_response(&self) -> bool {
        self.skip.is_none()
    }

    /// The parts of the response, if the record holds one.
    pub(super) fn response_parts(&self, limits: &Limits) -> Option<HttpParts<'a>> {
        let is_page = matches!(self.format, RecordFormat::Page { .. });
        if is_page || self.skip == Some(Skip::Resource) {
            return None;
        }
        HttpParts::of(self.block, limits.header)
    }

    pub(super) fn kind(&self, response: Option<&HttpParts<'_>>) -> CaptureKind {
        match (self.format, self.skip) {
            (RecordFormat::Page { .. }, _) => CaptureKind::File,
            (_, Some(Skip::Revisit)) => CaptureKind::Revisit,
            (_, Some(_)) => CaptureKind::Resource,
            _ if response.is_some_and(|parts| REDIRECTS.contains(&parts.status)) => {
                CaptureKind::Redirect
            }
            _ => CaptureKind::Response,
        }
    }

    /// The media type in lower case: of the response, or of a record that is the resource itself.
    fn media_type(&self, response: Option<&HttpParts<'_>>) -> String {
        let declared = match (self.format, response) {
            (RecordFormat::Page { media, .. }, _) => return media.mime_type().to_owned(),
            (_, Some(parts)) => last_type(parts.fields()),
            (RecordFormat::Warc, None) if self.skip == Some(Skip::Resource) => last_type(self.head),
            _ => None,
        };
        declared.map_or_else(String::new, |name| name.to_ascii_lowercase())
    }

    fn named_digest(&self) -> Option<String> {
        if self.format != RecordFormat::Warc {
            return None;
        }
        let mut found = fields(self.head);
        let (_, value) =
            found.find(|(name, _)| name.eq_ignore_ascii_case(b"warc-payload-digest"))?;
        payload_digest::declared(value)
    }
}

fn last_type(head: &[u8]) -> Option<&str> {
    let types = fields(head).filter(|(name, _)| name.eq_ignore_ascii_case(b"content-type"));
    let last = types.fold(None, |before, (_, value)| content_type(value, before));
    last.map(|(name, _)| name)
        .filter(|name| name.len() <= LONGEST_TYPE)
}

/// Longest name of a media type (RFC 6838, section 4.2: 127 on each side of the slash).
const LONGEST_TYPE: usize = 255;
