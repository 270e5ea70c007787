//! Navigation: parts that a page itself marks as ways to other pages, wherever they stand. Landmarks of
//! WAI-ARIA (navigation, banner, search, contentinfo), and links to the previous and the next page
//! of a sequence (`rel`).
//!
//! A pagelet begins with a break of the kind [`breaks::NAVIGATION`] if it is in a landmark, holds
//! nothing but such links, or is the title that such a link has in the head.

use std::ops::Range;

use super::super::block::{breaks, Anchor, Break};
use super::super::tags::{self, Tag};
use super::super::targets::LinkBase;
use super::{PageBuilder, PageWords};
use crate::text::{ShortWord, WordScanner};

/// Maximum number of neighbours in a sequence that a page may name.
const MAX_NEIGHBOURS: usize = 8;

/// The navigation of the current page.
#[derive(Debug, Default)]
pub(super) struct Navigation {
    landmark: Option<Landmark>,
    /// How many articles, sections and main parts are open.
    sections: usize,
    /// References to the neighbours in a sequence; their URLs once links are resolved.
    neighbours: Vec<Vec<u8>>,
    /// The words of their titles.
    titles: Vec<Vec<ShortWord>>,
}

/// The landmark that is open.
#[derive(Debug)]
struct Landmark {
    tag: Tag,
    /// How many elements of this name are open in it, with itself.
    depth: usize,
    /// Its first word.
    start: u32,
}

impl Navigation {
    /// Forgets the page.
    pub(super) fn clear(&mut self) {
        self.landmark = None;
        self.sections = 0;
        self.neighbours.clear();
        self.titles.clear();
    }

    /// The kind that a break has because of the words behind it.
    #[inline]
    pub(super) fn kind(&self) -> u8 {
        match self.landmark {
            Some(_) => breaks::NAVIGATION,
            None => 0,
        }
    }
}

impl PageBuilder {
    /// A block begins; its break comes next.
    #[inline]
    pub fn enter(&mut self, tag: Tag, role: Option<&[u8]>) {
        let start = self.position();
        let navigation = &mut self.navigation;
        match &mut navigation.landmark {
            Some(open) if open.tag == tag => open.depth += 1,
            Some(_) if tag == tags::MAIN || is_role(role, &[b"main"]) => self.forget_landmark(),
            None if is_landmark(tag, role, navigation.sections) => {
                let depth = 1;
                navigation.landmark = Some(Landmark { tag, depth, start });
            }
            _ => {}
        }
        self.navigation.sections += usize::from(is_section(tag));
    }

    /// A block ends; its break comes next.
    #[inline]
    pub fn leave(&mut self, tag: Tag) {
        let navigation = &mut self.navigation;
        if is_section(tag) {
            navigation.sections = navigation.sections.saturating_sub(1);
        }
        let Some(open) = navigation.landmark.as_mut().filter(|open| open.tag == tag) else {
            return;
        };
        open.depth -= 1;
        if open.depth == 0 {
            navigation.landmark = None;
        }
    }

    /// A link to a page with this relation, and its title.
    pub(super) fn add_neighbour(&mut self, rel: &[u8], reference: &[u8], title: Option<&[u8]>) {
        let mut types = rel.split(u8::is_ascii_whitespace);
        let is_neighbour = |name: &[u8]| {
            let known: [&[u8]; 3] = [b"next", b"prev", b"previous"];
            known.iter().any(|known| name.eq_ignore_ascii_case(known))
        };
        if self.navigation.neighbours.len() == MAX_NEIGHBOURS || !types.any(is_neighbour) {
            return;
        }
        self.navigation
            .neighbours
            .push(reference.trim_ascii().to_vec());
        let mut words = Vec::new();
        let mut sink = PageWords(&mut words, &mut self.block.vocabulary);
        let mut scanner = WordScanner::default();
        scanner.scan(title.unwrap_or_default(), &mut sink);
        scanner.finish(&mut sink);
        if !words.is_empty() {
            self.navigation.titles.push(words);
        }
    }

