//! Header lines, read as leniently as browsers do: bare line feeds, folded lines,
//! lines that are no field.

use memchr::{memchr, memchr_iter};

/// The fields of a header: each name with its value, trimmed, in order.
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

/// The end of a line and of those folded into it.
fn field_end(bytes: &[u8]) -> usize {
    let mut ends = memchr_iter(b'\n', bytes).map(|i| i + 1);
    let end = ends.find(|&end| !matches!(bytes.get(end), Some(b' ' | b'\t')));
    end.unwrap_or(bytes.len())
}

/// The value of an HTTP header block's first line, as a status; none if it is no status line.
pub(super) fn status(line: &[u8]) -> Option<u16> {
    let rest = line
        .strip_prefix(b"HTTP")
        .or_else(|| line.strip_prefix(b"ICY"))?;
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

/// The type and the charset of a Content-Type; none if it names no type.
pub(super) fn media_type(value: &[u8]) -> Option<(&str, Option<&str>)> {
    let value = std::str::from_utf8(value).ok()?;
    let mut parts = value.split(';');
    // Two types joined by a comma: the first counts, as it is what was meant.
    let essence = parts.next()?.split(',').next()?.trim();
    let (kind, sub) = essence.split_once('/')?;
    if kind.is_empty() || sub.is_empty() || essence.contains(char::is_whitespace) {
        return None;
    }
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    });
    Some((essence, charset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_lines_do_not_hurt() {
        let head = b"A: 1\nJunk\r\n: none\r\nB : 2\r\n folded\r\nC:\r\n\r\n";
        let got: Vec<_> = fields(head).collect();
        let want: [(&[u8], &[u8]); 3] = [(b"A", b"1"), (b"B", b"2\r\n folded"), (b"C", b"")];
        assert_eq!(got, want);
    }

    #[test]
    fn statuses() {
        for (line, want) in [
            ("HTTP/1.1 200 OK", Some(200)),
            ("HTTP/2 404", Some(404)),
            ("HTTP 301", Some(301)),
            ("HTTP/1.0  200", Some(200)),
            ("HTTP/1.1 2000", None),
            ("HTTP/1.1", None),
            ("<html>", None),
        ] {
            assert_eq!(status(line.as_bytes()), want, "{line}");
        }
    }

    #[test]
    fn media_types() {
        assert_eq!(
            media_type(b"text/html; x=y; Charset=\"utf-8\""),
            Some(("text/html", Some("utf-8")))
        );
        assert_eq!(
            media_type(b"text/html, text/html;charset="),
            Some(("text/html", None))
        );
        assert_eq!(media_type(b"; charset=UTF-8"), None);
        assert_eq!(media_type(b""), None);
    }
}
