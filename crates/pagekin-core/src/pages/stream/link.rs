//! The open link, and what makes a browser split or copy it (the adoption agency algorithm,
//! HTML Standard, section 13.2.6.4.7).

use super::super::builder::OpenAnchor;
use super::super::lexer::TagToken;
use super::super::tags::{self, Rules, Tag};
use super::StreamReader;

/// Maximum number of elements searched for a tag: a page may leave any number of them open.
const MAX_SEARCHED: usize = 256;

/// The `<a href>` that is open, and what has been opened in it.
#[derive(Debug, Default)]
pub(super) struct OpenLink {
    pub(super) is_open: bool,
    anchor: Option<OpenAnchor>,
    /// The elements inside the link, the innermost last.
    inside: Vec<Tag>,
    /// How many tables and cells are open around it.
    table_depth: usize,
}

impl StreamReader<'_> {
    pub(super) fn start_link(&mut self, token: &TagToken<'_>) {
        if self.tables.is_between_cells() || self.elements.in_select {
            self.need_tree();
        }
        if self.link.is_open {
            self.end_link();
        }
        // An `<a>` without `href` leaves no trace in a page, whatever a browser does with it.
        if let Some(href) = token.attributes.get(b"href") {
            self.link.is_open = true;
            self.link.inside.clear();
            self.link.table_depth = self.tables.depth();
            self.link.anchor = Some(self.builder.open_anchor(href, token.attributes.get(b"rel")));
        }
    }

    pub(super) fn end_link(&mut self) {
        if has_special(&self.link.inside) {
            self.need_tree();
        }
        self.close_link();
    }

    pub(super) fn close_link(&mut self) {
        if let Some(anchor) = self.link.anchor.take() {
            self.builder.close_anchor(anchor);
        }
        self.link.is_open = false;
    }

    pub(super) fn start_inside_link(&mut self, tag: Tag, rules: Rules) {
        // Whether a table ends a paragraph depends on the doctype.
        if rules.closes_paragraph() && self.last_inside() == tags::P && tag != tags::TABLE {
            self.link.inside.pop();
            self.elements.end_paragraph();
        }
        if rules.is_heading() && tags::rules_of(self.last_inside()).is_heading() {
            self.link.inside.pop();
            self.elements.end_paragraph();
        }
        let may_split = match tag {
            tags::LI | tags::DT | tags::DD => self.may_end_item(tag),
            tags::BUTTON => self.elements.in_button || self.elements.in_scope,
            tags::OPTION | tags::OPTGROUP | tags::SELECT | tags::NOBR => true,
            tags::HTML | tags::HEAD | tags::BODY | tags::FRAME => true,
            tags::RB | tags::RP | tags::RT | tags::RTC => self.last_inside() != tags::RUBY,
            // What ends it inside a table need not end its scope.
            tags::OBJECT | tags::APPLET | tags::MARQUEE => {
                self.tables.depth() > self.link.table_depth
            }
            _ if rules.is_table_part() => self.tables.depth() <= self.link.table_depth,
            _ => rules.is_porous(),
        };
        if may_split || rules.closes_paragraph() && self.may_be_in_paragraph() {
            self.need_tree();
        }
        if !rules.is_void() && tag != tags::TITLE {
            self.link.inside.push(tag);
        }
    }

    /// The innermost element inside the link.
    fn last_inside(&self) -> Tag {
        self.link.inside.last().copied().unwrap_or_default()
    }

    pub(super) fn end_inside_link(&mut self, tag: Tag, rules: Rules) {
        if rules.is_void() || tag == tags::P && !self.elements.in_paragraph {
            return;
        }
        if rules.is_porous() {
            return self.need_tree();
        }
        if !rules.is_special() && !rules.is_formatting() {
            return self.end_ordinary_inside_link(tag);
        }
        let inside = &mut self.link.inside;
        let Some(at) = inside.iter().rposition(|&open| open == tag) else {
            return self.need_tree();
        };
        let inner = &inside[at + 1..];
        if tag == tags::FORM && !inner.is_empty() || has_special(inner) {
            self.need_tree();
        } else {
            inside.truncate(at);
        }
    }

    /// An end tag that is ignored unless an element of its name is open in the nearest special one.
    fn end_ordinary_inside_link(&mut self, tag: Tag) {
        match self.find_inside(|open| open == tag || tags::rules_of(open).is_special()) {
            Some(open) if open == tag => while self.link.inside.pop() != Some(tag) {},
            Some(_) => {}
            None => self.need_tree(),
        }
    }

    /// The innermost such element inside the link. The elements around the link are not known.
    fn find_inside(&self, is_it: impl Fn(Tag) -> bool) -> Option<Tag> {
        let inside = self.link.inside.iter().rev().take(MAX_SEARCHED);
        inside.copied().find(|&open| is_it(open))
    }

    /// Whether the start tag of a list item may end another, inside the link or around it.
    fn may_end_item(&self, tag: Tag) -> bool {
        let is_same = |open| match tag {
            tags::LI => open == tags::LI,
            _ => matches!(open, tags::DT | tags::DD),
        };
        let stops = |open| {
            tags::rules_of(open).is_special()
                && !matches!(open, tags::ADDRESS | tags::DIV | tags::P)
        };
        self.find_inside(|open| is_same(open) || stops(open))
            .is_none_or(is_same)
    }

    /// Whether a paragraph may be open. Elements that end paragraphs have ended those around them
    /// when they began.
    fn may_be_in_paragraph(&self) -> bool {
        let limits = |open| {
            let rules = tags::rules_of(open);
            rules.closes_paragraph() || rules.is_scope() || open == tags::BUTTON
        };
        let innermost = self.find_inside(limits);
        self.elements.in_paragraph && innermost.is_none_or(|open| open == tags::P)
    }
}

fn has_special(elements: &[Tag]) -> bool {
    elements
        .iter()
        .any(|&open| tags::rules_of(open).is_special())
}
