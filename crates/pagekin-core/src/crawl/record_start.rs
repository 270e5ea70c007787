//! Recognition of record starts: a `WARC/` version line or an ARC header line.

use memchr::{memchr, memchr_iter, memmem};

use super::{MediaType, Skip};

/// The header format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordFormat {
    Warc,
    Arc,
    /// A file that is one page of this type: the head is its URL, the block its body. The URL begins
    /// with that of the folder that was given, which has `base` bytes.
    Page {
        media: MediaType,
        base: usize,
    },
}

/// Longest ARC header line that is recognised when searching for the next record.
pub(super) const LINE: usize = 16 << 10;

/// The fields of an ARC header line, version 1 or 2.
pub(super) struct ArcLine<'a> {
    pub url: &'a [u8],
    pub date: &'a [u8],
    pub length: u64,
}

/// Parses an ARC header line: URL, IP address, date, type, (more in version 2,) length.
///
/// Address and date are searched from the right, because URLs in ARC files may
/// contain spaces.
pub(super) fn arc_line(line: &[u8]) -> Option<ArcLine<'_>> {
    let line = line.trim_ascii_end();
    let scheme = memchr(b':', line.get(..16).unwrap_or(line))?;
    let named = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    if scheme < 2 || !line[..scheme].iter().all(named) {
        return None;
    }
    let (mut rest, length) = split_last(line)?;
    let length = number(length)?;
    for behind in 0..9 {
        let (before, date) = split_last(rest)?;
        let dated = matches!(date.len(), 12 | 14) && date.iter().all(u8::is_ascii_digit);
        // Some writers had no date.
        let undated = date == b"null" && behind == 1;
        let url = match split_last(before) {
            Some((url, address)) if is_address(address) => Some(url),
            // Some had no address.
            None if dated && behind == 1 && before.starts_with(b"http") => Some(before),
            _ => None,
        };
        if let Some(url) = url.filter(|_| dated || undated) {
            let url = url.trim_ascii_end();
            return Some(ArcLine { url, date, length });
        }
        rest = before;
    }
    None
}

/// The last field of a line, and the rest of the line; several spaces may separate fields.
fn split_last(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    let blank = memchr::memrchr2(b' ', b'\t', line)?;
    Some((&line[..blank], &line[blank + 1..]))
}

fn is_address(field: &[u8]) -> bool {
    !field.is_empty()
        && field
            .iter()
            .all(|b| b.is_ascii_hexdigit() || b".:-".contains(b))
}

/// A number of up to 18 digits.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let digits = digits.trim_ascii();
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + u64::from(d - b'0')))
}

/// The number of leading line break bytes.
pub(super) fn blank_len(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|b| matches!(b, b'\r' | b'\n'))
        .count()
}

/// Whether a record starts here. Without a known format, either format matches.
pub(super) fn begins(bytes: &[u8], format: Option<RecordFormat>) -> bool {
    let warc = format != Some(RecordFormat::Arc) && begins_warc(bytes);
    warc || (format != Some(RecordFormat::Warc) && begins_arc(bytes))
}

fn begins_warc(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"WARC/") else {
        return false;
    };
    let line = memchr(b'\n', &rest[..rest.len().min(16)]);
    let Some(line) = line else { return false };
    let version = rest[..line].trim_ascii_end();
    let numbered = version.len() >= 3 && version.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let next = rest[line + 1..]
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'-')
        .count();
    numbered && next > 0 && rest.get(line + 1 + next) == Some(&b':')
}

fn begins_arc(bytes: &[u8]) -> bool {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let line = memchr(b'\n', &bytes[..bytes.len().min(LINE)]);
    line.is_some_and(|end| arc_line(&bytes[..end]).is_some())
}

/// Finds the next record that starts after a line break.
pub(super) fn find(bytes: &[u8], format: Option<RecordFormat>) -> Option<usize> {
    if format == Some(RecordFormat::Warc) {
        let mut starts = memmem::find_iter(bytes, b"\nWARC/");
        return starts
            .find(|&i| begins_warc(&bytes[i + 1..]))
            .map(|i| i + 1);
    }
    let mut lines = memchr_iter(b'\n', bytes);
    lines
        .find(|&i| begins(&bytes[i + 1..], format))
        .map(|i| i + 1)
}

/// Finds the next record start, also within a line.
pub(super) fn find_anywhere(bytes: &[u8], format: Option<RecordFormat>) -> Option<usize> {
    let within = |name: &[u8], begins: fn(&[u8]) -> bool| {
        memmem::find_iter(bytes, name).find(|&at| begins(&bytes[at..]))
    };
    let warc = (format != Some(RecordFormat::Arc)).then(|| within(b"WARC/", begins_warc));
    let arc = (format != Some(RecordFormat::Warc)).then(|| within(b"http", begins_arc));
    let found = [warc.flatten(), arc.flatten(), find(bytes, format)];
    found.into_iter().flatten().min()
}

/// The number of junk letters that run into the scheme of an ARC header line.
pub(super) fn before_scheme(url: &[u8]) -> usize {
    let scheme = &url[..memchr(b':', url).unwrap_or(0)];
    let rest = [&b"https"[..], b"http"]
        .iter()
        .find_map(|web| scheme.strip_suffix(*web));
    rest.map_or(0, <[u8]>::len)
}