    /// Resolves the references to neighbours.
    pub(super) fn resolve_neighbours(&mut self, base: &LinkBase<'_>) {
        let references = self.navigation.neighbours.drain(..);
        let urls = references.filter_map(|reference| base.url_of(&reference));
        self.navigation.neighbours = urls.collect();
    }

    /// Marks the remaining navigation once the page is complete and its links are resolved.
    pub(super) fn mark_navigation(&mut self) {
        if self.navigation.landmark.is_some() {
            // Its end tag is missing, so its end is unknown.
            self.forget_landmark();
        }
        if self.navigation.neighbours.is_empty() && self.navigation.titles.is_empty() {
            return;
        }
        let length = self.position();
        let inside = self.breaks.iter().map(|at| at.position);
        let mut ends: Vec<u32> = inside.filter(|at| (1..length).contains(at)).collect();
        ends.push(length);
        let mut start = 0;
        for end in ends {
            let pagelet = std::mem::replace(&mut start, end)..end;
            if self.is_title_of_neighbour(&pagelet) || self.is_link_to_neighbour(&pagelet) {
                self.mark_pagelet(pagelet.start);
            }
        }
    }

    fn is_title_of_neighbour(&self, pagelet: &Range<u32>) -> bool {
        let words = &self.words[pagelet.start as usize..pagelet.end as usize];
        self.navigation.titles.iter().any(|title| title == words)
    }

    fn is_link_to_neighbour(&self, pagelet: &Range<u32>) -> bool {
        let first = self
            .anchors
            .partition_point(|link| link.first < pagelet.start);
        let links = self.anchors[first..].iter();
        let links = links.take_while(|link| link.first < pagelet.end);
        let leads = |link: &&Anchor| {
            let target = self.block.urls.bytes_of(link.target);
            link.last <= pagelet.end && self.navigation.neighbours.iter().any(|url| url == target)
        };
        let words: u32 = links.filter(leads).map(|link| link.last - link.first).sum();
        words > 0 && words == pagelet.end - pagelet.start
    }

    fn mark_pagelet(&mut self, start: u32) {
        let at = self.breaks.partition_point(|at| at.position < start);
        match self.breaks.get_mut(at) {
            Some(found) if found.position == start => found.kinds |= breaks::NAVIGATION,
            _ => self.breaks.insert(
                at,
                Break {
                    position: start,
                    kinds: breaks::NAVIGATION,
                },
            ),
        }
    }

    #[cold]
    fn forget_landmark(&mut self) {
        let Some(open) = self.navigation.landmark.take() else {
            return;
        };
        let since = self.breaks.iter_mut().rev();
        for found in since.take_while(|found| found.position >= open.start) {
            found.kinds &= !breaks::NAVIGATION;
        }
    }
}

/// Whether an element is a landmark whose text leads to other pages. A footer of a section is not.
#[inline]
fn is_landmark(tag: Tag, role: Option<&[u8]>, sections: usize) -> bool {
    match role {
        None => tag == tags::NAV || tag == tags::FOOTER && sections == 0,
        Some(_) => {
            let rules = tags::rules_of(tag);
            let is_block = rules.at_start != 0 && rules.at_end != 0;
            is_block && is_role(role, &[b"navigation", b"banner", b"search", b"contentinfo"])
        }
    }
}

fn is_section(tag: Tag) -> bool {
    matches!(tag, tags::ARTICLE | tags::SECTION | tags::MAIN)
}

/// Whether an element has one of these roles: the first that it names counts.
fn is_role(role: Option<&[u8]>, roles: &[&[u8]]) -> bool {
    let Some(role) = role else {
        return false;
    };
    let mut named = role.split(u8::is_ascii_whitespace);
    let first = named.find(|name| !name.is_empty()).unwrap_or_default();
    roles.iter().any(|known| first.eq_ignore_ascii_case(known))
}
