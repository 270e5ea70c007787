//! Tags that a browser may ignore: the words on their two sides are then one.

use super::super::tags::{self, Tag};
use super::Reader;

impl Reader<'_> {
    /// Whether a browser ignores this start tag.
    pub(super) fn is_ignored(&self, tag: Tag) -> bool {
        match tag {
            tags::HTML | tags::HEAD | tags::BODY | tags::FRAME => true,
            tags::FORM => self.in_form,
            _ => self.tables.is_empty() && self.rules.is_table_part(),
        }
    }

    /// Whether this end tag surely ends an element, or makes one.
    pub(super) fn is_matched(&self, tag: Tag) -> bool {
        match tag {
            tags::P | tags::BR => true,
            tags::A if self.anchor.open => true,
            tags::TITLE => self.title.is_some(),
            tags::TEMPLATE => self.templates > 0,
            tags::TABLE => !self.tables.is_empty(),
            _ => {
                self.mute.is_some()
                    || self.templates > 0
                    || self.opened && self.tag == self.last_start
            }
        }
    }
}

/// Elements that their end tag does not always end, even right behind the start tag.
pub(super) fn may_stay_open(tag: Tag) -> bool {
    matches!(tag, tags::FORM | tags::SELECT | tags::SVG | tags::MATH)
}
