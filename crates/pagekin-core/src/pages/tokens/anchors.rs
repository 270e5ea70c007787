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
        if self.anchor.inside.iter().any(|&tag| tags::is_special(tag)) {
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
        if tags::closes_paragraph(tag) && last == tags::P
            || tags::is_heading(tag) && tags::is_heading(last)
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
            _ if tags::is_table_part(tag) => self.tables.len() <= self.anchor.tables,
            _ => false,
        };
        if in_the_way || tags::closes_paragraph(tag) && self.paragraph_open {
            self.needs_tree();
        }
        if !tags::is_void(tag) && tag != tags::TITLE {
            self.anchor.inside.push(tag);
        }
    }

    pub(super) fn end_inside_anchor(&mut self, tag: Tag) {
        if tags::is_void(tag) || tag == tags::P && !self.paragraph_open {
            return;
        }
        let inside = &mut self.anchor.inside;
        let Some(at) = inside.iter().rposition(|&open| open == tag) else {
            return self.needs_tree();
        };
        if inside[at + 1..].iter().any(|&open| tags::is_special(open)) {
            self.needs_tree();
        } else {
            inside.truncate(at);
        }
    }
}
