//! Media types that are read as pages: their MIME types, file names and first bytes.
//!
//! A new type is a variant here; `pages/parser.rs` chooses its reader.

use std::path::Path;

/// The media type of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// HTML, also as XHTML.
    Html,
}

impl MediaType {
    const ALL: [Self; 1] = [Self::Html];

    fn mime_types(self) -> &'static [&'static str] {
        match self {
            Self::Html => &["text/html", "application/xhtml+xml"],
        }
    }

    /// The MIME type of its files.
    pub(super) fn mime_type(self) -> &'static str {
        self.mime_types()[0]
    }

    /// How names of its files end, after the dot.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Html => &["html", "htm", "xhtml"],
        }
    }

    fn begins(self, body: &[u8]) -> bool {
        match self {
            Self::Html => begins_html(body),
        }
    }

    /// The type that a header declares.
    pub(super) fn of_mime_type(name: &str) -> Option<Self> {
        Self::find(|media| is_one_of(name, media.mime_types()))
    }

    /// The type of a body without a declared one, by MIME sniffing (WHATWG standard).
    pub(super) fn of_first_bytes(body: &[u8]) -> Option<Self> {
        Self::find(|media| media.begins(body))
    }

    /// The type of a file of a folder.
    pub(super) fn of_file_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::find(|media| is_one_of(extension, media.extensions()))
    }

    /// Every file name that is recognised, for people: `.a, .b or .c`.
    pub(super) fn file_names() -> String {
        let all = Self::ALL.iter().flat_map(|media| media.extensions());
        let names: Vec<_> = all.map(|extension| format!(".{extension}")).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }

    fn find(is_it: impl Fn(Self) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|&media| is_it(media))
    }
}

fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

const TAGS: [&[u8]; 16] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];

/// Whether the first bytes after white space are a tag that starts HTML.
fn begins_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let start = body
        .iter()
        .position(|b| !matches!(b, b'\t' | b'\n' | 0x0C | b'\r' | b' '));
    let body = &body[start.unwrap_or(body.len())..];
    body.starts_with(b"<!--") || TAGS.iter().any(|tag| begins_with_tag(body, tag))
}

fn begins_with_tag(body: &[u8], tag: &[u8]) -> bool {
    let named = body
        .get(..tag.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(tag));
    named && matches!(body.get(tag.len()), Some(b' ' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_recognised_by_its_first_tag() {
        for html in [
            "<!DOCTYPE html>",
            "\n <HTML >",
            "<!-- x",
            "\u{FEFF}<p>",
            "<a href=x>",
        ] {
            let media = MediaType::of_first_bytes(html.as_bytes());
            assert_eq!(media, Some(MediaType::Html), "{html}");
        }
        for other in [
            "",
            "plain",
            "<?xml version='1.0'?>",
            "<pre>",
            "<abbr>",
            "<html",
        ] {
            assert_eq!(MediaType::of_first_bytes(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn mime_types_and_file_names_are_recognised_in_any_case() {
        let html = Some(MediaType::Html);
        for (name, want) in [
            ("Text/HTML", html),
            ("application/xhtml+xml", html),
            ("text/plain", None),
            ("html", None),
        ] {
            assert_eq!(MediaType::of_mime_type(name), want, "{name}");
        }
        for (name, want) in [
            ("a/b.HTML", html),
            ("b.c.xhtml", html),
            ("b.htm", html),
            ("b.html.txt", None),
            ("html", None),
            (".html", None),
        ] {
            assert_eq!(MediaType::of_file_name(Path::new(name)), want, "{name}");
        }
        assert_eq!(MediaType::file_names(), ".html, .htm or .xhtml");
    }
}
