//! The tree that html5ever builds.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{ns, Attribute, LocalName, Namespace, QualName};

use super::nodes::{Content, Element, Id, More, Tree, DOCUMENT, NONE};
use super::tags::{self, Tag};

/// The tree under construction.
#[derive(Debug)]
pub(super) struct Arena {
    tree: RefCell<Tree>,
    asked: Cell<usize>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::with(Tree::default())
    }
}

impl Arena {
    /// A tree with its root, in the memory of one that is empty.
    pub(super) fn with(mut tree: Tree) -> Self {
        tree.add(Content::Other);
        Self {
            tree: RefCell::new(tree),
            asked: Cell::new(0),
        }
    }

    /// How often the construction asked what an element is: it does so for each open one that it
    /// passes on its way outwards.
    pub(super) fn asked(&self) -> usize {
        self.asked.get()
    }

    pub(super) fn len(&self) -> usize {
        self.tree.borrow().len()
    }

    pub(super) fn too_deep(&self, deepest: usize) -> bool {
        let nodes = self.tree.borrow();
        let mut id = nodes.len() as Id - 1;
        let mut depth = 0;
        while id != NONE && depth <= deepest {
            id = nodes[id].parent;
            depth += 1;
        }
        depth > deepest
    }

    /// What few elements have, if this node does.
    fn more_of<T>(&self, id: Id, tell: impl FnOnce(&More) -> T) -> Option<T> {
        let tree = self.tree.borrow();
        match &tree[id].content {
            Content::Element(element) => tree.more(element).map(tell),
            Content::Other | Content::Text(_) => None,
        }
    }

    fn detach(&self, id: Id) {
        let mut nodes = self.tree.borrow_mut();
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
                self.tree.borrow_mut().add(Content::Text(text))
            }
        };
        let mut nodes = self.tree.borrow_mut();
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
        let mut nodes = self.tree.borrow_mut();
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
pub(super) struct Name<'a>(Ref<'a, Element>);

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.0.name
    }
}

impl TreeSink for Arena {
    type Handle = Id;
    type Output = Tree;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Name<'a> {
        self.asked.set(self.asked.get() + 1);
        Name(Ref::map(self.tree.borrow(), |nodes| {
            match &nodes[*target].content {
                Content::Element(element) => element,
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
        let mut tree = self.tree.borrow_mut();
        let fragment = if flags.template {
            tree.add(Content::Other)
        } else {
            NONE
        };
        let more = tree.add_more(More {
            href,
            alt,
            fragment,
            holds_html: flags.mathml_annotation_xml_integration_point,
        });
        tree.add(Content::Element(Element {
            tag: tag_of(&name),
            namespace: name.ns,
            name: name.local,
            more,
        }))
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.tree.borrow_mut().add(Content::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.tree.borrow_mut().add(Content::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.attach(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        let parent = self.tree.borrow()[*element].parent;
        if parent == NONE {
            self.attach(*previous, child, NONE);
        } else {
            self.attach(parent, child, *element);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        self.more_of(*target, |more| more.fragment)
            .unwrap_or(DOCUMENT)
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Id) -> bool {
        self.more_of(*target, |more| more.holds_html)
            .unwrap_or(false)
    }

    fn same_node(&self, one: &Id, other: &Id) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, node: NodeOrText<Id>) {
        let parent = self.tree.borrow()[*sibling].parent;
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
            let child = self.tree.borrow()[*node].first;
            if child == NONE {
                return;
            }
            self.attach(*new_parent, NodeOrText::AppendNode(child), NONE);
        }
    }
}

/// The tag that an element is to pages. Names outside HTML must not pass for HTML's, but for
/// what is mute.
fn tag_of(name: &QualName) -> Tag {
    let tag = Tag::new(name.local.as_bytes());
    if name.ns == ns!(html) || tags::rules_of(tag).is_mute() {
        tag
    } else {
        Tag::default()
    }
}
