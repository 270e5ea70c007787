//! The innermost open elements, as far as they are surely known.
//!
//! What a list item or a stray end tag inside a link does depends on what is open around the link. Here
//! is the end of the browser's stack of open elements: whatever cannot be foretold
//! empties it, and then anything may be open. Its special elements are those of the stack, in the same order.
//! Formatting elements are left out, since browsers open and close them where no tag says so. Other
//! elements may be here that a browser has closed together with a formatting element, and none lacks.

use super::super::tags::{self, Rules, Tag};

/// No more elements are looked at for a tag: a page may leave any number of them open.
pub(super) const FURTHEST: usize = 256;

/// The end of the stack of open elements, at most twice as many as are looked at.
#[derive(Debug, Default)]
pub(super) struct Nest(Vec<Tag>);

impl Nest {
    /// Anything may be open.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The elements, the innermost first.
    pub(super) fn innermost(&self) -> impl Iterator<Item = Tag> + '_ {
        self.0.iter().rev().copied()
    }

    /// A start tag; whether a paragraph may be open before it.
    #[inline]
    pub(super) fn start(&mut self, tag: Tag, rules: Rules, in_paragraph: bool) {
        if rules.is_formatting() {
            return;
        }
        if rules.closes_paragraph() && in_paragraph {
            self.end_paragraph();
        }
        if rules.ends_others() {
            self.end_others(tag, rules);
        }
        if !rules.is_void() {
            self.push(tag);
        }
    }

    #[inline]
    fn push(&mut self, tag: Tag) {
        if self.0.len() == 2 * FURTHEST {
            self.0.drain(..FURTHEST);
        }
        self.0.push(tag);
    }

    /// An end tag; whether a paragraph may be open before it.
    #[inline]
    pub(super) fn end(&mut self, tag: Tag, rules: Rules, in_paragraph: bool) {
        if rules.is_formatting() || rules.is_void() {
            return;
        }
        if self.0.last() == Some(&tag) {
            self.0.pop();
        } else if tag != tags::P {
            self.end_outer(tag, rules);
        } else if in_paragraph {
            self.end_paragraph();
        }
    }

    /// Ends the paragraph, if one is or may be open.
    fn end_paragraph(&mut self) {
        if may_be_in_paragraph(self.innermost()) {
            self.end_innermost(|open| open == tags::P);
        }
    }

    /// Ends what the start tag of a list item, a heading and the like ends.
    fn end_others(&mut self, tag: Tag, rules: Rules) {
        let innermost = self.innermost_special();
        match tag {
            tags::LI | tags::DT | tags::DD => {
                let alike = |open| is_alike_item(tag, open);
                match innermost {
                    Some(open) if stops_items(open) && !alike(open) => {}
                    _ => self.end_innermost(alike),
                }
            }
            _ if rules.is_heading() => match innermost {
                Some(open) if !tags::rules_of(open).is_heading() => {}
                _ => self.clear(),
            },
            _ => self.clear(),
        }
    }

    /// Ends the innermost special element with all in it if it is the one; otherwise what ends
    /// cannot be told.
    fn end_innermost(&mut self, is_it: impl Fn(Tag) -> bool) {
        let special = |open: &Tag| tags::rules_of(*open).is_special();
        match self.0.iter().rposition(special) {
            Some(at) if is_it(self.0[at]) => self.0.truncate(at),
            _ => self.clear(),
        }
    }

    /// The end tag of an element that is not the innermost.
    fn end_outer(&mut self, tag: Tag, rules: Rules) {
        if rules.is_special() {
            return self.end_innermost(|open| open == tag && open != tags::FORM);
        }
        // The one of that name may be closed already, and another further out may end.
        if holder(self.innermost(), tag) == Holder::Unknown {
            self.clear();
        }
    }

    fn innermost_special(&self) -> Option<Tag> {
        self.innermost()
            .find(|&open| tags::rules_of(open).is_special())
    }
}

/// What is met first on the way outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// An element of the same name, which ends.
    Same,
    /// A special element: the tag is ignored.
    Special,
    /// Nothing of that as far as elements are known.
    Unknown,
}

/// What an end tag of neither a special nor a formatting element meets first.
pub(super) fn holder(mut innermost: impl Iterator<Item = Tag>, tag: Tag) -> Holder {
    innermost
        .find_map(|open| match open {
            _ if open == tag => Some(Holder::Same),
            _ if tags::rules_of(open).is_special() => Some(Holder::Special),
            _ => None,
        })
        .unwrap_or(Holder::Unknown)
}

/// Whether a paragraph may be open, by the elements known. Whatever ends paragraphs has ended
/// those around it when it began.
pub(super) fn may_be_in_paragraph(mut innermost: impl Iterator<Item = Tag>) -> bool {
    innermost
        .find(|&open| {
            let rules = tags::rules_of(open);
            rules.closes_paragraph() || rules.is_scope() || open == tags::BUTTON
        })
        .is_none_or(|open| open == tags::P)
}

/// Whether an open element is ended by the start tag of such an item.
pub(super) fn is_alike_item(item: Tag, open: Tag) -> bool {
    match item {
        tags::LI => open == tags::LI,
        _ => matches!(open, tags::DT | tags::DD),
    }
}

/// Whether the start tag of an item looks no further outwards for one to end.
pub(super) fn stops_items(open: Tag) -> bool {
    tags::rules_of(open).is_special() && !matches!(open, tags::ADDRESS | tags::DIV | tags::P)
}
