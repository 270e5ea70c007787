//! Decodes a record into a capture, or into the reason why it is skipped.

use std::borrow::Cow;

use super::chunked::{dechunk, Chunks};
use super::content_encoding::{undo, Outcome};
use super::date::{arc_date, warc_date};
use super::fields::{content_type, fields, ContentType};
use super::http_parts::HttpParts;
use crate::crawl::record_start::{arc_line, RecordFormat};
use crate::crawl::{Limits, MediaType, Record, Skip};

/// Maximum number of nested content encodings.
const ENCODINGS: usize = 4;

/// One fetched page, decoded to the bytes that a browser would parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture<'a> {
    /// The requested URL, as it is in the archive.
    pub url: &'a str,
    /// The URL of the folder that was given, if it is one of its files.
    pub folder: Option<&'a str>,
    /// When it was fetched, in seconds since 1970, if the archive has a date.
    pub date: Option<i64>,
    /// Its media type, which the server sent or the first bytes or the file name show.
    pub media: MediaType,
    /// The character encoding that the server sent.
    pub charset: Option<&'a str>,
    /// The language that the server sent.
    pub language: Option<&'a str>,
    /// The body, with its transfer and content encodings removed.
    pub body: &'a [u8],
    /// Its file, an index into [`crate::crawl::CrawlReader::files`].
    pub file: u32,
    /// The offset of its gzip member or zstd frame in the file if the record starts one,
    /// otherwise the offset of the record in the inflated bytes.
    pub offset: u64,
    /// Whether the body is known to be incomplete.
    pub truncated: bool,
}

/// Reusable buffers for decoding; each thread has its own.
#[derive(Default)]
pub struct Scratch {
    url: String,
    body: Vec<u8>,
    spare: Vec<u8>,
}

impl Scratch {
    pub(super) fn url(&mut self) -> &mut String {
        &mut self.url
    }
}

/// The fields of a record header.
pub(super) struct Head<'a> {
    pub(super) url: &'a [u8],
    pub(super) date: Option<i64>,
    pub(super) truncated: bool,
}

/// The fields of an HTTP response.
#[derive(Default)]
pub(super) struct Response<'a> {
    media: Option<MediaType>,
    pub(super) charset: Option<&'a str>,
    declared: Option<&'a str>,
    language: Option<&'a str>,
    chunked: bool,
    encodings: Vec<&'a [u8]>,
    body: &'a [u8],
}

impl<'a> Record<'a> {
    /// Decodes the record into a capture, or gives the reason for skipping it.
    pub fn decode<'s>(&self, limits: &Limits, scratch: &'s mut Scratch) -> Result<Capture<'s>, Skip>
    where
        'a: 's,
    {
        if let Some(skip) = self.skip {
            return Err(skip);
        }
        let head = self.head_fields()?;
        check_url(head.url, limits)?;
        let response = match self.format {
            RecordFormat::Page { media, .. } => Response {
                media: Some(media),
                body: self.block,
                ..Response::default()
            },
            // A server of HTTP 0.9 sent a page and nothing before it.
            RecordFormat::Arc if self.block.trim_ascii_start().starts_with(b"<") => Response {
                body: self.block,
                ..Response::default()
            },
            _ => read_response(self.block, limits)?,
        };
        let Scratch { url, body, spare } = scratch;
        let (body, partial) = undo_all(&response, limits, head.truncated, body, spare)?;
        if body.is_empty() {
            return Err(if head.truncated {
                Skip::Truncated
            } else {
                Skip::EmptyBody
            });
        }
        let sniffed = || MediaType::of_first_bytes(body);
        let media = response.media.or_else(sniffed).ok_or(Skip::NotHtml)?;
        let url = readable(head.url, url);
        Ok(Capture {
            url,
            folder: self.base().and_then(|base| url.get(..base)),
            date: head.date,
            media,
            charset: response.charset,
            language: response.language,
            body,
            file: self.file,
            offset: self.offset,
            truncated: head.truncated || partial,
        })
    }

    fn base(&self) -> Option<usize> {
        match self.format {
            RecordFormat::Page { base, .. } => Some(base),
            _ => None,
        }
    }

    pub(super) fn head_fields(&self) -> Result<Head<'a>, Skip> {
        match self.format {
            RecordFormat::Page { .. } => Ok(Head {
                url: self.head,
                date: None,
                truncated: false,
            }),
            RecordFormat::Arc => {
                let line = arc_line(self.head).ok_or(Skip::BadWarcHeader)?;
                Ok(Head {
                    url: line.url,
                    date: arc_date(line.date),
                    truncated: false,
                })
            }
            RecordFormat::Warc => Ok(warc_head(self.head)),
        }
    }
}

