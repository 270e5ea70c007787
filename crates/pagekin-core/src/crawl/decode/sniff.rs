//! MIME sniffing (WHATWG standard), for bodies whose header does not declare a type.

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
pub(super) fn is_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let start = body
        .iter()
        .position(|b| !matches!(b, b'\t' | b'\n' | 0x0C | b'\r' | b' '));
    let body = &body[start.unwrap_or(body.len())..];
    body.starts_with(b"<!--") || TAGS.iter().any(|tag| begins_with_tag(body, tag))
}

/// Number of bytes that are inspected for binary data.
const LOOK: usize = 1445;

/// Whether a body is text rather than binary data.
pub(super) fn is_text(body: &[u8]) -> bool {
    let marks: [&[u8]; 2] = [b"\xFE\xFF", b"\xFF\xFE"];
    let binary = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    marks.iter().any(|mark| body.starts_with(mark)) || !body.iter().take(LOOK).any(binary)
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
    fn text_is_distinguished_from_binary_data() {
        for text in ["", "plain", "\u{e9}\t\x1b$B", "a\r\n\x0c"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        assert!(is_text(b"\xff\xfe<\0"));
        assert!(!is_text(b"\x1f\x8b\x08") && !is_text(b"<\0"));
    }

    #[test]
    fn html_is_recognised_by_its_first_tag() {
        for html in [
            "<!DOCTYPE html>",
            "\n <HTML >",
            "<!-- x",
            "\u{FEFF}<p>",
            "<a href=x>",
        ] {
            assert!(is_html(html.as_bytes()), "{html}");
        }
        for other in [
            "",
            "plain",
            "<?xml version='1.0'?>",
            "<pre>",
            "<abbr>",
            "<html",
        ] {
            assert!(!is_html(other.as_bytes()), "{other}");
        }
    }
}
