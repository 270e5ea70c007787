//! Arena of tree nodes: all nodes in one vector, linked by index.

use std::ops::{Index, IndexMut};

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace};

use super::super::tags::Tag;

/// A node's index in the arena: small, since each node holds five.
pub(super) type NodeId = u32;
/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;
/// The root.
pub(super) const DOCUMENT: NodeId = 0;

/// The kind of a node, as far as pages need it.
#[derive(Debug)]
pub(super) enum NodeKind {
    Other,
    Text(StrTendril),
    Element(Element),
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) namespace: Namespace,
    pub(super) name: LocalName,
    pub(super) tag: Tag,
    pub(super) href: Option<StrTendril>,
    pub(super) rel: Option<StrTendril>,
    pub(super) alt: Option<StrTendril>,
    pub(super) title: Option<StrTendril>,
    pub(super) role: Option<StrTendril>,
    /// The root of a template's content, or [`NONE`].
    pub(super) fragment: NodeId,
    /// Whether it is an element of MathML that holds HTML.
    pub(super) holds_html: bool,
}

/// A node and its links to others.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) parent: NodeId,
    pub(super) first: NodeId,
    pub(super) last: NodeId,
    pub(super) previous: NodeId,
    pub(super) next: NodeId,
}

/// The nodes by index.
#[derive(Debug, Default)]
pub(super) struct Tree(Vec<Node>);

impl Tree {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.0.iter()
    }

    pub(super) fn add(&mut self, kind: NodeKind) -> NodeId {
        self.0.push(Node {
            kind,
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
        });
        self.0.len() as NodeId - 1
    }
}

impl Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.0[id as usize]
    }
}

impl IndexMut<NodeId> for Tree {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.0[id as usize]
    }
}
