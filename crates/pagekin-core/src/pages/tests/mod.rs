//! Both readers must read the same from a page, unless the streaming one gives up.

mod held_out;
mod plain;
mod snippets;
mod soup;

use super::block::PageRow;
use super::builder::PageBuilder;
use super::{stream, tree};

/// What a reader finds in a page.
#[derive(Debug, PartialEq, Eq)]
struct PageContent {
    title: String,
    words: Vec<String>,
    anchors: Vec<(u32, u32, String)>,
}

fn content(builder: &mut PageBuilder) -> PageContent {
    builder.finish("http://a.example/d/p.html", None, None, PageRow::default());
    let block = &builder.block;
    let page = block.page(block.len() - 1);
    PageContent {
        title: page.title.to_owned(),
        words: page
            .words
            .iter()
            .map(|&word| block.vocabulary.get(word).to_owned())
            .collect(),
        anchors: page
            .anchors
            .iter()
            .map(|anchor| {
                (
                    anchor.first,
                    anchor.last,
                    block.urls.get(anchor.target).to_owned(),
                )
            })
            .collect(),
    }
}

/// By the streaming reader, if it suffices.
fn by_stream(html: &str) -> Option<PageContent> {
    let mut builder = PageBuilder::default();
    (stream::read(html, &mut builder, false) == stream::StreamOutcome::Complete)
        .then(|| content(&mut builder))
}

fn by_tree(html: &str) -> PageContent {
    let mut builder = PageBuilder::default();
    assert!(tree::read(html, &mut builder), "too deep: {html}");
    content(&mut builder)
}

fn by_library(html: &str) -> PageContent {
    let mut builder = PageBuilder::default();
    tree::read_by_library(html, &mut builder);
    content(&mut builder)
}

/// Whether the streaming reader sufficed. Panics if it found something else than the tree reader.
fn agree(html: &str) -> bool {
    by_stream(html)
        .inspect(|content| assert_eq!(*content, by_tree(html), "{html}"))
        .is_some()
}
