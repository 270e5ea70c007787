//! A record as it was archived: the header as it is, the body as a browser would get it.

use super::capture::{check_url, readable, undo_all, Response};
use super::date::warc_date;
use super::fields::fields;
use super::listing::CaptureKind;
use crate::crawl::record_start::RecordFormat;
use crate::crawl::{Limits, Record, Skip};

/// A record of an archive, read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedRecord {
    /// The requested URL, as it is in the archive.
    pub url: String,
    /// When it was fetched, in seconds since 1970.
    pub date: Option<i64>,
    /// What kind of capture it is.
    pub kind: CaptureKind,
    /// The status line and header fields of the response; empty without one.
    pub head: Vec<u8>,
    /// The body without its transfer and content encodings.
    pub body: Vec<u8>,
    /// The character encoding that the server sent.
    pub charset: Option<String>,
    /// Whether encodings of the body could not be removed: it is as stored then.
    pub encoded: bool,
    /// Whether the archive says that the body is incomplete.
    pub truncated: bool,
    /// Of a revisit the capture with the body, as far as the record names it.
    pub refers_to: Option<(String, Option<i64>)>,
}

impl Record<'_> {
    /// The record as it was archived; a [`Skip`] if it has no web address or is too large.
    pub fn archived(&self, limits: &Limits) -> Result<ArchivedRecord, Skip> {
        let head = self.head_fields()?;
        check_url(head.url, limits)?;
        let parts = self.response_parts(limits);
        let kind = self.kind(parts.as_ref());
        let whole = Response::default();
        let response = parts.as_ref().map_or(whole, Response::of);
        let stored = parts.map_or(self.block, |parts| parts.body);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let undone = match parts {
            Some(_) => undo_all(&response, limits, true, &mut one, &mut other),
            None if self.block.len() as u64 > limits.body => Err(Skip::TooLarge),
            None => Ok((self.block, false)),
        };
        let (body, encoded) = match undone {
            Ok((body, _)) => (body, false),
            Err(Skip::TooLarge) => return Err(Skip::TooLarge),
            Err(_) => (stored, true),
        };
        Ok(ArchivedRecord {
            url: readable(head.url, &mut String::new()).to_owned(),
            date: head.date,
            kind,
            head: parts.map_or(Vec::new(), |parts| parts.head.to_vec()),
            body: body.to_vec(),
            charset: response.charset.map(str::to_owned),
            encoded,
            truncated: head.truncated,
            refers_to: self.refers_to(),
        })
    }

    /// The capture that a revisit refers to (WARC 1.1, section 5.11).
    fn refers_to(&self) -> Option<(String, Option<i64>)> {
        if self.format != RecordFormat::Warc || self.skip != Some(Skip::Revisit) {
            return None;
        }
        let named = |wanted: &[u8]| {
            let mut found = fields(self.head);
            found
                .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
                .map(|(_, value)| value)
        };
        let url = named(b"warc-refers-to-target-uri")?;
        let date = named(b"warc-refers-to-date").and_then(warc_date);
        Some((readable(url, &mut String::new()).to_owned(), date))
    }
}
