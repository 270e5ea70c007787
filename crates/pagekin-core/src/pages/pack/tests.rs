use super::*;
use crate::crawl::MediaType;
use crate::pages::{Document, Origin, PageParser, PageView};

fn packed() -> (PageParser, Vec<u8>) {
    let mut parser = PageParser::default();
    for (number, date) in [(0, Some(-7)), (1, None)] {
        let html = format!(
            "<title>Page {number}</title><h1>Ünder</h1>some <a href='/{number}.html'>words \
             here</a><p>and <a href=/x>there</a>"
        );
        let origin = Origin {
            file: number,
            offset: 1 << 40,
            date,
        };
        let url = format!("http://a.example/{number}");
        let document = Document {
            url: &url,
            folder: None,
            media: MediaType::Html,
            charset: Some("utf-8"),
            language: Some("fr"),
            body: html.as_bytes(),
        };
        parser.add(document, origin).expect("valid URL");
    }
    let mut bytes = Vec::new();
    let files = ["a.warc".into(), "b.warc".into()];
    pack_block(parser.block(), &files, &mut bytes);
    (parser, bytes)
}

#[test]
fn packed_block_is_read_back() {
    let (parser, bytes) = packed();
    let (block, files) = unpack_block(&bytes).expect("sound bytes");
    assert_eq!(files, ["a.warc", "b.warc"]);
    assert_eq!(block.len(), parser.block().len());
    for page in 0..block.len() {
        let one = block.page(page);
        let two = PageView {
            text: "",
            ..parser.block().page(page)
        };
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
    }
    assert_eq!(block.vocabulary.get(0), parser.block().vocabulary.get(0));
    let mut again = Vec::new();
    pack_block(&block, &files, &mut again);
    assert_eq!(again, bytes);
}

#[test]
fn truncated_block_is_an_error() {
    let (_, bytes) = packed();
    for at in 0..bytes.len() {
        assert!(unpack_block(&bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn numbers_out_of_range_are_damage() {
    let (_, bytes) = packed();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x80;
        // Whatever is let through can be read without a fault.
        if let Ok((block, _)) = unpack_block(&damaged) {
            for page in 0..block.len() {
                let page = block.page(page);
                let words = page.words.iter().chain(page.title_words);
                words.for_each(|&word| assert!(block.vocabulary.len() > word as usize));
            }
        }
    }
}
