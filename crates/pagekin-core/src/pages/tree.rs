//! The thorough reader: a page through html5ever's tree construction.
//!
//! The tree is walked without recursion.

use html5ever::interface::TreeSink;

use super::arena::Arena;
use super::builder::{OpenAnchor, PageBuilder};
use super::nodes::{Content, Element, Id, Node, Tree, DOCUMENT, NONE};
use super::{feed, tags};

/// Reads a page; `false` if its tree is too deep or too large, with nothing to
/// be kept.
pub fn read(html: &str, builder: &mut PageBuilder, memory: &mut TreeMemory) -> bool {
    let Some(tree) = feed::tree_of(html, Arena::with(std::mem::take(&mut memory.0))) else {
        return false;
    };
    memory.0 = tree.finish();
    walk(&memory.0, builder);
    memory.0.clear(MOST_KEPT);
    true
}

/// What one page's tree was built in, for the next.
#[derive(Debug, Default)]
pub struct TreeMemory(Tree);

/// Room for more nodes than this is not kept.
const MOST_KEPT: usize = 1 << 17;

/// Reads a page with the tokenizer that comes with the tree construction.
#[cfg(test)]
pub fn read_by_library(html: &str, builder: &mut PageBuilder) {
    use html5ever::tendril::TendrilSink;
    let nodes = html5ever::parse_document(Arena::default(), html5ever::ParseOpts::default());
    walk(&nodes.one(html), builder);
}

/// Tells the builder what the tree holds, in document order.
fn walk(nodes: &Tree, builder: &mut PageBuilder) {
    let mut open: Vec<(Id, Option<OpenAnchor>)> = Vec::new();
    let mut id = nodes[DOCUMENT].first;
    loop {
        if id == NONE {
            let Some((done, anchor)) = open.pop() else {
                return;
            };
            leave(&nodes[done], anchor, builder);
            id = nodes[done].after;
            continue;
        }
        let node = &nodes[id];
        match &node.content {
            Content::Text(text) => builder.text(text.as_bytes()),
            Content::Other => builder.boundary(),
            Content::Element(element) if tags::rules_of(element.tag).is_mute() => {
                builder.boundary()
            }
            Content::Element(element) if element.tag == tags::TITLE => {
                builder.boundary();
                builder.title(text_of(nodes, node).as_bytes());
            }
            Content::Element(element) => {
                open.push((id, enter(nodes, element, builder)));
                id = node.first;
                continue;
            }
        }
        id = node.after;
    }
}

fn enter(nodes: &Tree, element: &Element, builder: &mut PageBuilder) -> Option<OpenAnchor> {
    let tag = element.tag;
    builder.boundary();
    builder.start(tag);
    let more = nodes.more(element)?;
    let href = more.href.as_ref().map(|text| text.as_bytes());
    if let (tags::BASE, Some(href)) = (tag, href) {
        builder.base(href);
    }
    let link = href
        .filter(|_| matches!(tag, tags::A | tags::AREA))
        .map(|href| builder.open_anchor(href));
    if let (tags::IMG | tags::AREA | tags::INPUT, Some(alt)) = (tag, &more.alt) {
        builder.alt(alt.as_bytes());
    }
    link
}

fn leave(node: &Node, anchor: Option<OpenAnchor>, builder: &mut PageBuilder) {
    let Content::Element(element) = &node.content else {
        return;
    };
    builder.boundary();
    if let Some(anchor) = anchor {
        builder.close_anchor(anchor);
    }
    if !tags::rules_of(element.tag).is_void() {
        builder.end(element.tag);
    }
}

/// The text of an element that holds nothing but text.
fn text_of(nodes: &Tree, node: &Node) -> String {
    let mut text = String::new();
    let mut id = node.first;
    while id != NONE {
        if let Content::Text(piece) = &nodes[id].content {
            text.push_str(piece);
        }
        id = nodes[id].after;
    }
    text
}
