//! The open link, and what would make a browser split or copy it.

use super::super::builder::OpenAnchor;
use super::super::tags::{self, Tag};
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
        let inside = &mut self.anchor.inside;
        let last = inside.last().copied().unwrap_or_default();
        if self.rules.closes_paragraph() && last == tags::P
            || self.rules.is_heading() && tags::rules_of(last).is_heading()
        {
            inside.pop();
            self.end_paragraph();
        }
        let in_the_way = match tag {
            tags::LI => !matches!(last, tags::UL | tags::OL | tags::MENU),
            tags::DT | tags::DD => last != tags::DL,
            tags::BUTTON => self.in_button || self.in_scope,
            tags::OPTION | tags::OPTGROUP | tags::SELECT | tags::FORM | tags::NOBR => true,
            tags::RB | tags::RP | tags::RT | tags::RTC => last != tags::RUBY,
            _ if self.rules.is_table_part() => self.tables.len() <= self.anchor.tables,
            _ => false,
        };
        if in_the_way || self.rules.closes_paragraph() && self.paragraph_open {
            self.needs_tree();
        }
        if !self.rules.is_void() && tag != tags::TITLE {
            self.anchor.inside.push(tag);
        }
    }

    pub(super) fn end_inside_anchor(&mut self, tag: Tag) {
        if self.rules.is_void() || tag == tags::P && !self.paragraph_open {
            return;
        }
        let inside = &mut self.anchor.inside;
        let Some(at) = inside.iter().rposition(|&open| open == tag) else {
            return self.needs_tree();
        };
        if inside[at + 1..]
            .iter()
            .any(|&open| tags::rules_of(open).is_special())
        {
            self.needs_tree();
        } else {
            inside.truncate(at);
        }
    }
}
