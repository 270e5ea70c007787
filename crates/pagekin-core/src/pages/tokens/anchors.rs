//! The open link, and what would make a browser split or copy it.

use super::super::builder::OpenAnchor;
use super::super::tags::{self, Tag};
use super::nest::{holder, is_alike_item, may_be_in_paragraph, stops_items, Holder, FURTHEST};
use super::Reader;

/// A link's `<a>` that is open, and what has been opened in it.
#[derive(Debug, Default)]
pub(super) struct AnchorState {
    pub(super) open: bool,
    pub(super) link: Option<OpenAnchor>,
    pub(super) inside: Vec<Tag>,
    pub(super) tables: usize,
}

impl Reader<'_> {
    pub(super) fn start_anchor(&mut self) {
        if self.between_cells() || self.in_select {
            self.needs_tree();
        }
        if self.anchor.open {
            self.end_anchor();
        }
        // Whatever happens to one without a link, nobody can tell.
        if let Some(href) = self.href.get() {
            self.anchor.open = true;
            self.anchor.inside.clear();
            self.anchor.tables = self.tables.len();
            self.anchor.link = Some(self.builder.open_anchor(href));
        }
    }

    pub(super) fn end_anchor(&mut self) {
        if self
            .anchor
            .inside
            .iter()
            .any(|&tag| tags::rules_of(tag).is_special())
        {
            self.needs_tree();
        }
        self.close_anchor();
    }

    pub(super) fn close_anchor(&mut self) {
        if let Some(link) = self.anchor.link.take() {
            self.builder.close_anchor(link);
        }
        self.anchor.open = false;
    }

    pub(super) fn start_inside_anchor(&mut self, tag: Tag) {
        // Whether a table ends a paragraph depends on the doctype.
        if self.rules.closes_paragraph() && self.last_inside() == tags::P && tag != tags::TABLE {
            self.anchor.inside.pop();
            self.end_paragraph();
        }
        if self.rules.is_heading() && tags::rules_of(self.last_inside()).is_heading() {
            self.anchor.inside.pop();
            self.end_paragraph();
        }
        let in_the_way = match tag {
            tags::LI | tags::DT | tags::DD => self.may_end_item(tag),
            tags::BUTTON => self.in_button || self.in_scope,
            tags::OPTION | tags::OPTGROUP | tags::SELECT | tags::NOBR => true,
            tags::HTML | tags::HEAD | tags::BODY | tags::FRAME => true,
            tags::RB | tags::RP | tags::RT | tags::RTC => self.last_inside() != tags::RUBY,
            // What ends it inside a table need not end its scope.
            tags::OBJECT | tags::APPLET | tags::MARQUEE => self.tables.len() > self.anchor.tables,
            _ if self.rules.is_table_part() => self.tables.len() <= self.anchor.tables,
            _ => self.rules.is_porous(),
        };
        if in_the_way || self.rules.closes_paragraph() && self.may_be_in_paragraph() {
            self.needs_tree();
        }
        if !self.rules.is_void() && tag != tags::TITLE {
            self.anchor.inside.push(tag);
        }
    }

    /// The innermost element inside the link.
    fn last_inside(&self) -> Tag {
        self.anchor.inside.last().copied().unwrap_or_default()
    }

    pub(super) fn end_inside_anchor(&mut self, tag: Tag) {
        if self.rules.is_void() || tag == tags::P && !self.paragraph_open {
            return;
        }
        if self.rules.is_porous() {
            return self.needs_tree();
        }
        if !self.rules.is_special() && !self.rules.is_formatting() {
            return self.end_other_inside_anchor(tag);
        }
        let inside = &mut self.anchor.inside;
        let Some(at) = inside.iter().rposition(|&open| open == tag) else {
            return self.needs_tree();
        };
        if tag == tags::FORM && at + 1 < inside.len()
            || inside[at + 1..]
                .iter()
                .any(|&open| tags::rules_of(open).is_special())
        {
            self.needs_tree();
        } else {
            inside.truncate(at);
        }
    }

    /// An end tag that is ignored unless an element of its name is open in the nearest special one.
    fn end_other_inside_anchor(&mut self, tag: Tag) {
        match holder(self.innermost(), tag) {
            Holder::Special => {}
            Holder::Same => match self.anchor.inside.iter().rposition(|&open| open == tag) {
                Some(at) => self.anchor.inside.truncate(at),
                None => self.needs_tree(),
            },
            Holder::Unknown => self.needs_tree(),
        }
    }

    /// What is open inside the link and around it, the innermost first.
    fn innermost(&self) -> impl Iterator<Item = Tag> + '_ {
        let inside = self.anchor.inside.iter().rev().copied();
        inside.chain(self.nest.innermost()).take(FURTHEST)
    }

    /// Whether the start tag of a list item may end another, inside the link or around it.
    fn may_end_item(&self, tag: Tag) -> bool {
        self.innermost()
            .find(|&open| is_alike_item(tag, open) || stops_items(open))
            .is_none_or(|open| is_alike_item(tag, open))
    }

    fn may_be_in_paragraph(&self) -> bool {
        self.paragraph_open && may_be_in_paragraph(self.innermost())
    }

    /// A start tag outside links.
    pub(super) fn start_around_anchor(&mut self, tag: Tag) {
        match tag {
            tags::TITLE | tags::HTML | tags::HEAD | tags::BODY => return,
            tags::SELECT | tags::TABLE => return self.nest.clear(),
            _ if self.rules.is_table_part() || self.rules.is_porous() => return self.nest.clear(),
            tags::BUTTON if self.in_button || self.in_scope => self.nest.clear(),
            _ => {}
        }
        self.nest.start(tag, self.rules, self.paragraph_open);
    }

    /// An end tag outside links.
    pub(super) fn end_around_anchor(&mut self, tag: Tag) {
        let of_table = tag == tags::TABLE || self.rules.is_table_part();
        if tag == tags::SELECT || of_table || self.rules.is_porous() {
            self.nest.clear();
        } else {
            self.nest.end(tag, self.rules, self.paragraph_open);
        }
    }
}
