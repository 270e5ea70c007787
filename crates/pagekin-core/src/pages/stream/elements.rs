//! The stack of open elements (HTML Standard, section 13.2.4.2) outside links, as far as it may
//! matter.

use super::super::tags::{self, Rules, Tag};

/// Elements that are open outside links, or may be.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    pub(super) in_paragraph: bool,
    pub(super) in_select: bool,
    pub(super) in_form: bool,
    pub(super) in_button: bool,
    /// In an element that limits a scope and is not part of a table.
    pub(super) in_scope: bool,
}

impl OpenElements {
    /// Ends and starts a paragraph, if the start tag does so.
    #[inline]
    pub(super) fn start_paragraph(&mut self, tag: Tag, rules: Rules) {
        if rules.closes_paragraph() {
            self.end_paragraph();
            self.in_paragraph |= tag == tags::P;
        }
    }

    /// Ends the paragraph, unless it may be one outside of what is open.
    pub(super) fn end_paragraph(&mut self) {
        self.in_paragraph &= self.in_button || self.in_scope || self.in_select;
    }
}
