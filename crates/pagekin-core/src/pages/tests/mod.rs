//! Both readers must read the same from a page, unless the streaming one gives up.

mod held_out;
mod plain;
mod snippets;
mod soup;

use super::agreement::{agree, by_stream, content, PageContent};
use super::builder::PageBuilder;
use super::{agreement, stream, tree};

fn by_tree(html: &str) -> PageContent {
    agreement::by_tree(html).unwrap_or_else(|| panic!("too deep: {html}"))
}

fn by_library(html: &str) -> PageContent {
    let mut builder = PageBuilder::default();
    tree::read_by_library(html, &mut builder);
    content(&mut builder)
}
