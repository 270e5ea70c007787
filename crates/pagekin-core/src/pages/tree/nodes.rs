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

/// What a node is, as far as pages need to know.
#[derive(Debug)]
pub(super) enum NodeKind {
    Other,
    Text(StrTendril),
    Element(Element),
}

/// An element; [`ElementExtras`] holds what few elements have.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) namespace: Namespace,
    pub(super) name: LocalName,
    pub(super) tag: Tag,
    /// The index of its extras, [`NONE`] if it has none.
    pub(super) extras: u32,
}

/// What few elements have.
#[derive(Debug)]
pub(super) struct ElementExtras {
    pub(super) href: Option<StrTendril>,
    pub(super) alt: Option<StrTendril>,
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

/// The nodes by index. Pages reuse its memory: touching fresh memory costs more than writing to
/// it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    extras: Vec<ElementExtras>,
}

impl Tree {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The extras of an element, if it has any.
    pub(super) fn extras(&self, element: &Element) -> Option<&ElementExtras> {
        self.extras.get(element.extras as usize)
    }

    /// Drops the nodes and keeps the memory, unless it has room for more than `most`.
    pub(super) fn clear(&mut self, most: usize) {
        self.nodes.clear();
        self.extras.clear();
        if self.nodes.capacity() > most {
            *self = Self::default();
        }
    }

    pub(super) fn add(&mut self, kind: NodeKind) -> NodeId {
        self.nodes.push(Node {
            kind,
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
        });
        self.nodes.len() as NodeId - 1
    }

    pub(super) fn add_extras(&mut self, extras: ElementExtras) -> u32 {
        let is_plain = extras.href.is_none() && extras.alt.is_none();
        if is_plain && extras.fragment == NONE && !extras.holds_html {
            return NONE;
        }
        self.extras.push(extras);
        self.extras.len() as u32 - 1
    }
}

impl Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
}

impl IndexMut<NodeId> for Tree {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}
