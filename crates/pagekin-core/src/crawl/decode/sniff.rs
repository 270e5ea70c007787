//! What bytes are whose header does not say it, by the WHATWG MIME Sniffing standard.

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

/// Whether the first bytes that are not space are a tag that begins HTML.
pub(super) fn is_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let start = body
        .iter()
        .position(|b| !matches!(b, b'\t' | b'\n' | 0x0C | b'\r' | b' '));
    let body = &body[start.unwrap_or(body.len())..];
    body.starts_with(b"<!--") || TAGS.iter().any(|tag| begins_with_tag(body, tag))
}

/// How far a body is looked at for bytes that no text has.
const LOOK: usize = 1445;

/// Whether a body is text rather than something binary.
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
    fn text_or_not() {
        for text in ["", "plain", "\u{e9}\t\x1b$B", "a\r\n\x0c"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        assert!(is_text(b"\xff\xfe<\0"));
        assert!(!is_text(b"\x1f\x8b\x08") && !is_text(b"<\0"));
    }

    #[test]
    fn html_or_not() {
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
