//! The tree under construction, as html5ever asks for it (`TreeSink`).

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{ns, Attribute, LocalName, Namespace, QualName};

use super::super::tags::{self, Tag};
use super::nodes::{Element, NodeId, NodeKind, Tree, DOCUMENT, NONE};

/// The tree under construction.
#[derive(Debug)]
pub(super) struct Arena {
    tree: RefCell<Tree>,
    lookups: Cell<usize>,
}

impl Default for Arena {
    /// A tree with its root.
    fn default() -> Self {
        let mut tree = Tree::default();
        tree.add(NodeKind::Other);
        Self {
            tree: RefCell::new(tree),
            lookups: Cell::new(0),
        }
    }
}

impl Arena {
    /// How often the construction looked up an element's name.
    pub(super) fn lookups(&self) -> usize {
        self.lookups.get()
    }

    pub(super) fn len(&self) -> usize {
        self.tree.borrow().len()
    }

    /// Whether the last node is deeper than this.
    pub(super) fn is_deeper(&self, limit: usize) -> bool {
        let nodes = self.tree.borrow();
        let mut id = nodes.len() as NodeId - 1;
        let mut depth = 0;
        while id != NONE && depth <= limit {
            id = nodes[id].parent;
            depth += 1;
        }
        depth > limit
    }

    fn element(&self, id: NodeId) -> Ref<'_, Element> {
        Ref::map(self.tree.borrow(), |nodes| match &nodes[id].kind {
            NodeKind::Element(element) => element,
            NodeKind::Other | NodeKind::Text(_) => {
                unreachable!("the tree builder asks about elements only")
            }
        })
    }

    fn detach(&self, id: NodeId) {
        let mut nodes = self.tree.borrow_mut();
        let (parent, previous, next) = (nodes[id].parent, nodes[id].previous, nodes[id].next);
        if parent == NONE {
            return;
        }
        if previous == NONE {
            nodes[parent].first = next;
        } else {
            nodes[previous].next = next;
        }
        if next == NONE {
            nodes[parent].last = previous;
        } else {
            nodes[next].previous = previous;
        }
        let node = &mut nodes[id];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Puts a node under `parent`, before `next` (or last).
    fn attach(&self, parent: NodeId, child: NodeOrText<NodeId>, next: NodeId) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                if self.join(parent, next, &text) {
                    return;
                }
                self.tree.borrow_mut().add(NodeKind::Text(text))
            }
        };
        let mut nodes = self.tree.borrow_mut();
        let previous = if next == NONE {
            nodes[parent].last
        } else {
            nodes[next].previous
        };
        (nodes[id].parent, nodes[id].previous, nodes[id].next) = (parent, previous, next);
        if previous == NONE {
            nodes[parent].first = id;
        } else {
            nodes[previous].next = id;
        }
        if next == NONE {
            nodes[parent].last = id;
        } else {
            nodes[next].previous = id;
        }
    }

    /// Joins text to a text node that stands before it. Returns whether there is one.
    fn join(&self, parent: NodeId, next: NodeId, text: &StrTendril) -> bool {
        let mut nodes = self.tree.borrow_mut();
        let previous = if next == NONE {
            nodes[parent].last
        } else {
            nodes[next].previous
        };
        if previous == NONE {
            return false;
        }
        if let NodeKind::Text(present) = &mut nodes[previous].kind {
            present.push_tendril(text);
            return true;
        }
        false
    }
}

/// An element's name, borrowed from the tree.
#[derive(Debug)]
pub(super) struct ElementName<'a>(Ref<'a, Element>);

impl ElemName for ElementName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.0.name
    }
}

impl TreeSink for Arena {
    type Handle = NodeId;
    type Output = Tree;
    type ElemName<'a> = ElementName<'a>;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> ElementName<'a> {
        self.lookups.set(self.lookups.get() + 1);
        ElementName(self.element(*target))
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        let mut href = None;
        let (mut rel, mut alt, mut title, mut role) = (None, None, None, None);
        for attribute in attributes {
            match &*attribute.name.local {
                "href" if attribute.name.ns.is_empty() => href = Some(attribute.value),
                "rel" => rel = Some(attribute.value),
                "alt" => alt = Some(attribute.value),
                "title" => title = Some(attribute.value),
                "role" => role = Some(attribute.value),
                _ => {}
            }
        }
        let mut tree = self.tree.borrow_mut();
        let fragment = if flags.template {
            tree.add(NodeKind::Other)
        } else {
            NONE
        };
        tree.add(NodeKind::Element(Element {
            tag: tag_of(&name),
            namespace: name.ns,
            name: name.local,
            href,
            rel,
            alt,
            title,
            role,
            fragment,
            holds_html: flags.mathml_annotation_xml_integration_point,
        }))
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.tree.borrow_mut().add(NodeKind::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.tree.borrow_mut().add(NodeKind::Other)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.attach(*parent, child, NONE);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let parent = self.tree.borrow()[*element].parent;
        if parent == NONE {
            self.attach(*previous, child, NONE);
        } else {
            self.attach(parent, child, *element);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        self.element(*target).fragment
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &NodeId) -> bool {
        self.element(*target).holds_html
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, node: NodeOrText<NodeId>) {
        let parent = self.tree.borrow()[*sibling].parent;
        if parent != NONE {
            self.attach(parent, node, *sibling);
        }
    }

    fn add_attrs_if_missing(&self, _: &NodeId, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &NodeId) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        loop {
            let child = self.tree.borrow()[*node].first;
            if child == NONE {
                return;
            }
            self.attach(*new_parent, NodeOrText::AppendNode(child), NONE);
        }
    }
}

/// The tag of an element. Names of SVG and MathML must not pass for those of HTML, except for
/// elements whose text no reader sees.
fn tag_of(name: &QualName) -> Tag {
    let tag = Tag::new(name.local.as_bytes());
    if name.ns == ns!(html) || tags::rules_of(tag).is_mute() {
        tag
    } else {
        Tag::default()
    }
}
