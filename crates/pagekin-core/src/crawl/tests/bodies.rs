//! HTTP responses in every form.

use super::*;
use flate2::write::{DeflateEncoder, ZlibEncoder};

const TEXT: &[u8] = "<html><p>café au lait</p></html>".as_bytes();
const BROTLI: &str = "0b10803c68746d6c3e3c703e636166c3a9206175206c6169743c2f703e3c2f68746d6c3e03";
/// 20 MiB of zero bytes.
const BROTLI_BOMB: &str =
    "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd5ffeffffe09f0088c30200ddfb1f";

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// The decoded body of one response, or the reason why it is skipped.
fn one(block: &[u8]) -> Result<Vec<u8>, String> {
    let mut read = read_file(&record("response", "http://a", block), &Limits::default());
    assert_eq!(read.pages.len() as u64 + read.skips.total(), 1);
    read.pages
        .pop()
        .map(|p| p.body)
        .ok_or(read.skips.to_string())
}

fn html(headers: &str, body: &[u8]) -> Result<Vec<u8>, String> {
    one(&http(
        &format!("Content-Type: text/html\r\n{headers}"),
        body,
    ))
}

fn deflated(zlib: bool) -> Vec<u8> {
    let level = Compression::default();
    if zlib {
        let mut encoder = ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(TEXT).unwrap();
        return encoder.finish().unwrap();
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), level);
    encoder.write_all(TEXT).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn content_encodings_are_decoded() {
    let zstd = zstd::encode_all(TEXT, 3).unwrap();
    let cases: [(&str, Vec<u8>); 12] = [
        ("gzip", gzip(TEXT)),
        ("X-GZIP", gzip(TEXT)),
        ("deflate", deflated(true)),
        ("deflate", deflated(false)),
        ("br", unhex(BROTLI)),
        ("zstd", zstd),
        ("gzip, br", unhex(BROTLI)),
        ("gzip, gzip", gzip(&gzip(TEXT))),
        ("identity", TEXT.to_vec()),
        ("gzip", TEXT.to_vec()),
        ("br", TEXT.to_vec()),
        ("utf-8", TEXT.to_vec()),
    ];
    for (name, body) in cases {
        assert_eq!(
            html(&format!("Content-Encoding: {name}\r\n"), &body),
            Ok(TEXT.to_vec()),
            "{name}"
        );
    }
    let two = [gzip(&TEXT[..10]), gzip(&TEXT[10..])].concat();
    assert_eq!(html("Content-Encoding: gzip\r\n", &two), Ok(TEXT.to_vec()));
    let cut_trailer = gzip(TEXT);
    assert_eq!(
        html(
            "Content-Encoding: gzip\r\n",
            &cut_trailer[..cut_trailer.len() - 6]
        ),
        Ok(TEXT.to_vec())
    );
}

#[test]
fn damaged_and_unknown_content_encodings_are_skipped() {
    let packed = gzip(TEXT);
    let mut broken = packed.clone();
    broken[10] = 0xFF;
    for (name, body, want) in [
        ("gzip", &packed[..20], "1 truncated"),
        ("br", &unhex(BROTLI)[..20], "1 truncated"),
        (
            "zstd",
            &zstd::encode_all(TEXT, 3).unwrap()[..20],
            "1 truncated",
        ),
        ("gzip", &broken, "1 bad encoding"),
        ("sdch", b"\x01\x02\x03", "1 bad encoding"),
        ("gzip,gzip,gzip,gzip,gzip", TEXT, "1 bad encoding"),
        ("br", &unhex(BROTLI_BOMB), "1 too large"),
        (
            "zstd",
            &zstd::encode_all(vec![0; 17 << 20].as_slice(), 1).unwrap(),
            "1 too large",
        ),
        ("gzip", &gzip(&vec![0; 17 << 20]), "1 too large"),
        ("gzip", &gzip(b""), "1 empty body"),
    ] {
        assert_eq!(
            html(&format!("Content-Encoding: {name}\r\n"), body),
            Err(want.to_owned()),
            "{name}"
        );
    }
}