fn warc_head(bytes: &[u8]) -> Head<'_> {
    let mut head = Head {
        url: b"",
        date: None,
        truncated: false,
    };
    for (name, value) in fields(bytes) {
        if name.eq_ignore_ascii_case(b"warc-target-uri") {
            // Some writers put the URL in angle brackets, as in an old draft of the standard.
            let inner = value.strip_prefix(b"<").and_then(|v| v.strip_suffix(b">"));
            head.url = inner.unwrap_or(value).trim_ascii();
        } else if name.eq_ignore_ascii_case(b"warc-date") {
            head.date = warc_date(value);
        } else if name.eq_ignore_ascii_case(b"warc-truncated")
            || name.eq_ignore_ascii_case(b"warc-segment-number")
        {
            head.truncated = true;
        }
    }
    head
}

pub(super) fn check_url(url: &[u8], limits: &Limits) -> Result<(), Skip> {
    if url.is_empty() {
        return Err(Skip::NoUrl);
    }
    let is = |scheme: &[u8]| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if !is(b"http://") && !is(b"https://") {
        return Err(Skip::NotHttp);
    }
    if url.len() > limits.url {
        return Err(Skip::UrlTooLong);
    }
    Ok(())
}

fn read_response<'a>(block: &'a [u8], limits: &Limits) -> Result<Response<'a>, Skip> {
    let parts = HttpParts::of(block, limits.header).ok_or(Skip::BadHttpHeader)?;
    match parts.status {
        200 => {
            let response = Response::of(&parts);
            let media = response
                .declared
                .map(|name| MediaType::of_mime_type(name).ok_or(Skip::NotHtml));
            Ok(Response {
                media: media.transpose()?,
                ..response
            })
        }
        code => Err(Skip::status(code)),
    }
}

impl<'a> Response<'a> {
    pub(super) fn of(parts: &HttpParts<'a>) -> Self {
        let mut response = Self {
            body: parts.body,
            ..Self::default()
        };
        let mut declared: Option<ContentType<'_>> = None;
        for (name, value) in fields(parts.fields()) {
            if name.eq_ignore_ascii_case(b"content-type") {
                declared = content_type(value, declared);
            } else if name.eq_ignore_ascii_case(b"content-language") {
                response.language = std::str::from_utf8(value).ok();
            } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
                let last = value.rsplit(|&b| b == b',').next().unwrap_or(value);
                response.chunked |= last.trim_ascii().eq_ignore_ascii_case(b"chunked");
            } else if name.eq_ignore_ascii_case(b"content-encoding") {
                response
                    .encodings
                    .extend(value.split(|&b| b == b',').map(<[u8]>::trim_ascii));
            }
        }
        response.declared = declared.map(|(name, _)| name);
        response.charset = declared.and_then(|(_, charset)| charset);
        response
    }
}

/// Removes all encodings of the body; also returns whether the body is incomplete.
///
/// An incomplete body is accepted if the archive marks it as truncated, and skipped otherwise.
pub(super) fn undo_all<'s>(
    response: &Response<'s>,
    limits: &Limits,
    truncated: bool,
    one: &'s mut Vec<u8>,
    other: &'s mut Vec<u8>,
) -> Result<(&'s [u8], bool), Skip> {
    let limit = usize::try_from(limits.body).unwrap_or(usize::MAX);
    let mut partial = false;
    // The input of the next step is the record itself until a step has written.
    let mut written = false;
    if response.chunked {
        one.clear();
        let chunks = dechunk(response.body, one);
        written = chunks != Chunks::None;
        partial = chunks == Chunks::Partial;
    }
    if response.encodings.len() > ENCODINGS {
        return Err(Skip::BadEncoding);
    }
    for name in response.encodings.iter().rev() {
        let body = if written {
            one.as_slice()
        } else {
            response.body
        };
        other.clear();
        match undo(name, body, limit, other) {
            Outcome::Plain => continue,
            Outcome::Whole => {}
            Outcome::Cut if truncated => partial = true,
            Outcome::Cut => return Err(Skip::Truncated),
            Outcome::TooLarge => return Err(Skip::TooLarge),
            Outcome::Bad => return Err(Skip::BadEncoding),
        }
        std::mem::swap(one, other);
        written = true;
    }
    let body = if written {
        one.as_slice()
    } else {
        response.body
    };
    if body.len() > limit {
        return Err(Skip::TooLarge);
    }
    Ok((body, partial))
}

/// The URL as text; bytes that are not UTF-8 are percent-encoded.
pub(super) fn readable<'s>(url: &'s [u8], scratch: &'s mut String) -> &'s str {
    match String::from_utf8_lossy(url) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => {
            scratch.clear();
            for chunk in url.utf8_chunks() {
                scratch.push_str(chunk.valid());
                for byte in chunk.invalid() {
                    scratch.push_str(&format!("%{byte:02X}"));
                }
            }
            scratch
        }
    }
}
