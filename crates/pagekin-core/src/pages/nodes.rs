//! A tree of small nodes in one list.

use std::ops::{Index, IndexMut};

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace};

use super::tags::Tag;

/// A node's place in the arena: small, as five of them are in each node.
pub(super) type Id = u32;
/// No node.
pub(super) const NONE: Id = Id::MAX;
/// The root.
pub(super) const DOCUMENT: Id = 0;

/// What a node is, as far as pages need it.
#[derive(Debug)]
pub(super) enum Content {
    Other,
    Text(StrTendril),
    Element(Element),
}

/// An element; what few have is in [`More`].
#[derive(Debug)]
pub(super) struct Element {
    pub(super) namespace: Namespace,
    pub(super) name: LocalName,
    pub(super) tag: Tag,
    /// Where the rest is, [`NONE`] if there is none.
    pub(super) more: u32,
}

/// What few elements have.
#[derive(Debug)]
pub(super) struct More {
    pub(super) href: Option<StrTendril>,
    pub(super) alt: Option<StrTendril>,
    /// The root of a template's content.
    pub(super) fragment: Id,
    /// It is MathML's, and what is in it is HTML.
    pub(super) holds_html: bool,
}

/// A node and its neighbours.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) parent: Id,
    pub(super) first: Id,
    pub(super) last: Id,
    pub(super) before: Id,
    pub(super) after: Id,
}

/// The nodes, by place. Its memory is used again: touching some for the first time costs more than
/// what is written to it.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    more: Vec<More>,
}

impl Tree {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What few elements have, if this one does.
    pub(super) fn more(&self, element: &Element) -> Option<&More> {
        self.more.get(element.more as usize)
    }

    /// Forgets the nodes and keeps the memory, unless there is room for more than `most`.
    pub(super) fn clear(&mut self, most: usize) {
        self.nodes.clear();
        self.more.clear();
        if self.nodes.capacity() > most {
            *self = Self::default();
        }
    }

    pub(super) fn add(&mut self, content: Content) -> Id {
        self.nodes.push(Node {
            content,
            parent: NONE,
            first: NONE,
            last: NONE,
            before: NONE,
            after: NONE,
        });
        self.nodes.len() as Id - 1
    }

    pub(super) fn add_more(&mut self, more: More) -> u32 {
        let plain = more.href.is_none() && more.alt.is_none();
        if plain && more.fragment == NONE && !more.holds_html {
            return NONE;
        }
        self.more.push(more);
        self.more.len() as u32 - 1
    }
}

impl Index<Id> for Tree {
    type Output = Node;

    fn index(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }
}

impl IndexMut<Id> for Tree {
    fn index_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}
