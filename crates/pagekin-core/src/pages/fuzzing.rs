//! What the fuzz target of pages runs.

use super::agreement::{agree, by_tree};
use super::{Document, Origin, PageParser};
use crate::crawl::MediaType;

const CHARSETS: [Option<&str>; 4] = [None, Some("utf-8"), Some("shift_jis"), Some("utf-16le")];

/// Parses a page of any bytes, the first of which chooses the encoding that the server sent; both
/// readers read the same from a page that the streaming one reads to its end.
pub fn html(bytes: &[u8]) {
    let Some((&choice, body)) = bytes.split_first() else {
        return;
    };
    let document = Document {
        url: "http://a.example/d/p.html",
        folder: None,
        media: MediaType::Html,
        charset: CHARSETS[usize::from(choice) % CHARSETS.len()],
        language: None,
        body,
    };
    let origin = Origin {
        file: 0,
        offset: 0,
        date: None,
    };
    let mut parser = PageParser::default();
    assert!(parser.add(document, origin).is_ok(), "its URL is one");
    let text = String::from_utf8_lossy(body);
    // A tree that is too deep is never compared.
    if by_tree(&text).is_some() {
        agree(&text);
    }
}