/// The end of a header, just after its first empty line. The search starts at `from`.
pub(super) fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    for i in memchr_iter(b'\n', bytes.get(from..)?) {
        match bytes[from + i + 1..] {
            [b'\n', ..] => return Some(from + i + 2),
            [b'\r', b'\n', ..] => return Some(from + i + 3),
            _ => {}
        }
    }
    None
}

/// Parses what framing needs from a WARC header: the length, and the skip for its type.
pub(super) fn warc_frame(head: &[u8]) -> Option<(u64, Option<Skip>)> {
    let (mut length, mut kind) = (None, None);
    for line in head.split(|&b| b == b'\n') {
        let Some(colon) = memchr(b':', line) else {
            continue;
        };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            length = length.or(number(value));
        } else if name.eq_ignore_ascii_case(b"warc-type") {
            kind = kind.or(Some(value));
        }
    }
    Some((length?, skip_of(kind?)))
}

fn skip_of(kind: &[u8]) -> Option<Skip> {
    match kind.to_ascii_lowercase().as_slice() {
        b"response" => None,
        b"request" => Some(Skip::Request),
        b"revisit" => Some(Skip::Revisit),
        b"metadata" => Some(Skip::Metadata),
        b"resource" => Some(Skip::Resource),
        b"conversion" => Some(Skip::Conversion),
        b"continuation" => Some(Skip::Continuation),
        b"warcinfo" => Some(Skip::Info),
        _ => Some(Skip::UnknownType),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arc_lines_of_both_versions_are_parsed() {
        let v1 = arc_line(b"http://a.example/b c 1.2.3.4 20080430204825 text/html 680\r")
            .map(|l| (l.url.len(), l.length));
        assert_eq!(v1, Some((20, 680)));
        let v2 = arc_line(b"http://a.example/ 1.2.3.4 20080430204825 text/html 200 - - 0 f.arc 12")
            .map(|l| (l.url.len(), l.length));
        assert_eq!(v2, Some((17, 12)));
        let typed = arc_line(b"http://a.example/ 1.2.3.4 20080430204825 text/html; charset=x 12");
        assert!(typed.is_some());
        let undated = arc_line(b"http://a.example/ 1.2.3.4 null text/html 12");
        assert_eq!(undated.map(|l| (l.url.len(), l.length)), Some((17, 12)));
        for odd in [
            "http://a.example/  1.2.3.4  20080430204825  text/html  12 ",
            "http://a.example/\t1.2.3.4\t20080430204825\ttext/html\t12",
            "http://a.example/ 1.2.3.4 20080430204825  12",
            "http://a.example/ 1.2.3.4 20080430204825 12",
            "http://a.example/ 20080430204825 text/html 12",
            "http://a.example/ - 20080430204825 text/html, application/x 12",
        ] {
            let line = arc_line(odd.as_bytes()).map(|l| (l.url.len(), l.date.len(), l.length));
            assert_eq!(line, Some((17, 14, 12)), "{odd}");
        }
        for bad in [
            "see http://a.example/ for 12",
            "http://a.example/ text 20080430204825 text/html 12",
            "Content-Length: 12",
            "http://a 12",
            "",
            ": 1.2.3.4 20080430204825 t 1",
        ] {
            assert!(arc_line(bad.as_bytes()).is_none(), "{bad}");
        }
    }

    #[test]
    fn record_starts_with_a_version_line_and_a_field() {
        assert!(begins(b"WARC/1.0\r\nWARC-Type: x", None));
        assert!(!begins(b"WARC/1.0 is a format\nfoo", None));
        assert!(!begins(b"WARC/1.0\r\n\r\n", None));
        assert_eq!(
            find(b"junk\nWARC/1.1\nA: b\n", Some(RecordFormat::Warc)),
            Some(5)
        );
        assert_eq!(find(b"junk WARC/1.1\nA: b\n", None), None);
    }

    #[test]
    fn record_is_found_after_junk_on_its_line() {
        let warc = b"junk WARC/1.1\nA: b\n";
        assert_eq!(find_anywhere(warc, None), Some(5));
        assert_eq!(find_anywhere(warc, Some(RecordFormat::Arc)), None);
        let arc = b"WARC/ http \x00http://a.example/ 1.2.3.4 20080430204825 text/html 680\n";
        assert_eq!(find_anywhere(arc, Some(RecordFormat::Arc)), Some(12));
        assert_eq!(find_anywhere(arc, Some(RecordFormat::Warc)), None);
        for (url, letters) in [
            ("http://a", 0),
            ("https://a", 0),
            ("junkhttps://a", 4),
            ("dns:a", 0),
        ] {
            assert_eq!(before_scheme(url.as_bytes()), letters, "{url}");
        }
    }

    #[test]
    fn header_ends_at_the_first_empty_line() {
        assert_eq!(head_end(b"a: b\r\n\r\nrest", 0), Some(8));
        assert_eq!(head_end(b"a: b\n\nrest", 0), Some(6));
        assert_eq!(head_end(b"a: b\r\n", 0), None);
    }

    #[test]
    fn invalid_lengths_are_rejected() {
        for bad in ["", "-1", "12a", "9999999999999999999"] {
            assert_eq!(number(bad.as_bytes()), None, "{bad}");
        }
        assert_eq!(number(b" 12 "), Some(12));
    }
}
