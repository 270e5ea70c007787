//! The stack of open elements (HTML Standard, section 13.2.4.2), as far as it is certainly known.
//!
//! What a list item or a stray end tag inside a link does depends on what is open around the link.
//! [`InnermostElements`] is the end of the browser's stack. Anything unpredictable empties it, and
//! then anything may be open. Its special elements are those of the browser's stack, in the same
//! order. Formatting elements are left out, since browsers open and close them where no tag says
//! so. It may hold other elements that a browser has closed together with a formatting element,
//! and lacks none.

use super::super::tags::{self, Rules, Tag};

/// How many elements are searched for a tag: a page may leave any number of them open.
pub(super) const MAX_SEARCHED: usize = 256;

/// What is open outside links, or may be.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    pub(super) innermost: InnermostElements,
    pub(super) in_paragraph: bool,
    pub(super) in_select: bool,
    pub(super) in_form: bool,
    pub(super) in_button: bool,
    /// In an element that limits a scope and is no part of a table.
    pub(super) in_scope: bool,
}

impl OpenElements {
    /// A start tag outside links.
    pub(super) fn start_outside_link(&mut self, tag: Tag, rules: Rules) {
        match tag {
            tags::TITLE | tags::HTML | tags::HEAD | tags::BODY => return,
            tags::SELECT | tags::TABLE => return self.innermost.clear(),
            _ if rules.is_table_part() || rules.is_porous() => return self.innermost.clear(),
            tags::BUTTON if self.in_button || self.in_scope => self.innermost.clear(),
            _ => {}
        }
        self.start(tag, rules);
    }

    /// An end tag outside links.
    pub(super) fn end_outside_link(&mut self, tag: Tag, rules: Rules) {
        let of_table = tag == tags::TABLE || rules.is_table_part();
        if tag == tags::SELECT || of_table || rules.is_porous() {
            self.innermost.clear();
        } else {
            self.end(tag, rules);
        }
    }

    #[inline]
    pub(super) fn start(&mut self, tag: Tag, rules: Rules) {
        self.innermost.start(tag, rules, self.in_paragraph);
    }

    #[inline]
    pub(super) fn end(&mut self, tag: Tag, rules: Rules) {
        self.innermost.end(tag, rules, self.in_paragraph);
    }

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

/// The end of the stack of open elements, at most twice [`MAX_SEARCHED`] elements.
#[derive(Debug, Default)]
pub(super) struct InnermostElements(Vec<Tag>);

impl InnermostElements {
    /// Anything may be open.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The elements, the innermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Tag> + '_ {
        self.0.iter().rev().copied()
    }

    /// A start tag; `in_paragraph` says whether a paragraph may be open.
    #[inline]
    fn start(&mut self, tag: Tag, rules: Rules, in_paragraph: bool) {
        if rules.is_formatting() {
            return;
        }
        if rules.closes_paragraph() && in_paragraph {
            self.end_paragraph();
        }
        if rules.ends_items() {
            self.end_items(tag, rules);
        }
        if !rules.is_void() {
            self.push(tag);
        }
    }

    #[inline]
    fn push(&mut self, tag: Tag) {
        if self.0.len() == 2 * MAX_SEARCHED {
            self.0.drain(..MAX_SEARCHED);
        }
        self.0.push(tag);
    }

    /// An end tag; `in_paragraph` says whether a paragraph may be open.
    #[inline]
    fn end(&mut self, tag: Tag, rules: Rules, in_paragraph: bool) {
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
        if may_be_in_paragraph(self.iter()) {
            self.end_innermost(|open| open == tags::P);
        }
    }

    /// Ends what the start tag of a list item, a heading and the like ends.
    fn end_items(&mut self, tag: Tag, rules: Rules) {
        let innermost = self.innermost_special();
        match tag {
            tags::LI | tags::DT | tags::DD => {
                let is_same = |open| is_same_item(tag, open);
                match innermost {
                    Some(open) if stops_items(open) && !is_same(open) => {}
                    _ => self.end_innermost(is_same),
                }
            }
            _ if rules.is_heading() => match innermost {
                Some(open) if !tags::rules_of(open).is_heading() => {}
                _ => self.clear(),
            },
            _ => self.clear(),
        }
    }

    /// Ends the innermost special element, with all in it, if `is_it` says so; otherwise nothing
    /// is certain any more.
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
        if find_in_scope(self.iter(), tag) == ScopeMatch::Unknown {
            self.clear();
        }
    }

    fn innermost_special(&self) -> Option<Tag> {
        self.iter().find(|&open| tags::rules_of(open).is_special())
    }
}

/// What an end tag of a neither special nor formatting element finds first on its way outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeMatch {
    /// An element of the same name, which ends.
    Same,
    /// A special element: the tag is ignored.
    Special,
    /// Neither, as far as elements are known.
    Unknown,
}

pub(super) fn find_in_scope(mut innermost: impl Iterator<Item = Tag>, tag: Tag) -> ScopeMatch {
    innermost
        .find_map(|open| match open {
            _ if open == tag => Some(ScopeMatch::Same),
            _ if tags::rules_of(open).is_special() => Some(ScopeMatch::Special),
            _ => None,
        })
        .unwrap_or(ScopeMatch::Unknown)
}

/// Whether a paragraph may be open, by the known elements. Elements that end paragraphs have ended
/// those around them when they began.
pub(super) fn may_be_in_paragraph(mut innermost: impl Iterator<Item = Tag>) -> bool {
    innermost
        .find(|&open| {
            let rules = tags::rules_of(open);
            rules.closes_paragraph() || rules.is_scope() || open == tags::BUTTON
        })
        .is_none_or(|open| open == tags::P)
}

/// Whether the start tag of this list item ends such an open element.
pub(super) fn is_same_item(item: Tag, open: Tag) -> bool {
    match item {
        tags::LI => open == tags::LI,
        _ => matches!(open, tags::DT | tags::DD),
    }
}

/// Whether the search for a list item to end stops at such an open element.
pub(super) fn stops_items(open: Tag) -> bool {
    tags::rules_of(open).is_special() && !matches!(open, tags::ADDRESS | tags::DIV | tags::P)
}
