//! Foreign content: SVG and MathML, until HTML begins again inside them.

use super::super::tags::{self, Rules, Tag};

/// The open elements of SVG and MathML.
#[derive(Debug, Default)]
pub(super) struct ForeignStack {
    open: Vec<Tag>,
    /// How many of them no reader sees, or are inside such an element.
    hidden: usize,
}

impl ForeignStack {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether no reader sees text here.
    #[inline]
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Opens the root of foreign content.
    pub(super) fn open_root(&mut self, tag: Tag, self_closing: bool) {
        if matches!(tag, tags::SVG | tags::MATH) && !self_closing {
            self.open.push(tag);
        }
    }

    /// A start tag inside foreign content. Returns whether it stays foreign.
    pub(super) fn start(&mut self, tag: Tag, rules: Rules, self_closing: bool) -> bool {
        let inside_text = self.open.last().is_some_and(|&top| holds_html(top));
        let html_inside = matches!(tag, tags::FOREIGN_OBJECT | tags::ANNOTATION_XML);
        if !self_closing {
            self.open.push(tag);
            self.hidden += usize::from(self.hidden > 0 || rules.is_mute());
        }
        !inside_text && !html_inside && !rules.breaks_out_of_foreign()
    }

    /// An end tag inside foreign content. Returns whether it ends the innermost element.
    pub(super) fn end(&mut self, tag: Tag) -> bool {
        let is_innermost = self.open.last() == Some(&tag);
        if is_innermost {
            self.open.pop();
            self.hidden = self.hidden.saturating_sub(1);
        } else if matches!(tag, tags::SVG | tags::MATH) {
            self.open.clear();
            self.hidden = 0;
        }
        is_innermost
    }
}

/// Integration points: elements of SVG and MathML whose children are HTML.
fn holds_html(tag: Tag) -> bool {
    tag == tags::TITLE
        || [&b"desc"[..], b"mi", b"mo", b"mn", b"ms", b"mtext"]
            .iter()
            .any(|name| tag == Tag::new(name))
}
