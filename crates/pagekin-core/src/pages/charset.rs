//! The encoding of a page, found as browsers find it: byte order mark, HTTP
//! charset, `<meta>`, then detection from the bytes.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, UTF_8, WINDOWS_1252};
use html5gum::State;

use super::lexer::{tokenize, AttributeFilter, Attributes, LexerSink, TagToken};
use super::tags::{self, Rules, Tag};
use crate::url;

/// Bytes that are searched for a `<meta>`, whatever they hold.
const PRESCAN: usize = 1024;
/// Bytes that are searched for it while the head is open.
const LONGEST_HEAD: usize = 64 * 1024;
/// Bytes that the detector reads.
const SAMPLE: usize = 64 * 1024;

/// The page as UTF-8. Bytes that are wrong in its encoding become U+FFFD.
/// `domain` is the last part of its host's name, a hint for the detection.
pub fn decode<'a>(body: &'a [u8], charset: Option<&str>, domain: Option<&str>) -> Cow<'a, str> {
    let (encoding, mark) = Encoding::for_bom(body).unwrap_or_else(|| {
        (
            declared(body, charset).unwrap_or_else(|| detect(body, domain)),
            0,
        )
    });
    encoding.decode_without_bom_handling(&body[mark..]).0
}

/// The body of a response as UTF-8, given its canonical URL.
pub fn decode_body<'a>(url: &str, body: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    decode(body, charset, domain(url))
}

/// The last part of the name of a canonical URL's host.
pub fn domain(url: &str) -> Option<&str> {
    let host = url::site(url).split(':').next()?;
    let last = host.rsplit('.').next()?;
    last.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        .then_some(last)
}

fn declared(body: &[u8], charset: Option<&str>) -> Option<&'static Encoding> {
    let start = |length: usize| &body[..body.len().min(length)];
    charset
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| wide_xml(body))
        .or_else(|| prescan(start(PRESCAN), |_| false))
        .or_else(|| prescan(start(LONGEST_HEAD), ends_head))
        .or_else(|| xml(start(PRESCAN)))
}

/// The encoding of an XML declaration that is written in two bytes a letter.
fn wide_xml(body: &[u8]) -> Option<&'static Encoding> {
    if body.starts_with(b"<\0?\0x\0") {
        Some(UTF_16LE)
    } else {
        body.starts_with(b"\0<\0?\0x").then_some(UTF_16BE)
    }
}

/// The encoding that an XML declaration names.
fn xml(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = trim_start(&declaration[at + b"encoding".len()..]).strip_prefix(b"=")?;
    let (&quote, value) = trim_start(value).split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &value[..memchr::memchr(quote, value)?];
    // The label itself may have no space around it.
    let whole = label.iter().all(|&byte| byte > b' ');
    Encoding::for_label(label).filter(|_| whole).map(not_wide)
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|&byte| byte > b' ');
    &bytes[first.unwrap_or(bytes.len())..]
}

fn detect(body: &[u8], domain: Option<&str>) -> &'static Encoding {
    if Encoding::utf8_valid_up_to(body) == body.len() {
        return UTF_8;
    }
    let sample = &body[..body.len().min(SAMPLE)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == body.len());
    detector.guess(domain.map(str::as_bytes), Utf8Detection::Deny)
}

/// The encoding that the first `<meta>` with one declares, up to a start tag that `is_end`.
fn prescan(head: &[u8], is_end: fn(Tag) -> bool) -> Option<&'static Encoding> {
    memchr::memmem::find(&head.to_ascii_lowercase(), b"charset")?;
    let mut sink = PrescanSink {
        is_end,
        has_ended: false,
        encoding: None,
    };
    tokenize(head, &mut sink);
    sink.encoding
}

/// Whether the head is over at this start tag.
fn ends_head(tag: Tag) -> bool {
    !matches!(
        tag,
        tags::HTML
            | tags::HEAD
            | tags::META
            | tags::LINK
            | tags::TITLE
            | tags::BASE
            | tags::SCRIPT
            | tags::STYLE
            | tags::NOSCRIPT
            | tags::TEMPLATE
    )
}

/// Looks for a `<meta>` (HTML Standard, section 13.2.3.2), also within the text of a script or a
/// title.
struct PrescanSink {
    is_end: fn(Tag) -> bool,
    has_ended: bool,
    encoding: Option<&'static Encoding>,
}

impl LexerSink for PrescanSink {
    fn attributes_of(tag: Tag, _: Rules) -> AttributeFilter {
        if tag == tags::META {
            AttributeFilter::All
        } else {
            AttributeFilter::Nothing
        }
    }

    fn is_done(&self) -> bool {
        self.has_ended || self.encoding.is_some()
    }

    fn start_tag(&mut self, token: &TagToken<'_>) -> Option<State> {
        self.has_ended |= (self.is_end)(token.tag);
        if token.tag == tags::META && !self.is_done() {
            self.encoding = encoding_in(token.attributes);
        }
        None
    }
}

