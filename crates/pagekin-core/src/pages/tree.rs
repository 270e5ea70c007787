//! The thorough reader: a page through html5ever's tree construction.
//!
//! The tree is walked without recursion.

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{parse_document, ParseOpts};

use super::arena::{Arena, Content, Id, Node, DOCUMENT, NONE};
use super::builder::{OpenAnchor, PageBuilder};
use super::tags;

/// Deeper nesting is not built: its cost grows with the square of the depth.
const DEEPEST: usize = 1000;
/// How much is parsed between two looks at the depth.
const STEP: usize = 16 * 1024;

/// Reads a page; `false` if its tree is too deep or too large, with nothing to
/// be kept.
pub fn read(html: &str, builder: &mut PageBuilder) -> bool {
    let mut parser = parse_document(Arena::default(), ParseOpts::default());
    let mut rest = html;
    while !rest.is_empty() {
        let mut cut = rest.len().min(STEP);
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        let (piece, later) = rest.split_at(cut);
        parser.process(StrTendril::from_slice(piece));
        rest = later;
        let tree = &parser.tokenizer.sink.sink;
        if tree.too_deep(DEEPEST) || tree.len() > most_nodes(html.len() - rest.len()) {
            return false;
        }
    }
    let nodes = parser.finish();
    walk(&nodes, builder);
    true
}

/// A page of so many bytes has no more nodes, unless it makes the parser open
/// the same elements again and again.
fn most_nodes(bytes: usize) -> usize {
    (bytes + 10_000).min(2_000_000)
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
            Content::Element { tag, .. } if tags::is_mute(*tag) => builder.boundary(),
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
    if !tags::is_void(*tag) {
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
