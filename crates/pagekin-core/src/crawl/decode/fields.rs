//! Parsing of header lines, as leniently as browsers do: bare line feeds, folded lines, and lines
//! that are not fields.

use memchr::{memchr, memchr_iter};

/// The fields of a header in order: each name with its trimmed value.
///
/// A folded line extends the value before it, line break included.
pub(super) fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = head;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = field_end(rest);
            let (line, after) = rest.split_at(end);
            rest = after;
            let Some(colon) = memchr(b':', line) else {
                continue;
            };
            let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
            if !name.is_empty() && memchr(b'\n', name).is_none() {
                return Some((name, value));
            }
        }
        None
    })
}

/// The end of a line, including the lines folded into it.
fn field_end(bytes: &[u8]) -> usize {
    let mut ends = memchr_iter(b'\n', bytes).map(|i| i + 1);
    let end = ends.find(|&end| !matches!(bytes.get(end), Some(b' ' | b'\t')));
    end.unwrap_or(bytes.len())
}

/// The status code of an HTTP status line; `None` if it is not one.
pub(super) fn status(line: &[u8]) -> Option<u16> {
    let names = [&b"HTTP"[..], b"ICY"];
    let rest = names.iter().find_map(|name| {
        let (start, rest) = line.split_at_checked(name.len())?;
        start.eq_ignore_ascii_case(name).then_some(rest)
    })?;
    let space = rest.iter().position(|b| b.is_ascii_whitespace())?;
    let code = rest[space..].trim_ascii_start();
    let digits = code
        .get(..3)
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    if code.get(3).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + u16::from(d - b'0')))
}

/// The value of a Content-Type: a MIME type and its charset.
pub(super) type ContentType<'a> = (&'a str, Option<&'a str>);

/// Parses a Content-Type, given the result of earlier Content-Type fields. Of several types,
/// in one field or more, browsers take the last and keep the charset of an equal type before it.
pub(super) fn content_type<'a>(
    value: &'a [u8],
    before: Option<ContentType<'a>>,
) -> Option<ContentType<'a>> {
    let Ok(value) = std::str::from_utf8(value) else {
        return before;
    };
    split_outside_quotes(value, ',').filter_map(one_type).fold(
        before,
        |before, (essence, charset)| {
            let same = before.filter(|(known, _)| known.eq_ignore_ascii_case(essence));
            Some((essence, charset.or(same.and_then(|(_, charset)| charset))))
        },
    )
}

fn one_type(value: &str) -> Option<ContentType<'_>> {
    let mut parts = split_outside_quotes(value, ';');
    let essence = parts.next()?.trim();
    let (kind, sub) = essence.split_once('/')?;
    if kind.is_empty() || sub.is_empty() || essence.contains(char::is_whitespace) {
        return None;
    }
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    });
    Some((essence, charset)).filter(|_| essence != "*/*")
}

/// Splits a value at separators outside of quotes.
fn split_outside_quotes(value: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    value.split(move |letter| {
        quoted ^= letter == '"' && !escaped;
        escaped = quoted && letter == '\\' && !escaped;
        letter == separator && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_header_lines_are_tolerated() {
        let head = b"A: 1\nJunk\r\n: none\r\nB : 2\r\n folded\r\nC:\r\n\r\n";
        let got: Vec<_> = fields(head).collect();
        let want: [(&[u8], &[u8]); 3] = [(b"A", b"1"), (b"B", b"2\r\n folded"), (b"C", b"")];
        assert_eq!(got, want);
    }

    #[test]
    fn status_lines_are_parsed_leniently() {
        for (line, want) in [
            ("HTTP/1.1 200 OK", Some(200)),
            ("HTTP/2 404", Some(404)),
            ("HTTP 301", Some(301)),
            ("http/1.1 200 ok", Some(200)),
            ("ICY 200 OK", Some(200)),
            ("HTTP/1.0  200", Some(200)),
            ("HTTP/1.1 2000", None),
            ("HTTP/1.1", None),
            ("<html>", None),
        ] {
            assert_eq!(status(line.as_bytes()), want, "{line}");
        }
    }

    #[test]
    fn last_mime_type_and_its_charset_win() {
        let html = |charset| Some(("text/html", charset));
        for (value, want) in [
            ("text/html; x=y; Charset=\"utf-8\"", html(Some("utf-8"))),
            ("text/html, text/html;charset=", html(None)),
            ("text/html;charset=big5, text/html", html(Some("big5"))),
            ("text/html;charset=a, text/html; charset=b", html(Some("b"))),
            ("text/html;charset=a, */*, none", html(Some("a"))),
            ("text/plain;charset=a, text/html", html(None)),
            ("text/html; x=\"a;charset=b\"; charset=c", html(Some("c"))),
            (
                "text/html; x=\"a\\\",;charset=b\"; charset=c",
                html(Some("c")),
            ),
            ("; charset=UTF-8", None),
            ("", None),
        ] {
            assert_eq!(content_type(value.as_bytes(), None), want, "{value}");
        }
    }

    #[test]
    fn second_content_type_keeps_or_replaces_the_first() {
        let first = content_type(b"text/html; charset=big5", None);
        assert_eq!(content_type(b"text/html", first), first);
        assert_eq!(content_type(b"nonsense", first), first);
        assert_eq!(content_type(b"\xff", first), first);
        assert_eq!(
            content_type(b"text/plain", first),
            Some(("text/plain", None))
        );
    }
}
