//! Both readers must read the same from a page, unless the streaming one gives up.

use super::block::PageRow;
use super::builder::PageBuilder;
use super::{stream, tree};

/// What a reader finds in a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageContent {
    pub(super) title: String,
    pub(super) words: Vec<String>,
    pub(super) anchors: Vec<(u32, u32, String)>,
}

pub(super) fn content(builder: &mut PageBuilder) -> PageContent {
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
pub(super) fn by_stream(html: &str) -> Option<PageContent> {
    let mut builder = PageBuilder::default();
    (stream::read(html, &mut builder, false) == stream::StreamOutcome::Complete)
        .then(|| content(&mut builder))
}

/// By the tree, if it is not too deep.
pub(super) fn by_tree(html: &str) -> Option<PageContent> {
    let mut builder = PageBuilder::default();
    tree::read(html, &mut builder).then(|| content(&mut builder))
}

/// Whether the streaming reader sufficed. Panics if it found something else than the tree reader.
pub(super) fn agree(html: &str) -> bool {
    by_stream(html)
        .inspect(|content| assert_eq!(Some(content), by_tree(html).as_ref(), "{html}"))
        .is_some()
}
