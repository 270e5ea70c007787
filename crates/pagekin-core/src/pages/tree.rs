//! The thorough reader: a page through html5ever's tree construction.
//!
//! The tree is walked without recursion.

use html5ever::interface::TreeSink;

use super::arena::{Arena, Content, Id, Node, DOCUMENT, NONE};
use super::builder::{OpenAnchor, PageBuilder};
use super::{feed, tags};

/// Reads a page; `false` if its tree is too deep or too large, with nothing to
/// be kept.
pub fn read(html: &str, builder: &mut PageBuilder, memory: &mut TreeMemory) -> bool {
    let Some(tree) = feed::tree_of(html, Arena::with(std::mem::take(&mut memory.0))) else {
        return false;
    };
    let mut nodes = tree.finish();
    walk(&nodes, builder);
    nodes.clear();
    if nodes.capacity() <= MOST_KEPT {
        memory.0 = nodes;
    }
    true
}

/// What one page's tree was built in, for the next: memory that is touched for the first
/// time costs more than what is written to it.
#[derive(Debug, Default)]
pub struct TreeMemory(Vec<Node>);

/// Room for more nodes than this is not kept.
const MOST_KEPT: usize = 1 << 16;

/// Reads a page with the tokenizer that comes with the tree construction.
#[cfg(test)]
pub fn read_by_library(html: &str, builder: &mut PageBuilder) {
    use html5ever::tendril::TendrilSink;
    let nodes = html5ever::parse_document(Arena::default(), html5ever::ParseOpts::default());
    walk(&nodes.one(html), builder);
}

/// Tells the builder what the tree holds, in document order.
fn walk(nodes: &[Node], builder: &mut PageBuilder) {
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
            Content::Element { tag, .. } if tags::rules_of(*tag).is_mute() => builder.boundary(),
            Content::Element {
                tag: tags::TITLE, ..
            } => {
                builder.boundary();
                builder.title(text_of(nodes, node).as_bytes());
            }
            Content::Element { .. } => {
                open.push((id, enter(node, builder)));
                id = node.first;
                continue;
            }
        }
        id = node.after;
    }
}

fn enter(node: &Node, builder: &mut PageBuilder) -> Option<OpenAnchor> {
    let Content::Element { tag, href, alt, .. } = &node.content else {
        return None;
    };
    builder.boundary();
    builder.start(*tag);
    let href = href.as_ref().map(|text| text.as_bytes());
    if let (tags::BASE, Some(href)) = (*tag, href) {
        builder.base(href);
    }
    let link = href
        .filter(|_| matches!(*tag, tags::A | tags::AREA))
        .map(|href| builder.open_anchor(href));
    if let (tags::IMG | tags::AREA | tags::INPUT, Some(alt)) = (*tag, alt) {
        builder.alt(alt.as_bytes());
    }
    link
}

fn leave(node: &Node, anchor: Option<OpenAnchor>, builder: &mut PageBuilder) {
    let Content::Element { tag, .. } = &node.content else {
        return;
    };
    builder.boundary();
    if let Some(anchor) = anchor {
        builder.close_anchor(anchor);
    }
    if !tags::rules_of(*tag).is_void() {
        builder.end(*tag);
    }
}

/// The text of an element that holds nothing but text.
fn text_of(nodes: &[Node], node: &Node) -> String {
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
