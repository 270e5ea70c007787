//! SVG and MathML, until HTML begins again inside them.

use super::super::tags::{self, Tag};
use super::Reader;

impl Reader<'_> {
    pub(super) fn start_foreign(&mut self, tag: Tag) {
        if matches!(tag, tags::SVG | tags::MATH) && !self.self_closing {
            self.foreign.push(tag);
        }
    }

    pub(super) fn foreign_start(&mut self, tag: Tag) {
        let inside_text = matches!(self.foreign.last(), Some(&top) if is_text_holder(top));
        let html_inside = matches!(tag, tags::FOREIGN_OBJECT | tags::ANNOTATION_XML);
        if inside_text || html_inside || self.rules.breaks_out_of_foreign() {
            self.needs_tree();
        }
        if !self.self_closing {
            self.foreign.push(tag);
            self.foreign_mute += usize::from(self.foreign_mute > 0 || self.rules.is_mute());
        }
    }

    pub(super) fn foreign_end(&mut self, tag: Tag) {
        if self.foreign.last() == Some(&tag) {
            self.foreign.pop();
            self.foreign_mute = self.foreign_mute.saturating_sub(1);
        } else {
            self.needs_tree();
            if matches!(tag, tags::SVG | tags::MATH) {
                self.foreign.clear();
                self.foreign_mute = 0;
            }
        }
    }
}

/// Elements of SVG and MathML whose children would be HTML.
fn is_text_holder(tag: Tag) -> bool {
    tag == tags::TITLE
        || [&b"desc"[..], b"mi", b"mo", b"mn", b"ms", b"mtext"]
            .iter()
            .any(|name| tag == Tag::new(name))
}