#[test]
fn body_marked_as_truncated_is_accepted() {
    let bytes = record(
        "response",
        "http://a\r\nWARC-Truncated: length",
        &http(
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
            &gzip(TEXT)[..30],
        ),
    );
    let read = read_both(&bytes);
    assert!(
        read.pages[0].truncated
            && TEXT.starts_with(&read.pages[0].body)
            && !read.pages[0].body.is_empty()
    );
}

#[test]
fn chunks_are_joined() {
    let chunked = |body: &str| html("Transfer-Encoding: chunked\r\n", body.as_bytes());
    assert_eq!(
        chunked("3\r\n<p>\r\n1\r\nx\r\n0\r\n\r\n"),
        Ok(b"<p>x".to_vec())
    );
    assert_eq!(chunked("<p>not chunked"), Ok(b"<p>not chunked".to_vec()));
    assert_eq!(chunked("4\r\n<p>x\r\nzz\r\n"), Ok(b"<p>x".to_vec()));
    let packed = gzip(TEXT);
    let body = [
        format!("{:x}\r\n", packed.len()).as_bytes(),
        &packed,
        b"\r\n0\r\n\r\n",
    ]
    .concat();
    assert_eq!(
        html(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            &body
        ),
        Ok(TEXT.to_vec())
    );
}

#[test]
fn odd_http_headers_are_accepted() {
    for block in [
        "HTTP/1.1 200\nContent-Type: text/html\n\n<p>x",
        "HTTP/1.1 200 OK\r\nJunk\r\nX: a\r\n b\r\ncontent-TYPE : Text/HTML\r\n\r\n<p>x",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n\r\n<p>x",
        "HTTP/1.1 200 OK\r\n\r\n<p>x",
        "HTTP/1.1 200 OK\r\nContent-Type: ;charset=x\r\n\r\n<p>x",
        "\r\nHTTP/2 200\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\n<p>x",
    ] {
        assert_eq!(one(block.as_bytes()).as_deref(), Ok(&b"<p>x"[..]), "{block}");
    }
}

#[test]
fn responses_without_a_page_are_skipped_with_a_reason() {
    for (block, want) in [
        ("HTTP/1.1 404 Not Found\r\n\r\n<p>x", "1 status 4xx"),
        ("HTTP/1.1 301 Moved\r\n\r\n", "1 status 3xx"),
        ("HTTP/1.1 206 Partial\r\n\r\n<p>x", "1 status 2xx"),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<p>x",
            "1 not HTML",
        ),
        ("HTTP/1.1 200 OK\r\n\r\nplain words", "1 not HTML"),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
            "1 empty body",
        ),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html", "1 empty body"),
        ("<html>no header", "1 bad HTTP header"),
        ("", "1 bad HTTP header"),
    ] {
        assert_eq!(one(block.as_bytes()), Err(want.to_owned()), "{block}");
    }
    let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n<p>", "x".repeat(70_000));
    assert_eq!(one(long.as_bytes()), Err("1 bad HTTP header".to_owned()));
}

#[test]
fn records_with_invalid_urls_are_skipped() {
    let block = http("", b"<p>x");
    for (url, want) in [
        ("", " | 1 no URL".to_owned()),
        ("ftp://a/", " | 1 not http".to_owned()),
        (
            &format!("http://{}", "a".repeat(9000)),
            " | 1 URL too long".to_owned(),
        ),
        (
            &format!("http://{}", "a".repeat(1 << 20)),
            " | 1 URL too long".to_owned(),
        ),
        ("<http://a>", "a | none".to_owned()),
    ] {
        let bytes = [page("x"), record("response", url, &block), page("y")];
        let got = read_both(&members(&bytes)).summary();
        let want = want.replace("a |", "x a y |").replacen(
            " |",
            if want.starts_with(' ') { "x y |" } else { " |" },
            1,
        );
        assert_eq!(got, want);
    }
    let head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\xFF\r\nContent-Length: 23\r\n\r\n";
    let bytes = [head.as_slice(), b"HTTP/1.1 200 OK\r\n\r\n<p>x"].concat();
    assert_eq!(read_both(&bytes).summary(), "a/%FF | none");
}
