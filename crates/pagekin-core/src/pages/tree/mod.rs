//! The tree reader: a page through html5ever's tree construction, then a pre-order walk.
//!
//! It is right for every page and slower than the streaming reader.

mod arena;
mod feed;
mod nodes;

use self::nodes::{Element, Node, NodeId, NodeKind, Tree, DOCUMENT, NONE};
use super::builder::{OpenAnchor, PageBuilder};
use super::tags;

/// Reads a page. False if its tree is too deep or too large; then the builder is unchanged.
pub fn read(html: &str, builder: &mut PageBuilder) -> bool {
    let tree = feed::build_tree(html);
    if let Some(tree) = &tree {
        walk(tree, builder);
    }
    tree.is_some()
}

/// Reads a page with html5ever's own tokenizer.
#[cfg(test)]
pub fn read_by_library(html: &str, builder: &mut PageBuilder) {
    use html5ever::tendril::TendrilSink;
    let nodes = html5ever::parse_document(arena::Arena::default(), html5ever::ParseOpts::default());
    walk(&nodes.one(html), builder);
}

/// Hands what the tree holds to the builder, in document order and without recursion.
fn walk(nodes: &Tree, builder: &mut PageBuilder) {
    let mut open: Vec<(NodeId, Option<OpenAnchor>)> = Vec::new();
    let mut id = nodes[DOCUMENT].first;
    loop {
        if id == NONE {
            let Some((done, anchor)) = open.pop() else {
                return;
            };
            leave(&nodes[done], anchor, builder);
            id = nodes[done].next;
            continue;
        }
        let node = &nodes[id];
        match &node.kind {
            NodeKind::Text(text) => builder.text(text.as_bytes()),
            NodeKind::Other => builder.boundary(),
            NodeKind::Element(element) if tags::rules_of(element.tag).is_mute() => {
                builder.boundary()
            }
            NodeKind::Element(element) if element.tag == tags::TITLE => {
                builder.boundary();
                builder.title(text_of(nodes, node).as_bytes());
            }
            NodeKind::Element(element) => {
                open.push((id, enter(element, builder)));
                id = node.first;
                continue;
            }
        }
        id = node.next;
    }
}

fn enter(element: &Element, builder: &mut PageBuilder) -> Option<OpenAnchor> {
    let tag = element.tag;
    builder.boundary();
    let values = [&element.href, &element.rel, &element.title, &element.role];
    let [href, rel, title, role] =
        values.map(|value| value.as_ref().map(|text| &**text.as_bytes()));
    builder.start(tag, role);
    if let (tags::BASE, Some(href)) = (tag, href) {
        builder.base(href);
    }
    if let (tags::LINK, Some(href), Some(rel)) = (tag, href, rel) {
        builder.link(rel, href, title);
    }
    let link = href
        .filter(|_| matches!(tag, tags::A | tags::AREA))
        .map(|href| builder.open_anchor(href, rel.filter(|_| tag == tags::A)));
    if let (tags::IMG | tags::AREA | tags::INPUT, Some(alt)) = (tag, &element.alt) {
        builder.alt(alt.as_bytes());
    }
    link
}

fn leave(node: &Node, anchor: Option<OpenAnchor>, builder: &mut PageBuilder) {
    let NodeKind::Element(element) = &node.kind else {
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
        if let NodeKind::Text(piece) = &nodes[id].kind {
            text.push_str(piece);
        }
        id = nodes[id].next;
    }
    text
}
