//! The outline of a page: where its headings, labels and blocks begin and end, and the sections
//! under those that have one of the titles looked for.
//!
//! A label is a heading, `p`, `dt`, `th`, `b` or `strong` that holds nothing but a title. A block
//! that holds nothing but a label is part of it. Where the section under it ends:
//!
//! - always where the block around the label ends;
//! - under a heading, before the next heading of its level or a higher one;
//! - under any other label, before the next heading; and unless the label is the first thing in
//!   the block around it, as in Sphinx's admonitions, behind the first text or block that follows.

use std::ops::Range;

use super::super::tags::{self, Tag};

/// The words from a position up to another.
pub type Section = Range<u32>;

/// Start tags and end tags of a page, each with the number of words before it.
#[derive(Debug, Default)]
pub struct Outline {
    marks: Vec<(Tag, Edge, u32)>,
}

/// Which end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Its start tag.
    Start,
    /// Its end tag.
    End,
}

impl Outline {
    /// Notes a tag; only those of labels and blocks are kept.
    pub fn add(&mut self, tag: Tag, edge: Edge, position: u32) {
        if is_label(tag) || is_block(tag) {
            self.marks.push((tag, edge, position));
        }
    }

    /// Forgets the page.
    pub fn clear(&mut self) {
        self.marks.clear();
    }

    /// The sections of a page of `length` words, in order. `is_title` says whether words are a
    /// title, and whether they are so as a heading.
    pub fn sections(
        &self,
        length: u32,
        is_title: impl FnMut(Range<u32>, bool) -> bool,
    ) -> Vec<Section> {
        let mut walk = OutlineWalk {
            open: Vec::new(),
            section: None,
            found: Vec::new(),
            is_title,
        };
        for &(tag, edge, position) in &self.marks {
            match edge {
                Edge::Start => walk.start(tag, position),
                Edge::End => walk.end(tag, position),
            }
        }
        while !walk.open.is_empty() {
            walk.pop(length);
        }
        walk.close(length);
        walk.found
    }
}

fn heading_level(tag: Tag) -> Option<u8> {
    const LEVELS: [Tag; 6] = [tags::H1, tags::H2, tags::H3, tags::H4, tags::H5, tags::H6];
    let at = LEVELS.iter().position(|&level| level == tag);
    at.map(|at| at as u8 + 1)
}

fn is_label(tag: Tag) -> bool {
    matches!(tag, tags::P | tags::DT | tags::TH | tags::B | tags::STRONG)
        || heading_level(tag).is_some()
}

fn is_inline(tag: Tag) -> bool {
    matches!(tag, tags::B | tags::STRONG)
}

/// Elements that hold others, apart from `html` and `body`.
fn is_block(tag: Tag) -> bool {
    let rules = tags::rules_of(tag);
    rules.at_end != 0 && !rules.is_void()
}

/// An element that is open, and where its words begin.
struct OpenElement {
    tag: Tag,
    start: u32,
}

/// The section under way.
struct OpenSection {
    start: u32,
    /// Where its label ends.
    label_end: u32,
    /// Level of its heading.
    level: Option<u8>,
    /// How many elements are open around its label.
    depth: usize,
    /// Whether it is the whole block around its label.
    owns_block: bool,
}

struct OutlineWalk<F> {
    open: Vec<OpenElement>,
    section: Option<OpenSection>,
    found: Vec<Section>,
    is_title: F,
}

impl<F: FnMut(Range<u32>, bool) -> bool> OutlineWalk<F> {
    fn start(&mut self, tag: Tag, position: u32) {
        while self.last().is_some_and(|last| is_ended_by(last, tag)) {
            self.pop(position);
        }
        let level = heading_level(tag);
        let ends = |section: &OpenSection| match (section.level, level) {
            (Some(own), Some(other)) => other <= own,
            (None, Some(_)) => true,
            _ => false,
        };
        if self.section.as_ref().is_some_and(ends) {
            self.close(position);
        }
        self.end_at_sibling(tag, position);
        self.open.push(OpenElement {
            tag,
            start: position,
        });
    }

    fn end(&mut self, tag: Tag, position: u32) {
        let is_same = |open: &OpenElement| {
            open.tag == tag || heading_level(open.tag).and(heading_level(tag)).is_some()
        };
        let Some(at) = self.open.iter().rposition(is_same) else {
            return;
        };
        while self.open.len() > at {
            self.pop(position);
        }
    }

    fn last(&self) -> Option<Tag> {
        self.open.last().map(|open| open.tag)
    }

    /// The innermost element ends.
    fn pop(&mut self, position: u32) {
        let Some(OpenElement { tag, start }) = self.open.pop() else {
            return;
        };
        let depth = self.open.len();
        match &self.section {
            None if is_label(tag) => {
                self.open_section(tag, start..position);
            }
            Some(section) if depth < section.depth => {
                if !self.open_section(tag, start..position) {
                    self.close(position);
                }
            }
            _ => self.end_at_sibling(tag, position),
        }
    }

    /// Begins a section, if these words of the element that has ended are its title. Under way,
    /// this makes the block around a label part of it.
    fn open_section(&mut self, tag: Tag, label: Range<u32>) -> bool {
        let known = self.section.as_ref().and_then(|section| section.level);
        let level = heading_level(tag).or(known);
        let is_title = (self.is_title)(label.clone(), level.is_some());
        if is_title {
            let around = self.open.last();
            let is_first = around.is_some_and(|open| open.start == label.start);
            self.section = Some(OpenSection {
                start: label.start,
                label_end: label.end,
                level,
                depth: self.open.len(),
                owns_block: is_first && tag != tags::DT,
            });
        }
        is_title
    }

    /// Ends a section that neither has a heading nor owns its block, where a block begins or ends.
    fn end_at_sibling(&mut self, tag: Tag, position: u32) {
        let depth = self.open.len();
        let ends = |section: &OpenSection| {
            let is_short = section.level.is_none() && !section.owns_block;
            is_short && section.depth == depth && position > section.label_end
        };
        if !is_inline(tag) && self.section.as_ref().is_some_and(ends) {
            self.close(position);
        }
    }

    fn close(&mut self, position: u32) {
        if let Some(section) = self.section.take() {
            self.found.push(section.start..position);
        }
    }
}

/// Whether a start tag ends the element that is open, as HTML lets people leave out end tags.
fn is_ended_by(open: Tag, tag: Tag) -> bool {
    match open {
        tags::P => tags::rules_of(tag).closes_paragraph(),
        tags::LI => tag == tags::LI,
        tags::DT | tags::DD => matches!(tag, tags::DT | tags::DD),
        tags::TD | tags::TH => matches!(tag, tags::TD | tags::TH | tags::TR),
        tags::TR => tag == tags::TR,
        _ => false,
    }
}
