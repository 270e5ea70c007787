//! Both readers must tell the same of a page, unless the quick one gives it up.

mod plain;
mod snippets;
mod soup;

use super::block::PageRow;
use super::builder::PageBuilder;
use super::{tokens, tree};

/// What a reader tells of a page.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    title: String,
    words: Vec<String>,
    anchors: Vec<(u32, u32, String)>,
}

fn told(builder: &mut PageBuilder) -> Told {
    builder.finish("http://a.example/d/p.html", PageRow::default());
    let block = &builder.block;
    let page = block.page(block.len() - 1);
    Told {
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

/// Through the tokens, if they suffice.
fn by_tokens(html: &str) -> Option<Told> {
    let mut builder = PageBuilder::default();
    (tokens::read(html, &mut builder, false) == tokens::Outcome::Read).then(|| told(&mut builder))
}

fn by_tree(html: &str) -> Told {
    let mut builder = PageBuilder::default();
    assert!(
        tree::read(html, &mut builder, &mut tree::TreeMemory::default()),
        "too deep: {html}"
    );
    told(&mut builder)
}

fn by_library(html: &str) -> Told {
    let mut builder = PageBuilder::default();
    tree::read_by_library(html, &mut builder);
    told(&mut builder)
}

/// Whether the tokens sufficed. Panics if they told something else than the tree.
fn agree(html: &str) -> bool {
    by_tokens(html)
        .inspect(|told| assert_eq!(*told, by_tree(html), "{html}"))
        .is_some()
}
