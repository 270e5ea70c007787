//! The encoding of a page, found as browsers find it: byte order mark, HTTP
//! charset, `<meta>`, then detection from the bytes.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use html5gum::{Token, Tokenizer};

/// How far a `<meta>` is looked for.
const PRESCAN: usize = 4096;
/// How much the detector reads.
const SAMPLE: usize = 64 * 1024;

/// The page as UTF-8. Bytes that are wrong in its encoding become U+FFFD.
pub fn decode<'a>(body: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    let (encoding, mark) = Encoding::for_bom(body).unwrap_or_else(|| (declared(body, charset), 0));
    encoding.decode_without_bom_handling(&body[mark..]).0
}

fn declared(body: &[u8], charset: Option<&str>) -> &'static Encoding {
    charset
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| prescan(&body[..body.len().min(PRESCAN)]))
        .unwrap_or_else(|| detect(body))
}

fn detect(body: &[u8]) -> &'static Encoding {
    if Encoding::utf8_valid_up_to(body) == body.len() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&body[..body.len().min(SAMPLE)], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The encoding that the first `<meta>` with one declares.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    memchr::memmem::find(&head.to_ascii_lowercase(), b"charset")?;
    for token in Tokenizer::new(head).flatten() {
        let Token::StartTag(tag) = token else {
            continue;
        };
        if tag.name.as_slice() != b"meta" {
            continue;
        }
        let value = |name: &[u8]| tag.attributes.get(name).map(|found| found.value.as_slice());
        let label = value(b"charset").or_else(|| {
            value(b"http-equiv")
                .filter(|kind| kind.eq_ignore_ascii_case(b"content-type"))
                .and_then(|_| value(b"content"))
                .and_then(charset_in)
        });
        if let Some(encoding) = label.and_then(Encoding::for_label) {
            return Some(usable(encoding));
        }
    }
    None
}

/// The label after `charset=` in the text of a content type.
fn charset_in(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut at = memchr::memmem::find(&lower, b"charset")? + 7;
    let rest = &content[at..];
    at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let value = content[at..].strip_prefix(b"=")?.trim_ascii_start();
    let end = match value.first()? {
        quote @ (b'"' | b'\'') => return value[1..].split(|byte| byte == quote).next(),
        _ => value
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || *byte == b';'),
    };
    Some(&value[..end.unwrap_or(value.len())])
}

/// A page whose `<meta>` could be read at all is not UTF-16.
fn usable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE {
        UTF_8
    } else if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_browsers() {
        let latin = b"<meta charset=iso-8859-1>caf\xe9";
        assert!(decode(latin, None).ends_with("café"));
        assert!(decode(b"\xef\xbb\xbfcaf\xc3\xa9", Some("iso-8859-1")).ends_with("café"));
        assert!(
            decode("<meta charset=iso-8859-1>café".as_bytes(), Some("utf-8")).ends_with("café")
        );
        let http_equiv = b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset = \"windows-1251\"'>\xe4\xe0";
        assert!(decode(http_equiv, None).ends_with("да"));
        assert!(decode(b"\xff\xfec\x00a\x00", None).ends_with("ca"));
    }

    #[test]
    fn wrong_and_missing_labels() {
        assert_eq!(decode("über".as_bytes(), Some("no-such-charset")), "über");
        assert_eq!(
            decode("<meta charset=utf-16>é".as_bytes(), None),
            "<meta charset=utf-16>é"
        );
        let russian = encoding_rs::WINDOWS_1251
            .encode("Съешь же ещё этих мягких французских булок")
            .0;
        assert_eq!(
            decode(&russian, None),
            "Съешь же ещё этих мягких французских булок"
        );
        assert_eq!(
            decode(b"<!-- <meta charset=koi8-r> -->caf\xc3\xa9", None)
                .chars()
                .last(),
            Some('é')
        );
        assert_eq!(decode(b"a\xffb", Some("utf-8")), "a\u{fffd}b");
    }
}