/// The encoding that a `<meta>` with these attributes declares.
fn encoding_in(meta: &Attributes) -> Option<&'static Encoding> {
    let label = meta.get(b"charset").or_else(|| {
        meta.get(b"http-equiv")
            .filter(|kind| kind.eq_ignore_ascii_case(b"content-type"))
            .and_then(|_| meta.get(b"content"))
            .and_then(charset_in)
    });
    label.and_then(Encoding::for_label).map(usable)
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

/// The encoding that a `<meta>` with this label stands for.
fn usable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        not_wide(encoding)
    }
}

/// A page whose declaration could be read at all is not UTF-16.
fn not_wide(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<'a>(body: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
        decode(body, charset, None)
    }

    #[test]
    fn encoding_is_detected_in_the_order_of_browsers() {
        let latin = b"<meta charset=iso-8859-1>caf\xe9";
        assert!(decoded(latin, None).ends_with("café"));
        assert!(decoded(b"\xef\xbb\xbfcaf\xc3\xa9", Some("iso-8859-1")).ends_with("café"));
        assert!(
            decoded("<meta charset=iso-8859-1>café".as_bytes(), Some("utf-8")).ends_with("café")
        );
        let http_equiv = b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset = \"windows-1251\"'>\xe4\xe0";
        assert!(decoded(http_equiv, None).ends_with("да"));
        assert!(decoded(b"\xff\xfec\x00a\x00", None).ends_with("ca"));
    }

    #[test]
    fn wrong_and_missing_labels_are_tolerated() {
        assert_eq!(decoded("über".as_bytes(), Some("no-such-charset")), "über");
        assert_eq!(
            decoded("<meta charset=utf-16>é".as_bytes(), None),
            "<meta charset=utf-16>é"
        );
        let russian = encoding_rs::WINDOWS_1251
            .encode("Съешь же ещё этих мягких французских булок")
            .0;
        assert_eq!(
            decoded(&russian, None),
            "Съешь же ещё этих мягких французских булок"
        );
        assert_eq!(
            decoded(b"<!-- <meta charset=koi8-r> -->caf\xc3\xa9", None)
                .chars()
                .last(),
            Some('é')
        );
        assert_eq!(decoded(b"a\xffb", Some("utf-8")), "a\u{fffd}b");
    }

    #[test]
    fn late_meta_counts_within_the_head() {
        let late = |between: &str| {
            format!("<head>{between}{}<meta charset=koi8-r>", " ".repeat(3000)).into_bytes()
        };
        let letter = |mut page: Vec<u8>| {
            page.push(0xc1);
            decoded(&page, None).chars().last()
        };
        assert_eq!(
            letter(late("<title>t</title><script>if (a < b) {}</script>")),
            Some('а')
        );
        assert_ne!(letter(late("<p>")), Some('а'));
        for around in ["title", "script"] {
            let inside = format!("<{around}><meta charset=koi8-r></{around}>");
            assert_eq!(letter(inside.into_bytes()), Some('а'), "{around}");
        }
    }

    #[test]
    fn xml_declaration_names_an_encoding() {
        let xml = |label: &str| format!("<?xml version='1.0' encoding={label} ?>");
        let letter = |head: &str, charset| {
            let page = [head.as_bytes(), b"\xc3\xa9"].concat();
            decoded(&page, charset).chars().last()
        };
        let (latin, utf) = (Some('\u{a9}'), Some('é'));
        assert_eq!(letter(&xml("\"ISO-8859-1\""), None), latin);
        assert_eq!(letter(&xml(" 'latin1'"), None), latin);
        assert_eq!(letter(&xml("'latin1'"), Some("utf-8")), utf);
        let meta = "<meta charset=utf-8>";
        assert_eq!(letter(&(xml("'latin1'") + meta), None), utf);
        for label in ["latin1", "' latin1'", "'latin1", "'utf-16'", "'none'"] {
            assert_eq!(letter(&xml(label), None), utf, "{label}");
        }
        assert_eq!(letter(&(" ".to_owned() + &xml("'latin1'")), None), utf);
        let wide = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "<?xml?>é".encode_utf16().flat_map(to_bytes).collect()
        };
        assert_eq!(decoded(&wide(u16::to_le_bytes), None), "<?xml?>é");
        assert_eq!(decoded(&wide(u16::to_be_bytes), None), "<?xml?>é");
    }

    #[test]
    fn top_level_domain_helps_to_guess() {
        assert_eq!(domain("http://www.example.co.jp:81/x"), Some("jp"));
        assert_eq!(domain("http://[::1]/"), None);
        let (greek, _, _) = encoding_rs::ISO_8859_7.encode("Η Ελλάδα");
        assert_eq!(decode(&greek, None, Some("gr")), "Η Ελλάδα");
    }
}
