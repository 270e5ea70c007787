//! The tree that html5ever builds: small nodes in one list.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName};

use super::tags::{self, Tag};

/// A node's place in the arena.
pub(super) type Id = usize;
/// No node.
pub(super) const NONE: Id = Id::MAX;
/// The root.
pub(super) const DOCUMENT: Id = 0;

/// What a node is, as far as pages need it.
#[derive(Debug)]
pub(super) enum Content {
    Other,
    Text(StrTendril),
    Element {
        name: QualName,
        tag: Tag,
        href: Option<StrTendril>,
        alt: Option<StrTendril>,
        fragment: Id,
    },
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

/// The tree under construction.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: RefCell<Vec<Node>>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::with(Vec::new())
    }
}

impl Arena {
    /// A tree with its root, in this memory, which must be empty.
    pub(super) fn with(memory: Vec<Node>) -> Self {
        let arena = Self {
            nodes: RefCell::new(memory),
        };
        arena.add(Content::Other);
        arena
    }

    fn add(&self, content: Content) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node {
            content,
            parent: NONE,
            first: NONE,
            last: NONE,
            before: NONE,
            after: NONE,
        });
        nodes.len() - 1
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    pub(super) fn too_deep(&self, deepest: usize) -> bool {
        let nodes = self.nodes.borrow();
        let mut id = nodes.len() - 1;
        let mut depth = 0;
        while id != NONE && depth <= deepest {
            id = nodes[id].parent;
            depth += 1;
        }
        depth > deepest
    }

    fn detach(&self, id: Id) {
        let mut nodes = self.nodes.borrow_mut();
        let (parent, before, after) = (nodes[id].parent, nodes[id].before, nodes[id].after);
        if parent == NONE {
            return;
        }
        if before == NONE {
            nodes[parent].first = after;
        } else {
            nodes[before].after = after;
        }
        if after == NONE {
            nodes[parent].last = before;
        } else {
            nodes[after].before = before;
        }
        let node = &mut nodes[id];
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
    }

    /// Puts a node under `parent`, before `after` (or last).
    fn attach(&self, parent: Id, child: NodeOrText<Id>, after: Id) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                if self.joined(parent, after, &text) {
                    return;
                }
                self.add(Content::Text(text))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let before = if after == NONE {
            nodes[parent].last
        } else {
            nodes[after].before
        };
        (nodes[id].parent, nodes[id].before, nodes[id].after) = (parent, before, after);
        if before == NONE {
            nodes[parent].first = id;
        } else {
            nodes[before].after = id;
        }
        if after == NONE {
            nodes[parent].last = id;
        } else {
            nodes[after].before = id;
        }
    }

    /// Text next to text becomes one node.
    fn joined(&self, parent: Id, after: Id, text: &StrTendril) -> bool {
        let mut nodes = self.nodes.borrow_mut();
        let before = if after == NONE {
            nodes[parent].last
        } else {
            nodes[after].before
        };
        if before == NONE {
            return false;
        }
        if let Content::Text(present) = &mut nodes[before].content {
            present.push_tendril(text);
            return true;
        }
        false
    }
}

/// An element's name, borrowed from the tree.
#[derive(Debug)]
pub(super) struct Name<'a>(Ref<'a, QualName>);

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Arena {
    type Handle = Id;
    type Output = Vec<Node>;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Name<'a> {
        Name(Ref::map(self.nodes.borrow(), |nodes| {
            match &nodes[*target].content {
                Content::Element { name, .. } => name,
                Content::Other | Content::Text(_) => {
                    unreachable!("the tree builder asks for names of elements only")
                }
            }
        }))
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Id {
        let mut href = None;
        let mut alt = None;
        for attribute in attributes {
            match &*attribute.name.local {
                "href" if attribute.name.ns.is_empty() => href = Some(attribute.value),
                "alt" => alt = Some(attribute.value),
                _ => {}
            }
        }
        let fragment = if flags.template {
            self.add(Content::Other)
        } else {
            NONE
        };
        let in_html = &*name.ns == "http://www.w3.org/1999/xhtml";
        let local = name.local.as_bytes();
        // Names outside HTML must not pass for HTML's, but for what is mute.
        let tag = Tag::new(local);
        let tag = if in_html || tags::rules_of(tag).is_mute() {
            tag
        } else {
            Tag::default()
        };
        self.add(Content::Element {
            name,
            tag,
            href,
            alt,
            fragment,
        })
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.add(Content::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.add(Content::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.attach(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow()[*element].parent;
        if parent == NONE {
            self.attach(*previous, child, NONE);
        } else {
            self.attach(parent, child, *element);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        match &self.nodes.borrow()[*target].content {
            Content::Element { fragment, .. } if *fragment != NONE => *fragment,
            _ => DOCUMENT,
        }
    }

    fn same_node(&self, one: &Id, other: &Id) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, node: NodeOrText<Id>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if parent != NONE {
            self.attach(parent, node, *sibling);
        }
    }

    fn add_attrs_if_missing(&self, _: &Id, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Id) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Id, new_parent: &Id) {
        loop {
            let child = self.nodes.borrow()[*node].first;
            if child == NONE {
                return;
            }
            self.attach(*new_parent, NodeOrText::AppendNode(child), NONE);
        }
    }
}
