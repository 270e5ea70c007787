//! Held-out evidence: links that a build leaves out, so that it can be judged by them.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::super::block::{breaks, Anchor, Break};
use super::super::tags::Tag;
use super::outline::{Edge, Outline, Section};
use super::{see_also, PageBuilder};
use crate::hash;
use crate::text::WordSpans;

/// Which evidence to leave out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HoldOut {
    /// Sections in which authors list related pages, links and words.
    SeeAlso,
    /// The links of some pages, whose words stay.
    Links {
        /// The share of pages, chosen by the hash of their URL.
        share: f64,
        /// Another seed chooses other pages.
        seed: u64,
    },
}

/// Evidence that was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldOut {
    /// Ids of the URLs of a page and of one that its author lists; or of two pages that a third
    /// names side by side, in both orders.
    pub pairs: Vec<(u64, u64)>,
    /// Number of pages from which something was left out.
    pub pages: u64,
}

/// The state of a builder that holds evidence out.
#[derive(Debug)]
pub(super) struct Holder {
    kind: HoldOut,
    outline: Outline,
    found: HeldOut,
}

impl PageBuilder {
    /// A builder that holds evidence out.
    pub fn holding_out(kind: Option<HoldOut>) -> Self {
        let holder = kind.map(|kind| {
            Box::new(Holder {
                kind,
                outline: Outline::default(),
                found: HeldOut::default(),
            })
        });
        Self {
            holder,
            ..Self::default()
        }
    }

    /// Takes the evidence that was left out so far.
    pub fn take_held_out(&mut self) -> HeldOut {
        let found = self.holder.as_mut().map(|holder| &mut holder.found);
        found.map(std::mem::take).unwrap_or_default()
    }

    /// Notes a tag for the outline; a boundary comes first.
    #[inline]
    pub fn mark(&mut self, tag: Tag, edge: Edge) {
        if let Some(holder) = &mut self.holder {
            holder.outline.add(tag, edge, self.words.len() as u32);
        }
    }

    /// Forgets the outline of the current page.
    pub(super) fn clear_outline(&mut self) {
        if let Some(holder) = &mut self.holder {
            holder.outline.clear();
        }
    }

    /// Removes held-out evidence from the current page, whose links are resolved.
    pub(super) fn hold_out(&mut self, url: &str, page: u32) {
        let Some(mut holder) = self.holder.take() else {
            return;
        };
        match holder.kind {
            HoldOut::SeeAlso => self.hold_out_sections(page, &mut holder),
            HoldOut::Links { share, seed } if is_chosen(url, share, seed) => {
                self.hold_out_links(page, &mut holder.found);
            }
            HoldOut::Links { .. } => {}
        }
        self.holder = Some(holder);
    }

    fn hold_out_sections(&mut self, page: u32, holder: &mut Holder) {
        let length = self.words.len() as u32;
        let sections = holder.outline.sections(length, |words, is_heading| {
            self.is_see_also(words, is_heading)
        });
        if sections.is_empty() {
            return;
        }
        holder.found.pages += 1;
        let listed = self
            .anchors
            .iter()
            .filter(|link| is_inside(link, &sections));
        let outward = listed.filter(|link| link.target != page);
        let pairs = outward.map(|link| (self.id_of(page), self.id_of(link.target)));
        holder.found.pairs.extend(pairs);
        self.cut(&sections);
    }

    /// Whether words are the title of a see-also section. A link to one is not, unless it is a
    /// heading: it is an entry of a table of contents.
    fn is_see_also(&mut self, words: Range<u32>, is_heading: bool) -> bool {
        if words.is_empty() || words.len() > see_also::MAX_WORDS {
            return false;
        }
        let is_around = |link: &Anchor| link.first <= words.start && words.end <= link.last;
        if !is_heading && self.anchors.iter().any(is_around) {
            return false;
        }
        let vocabulary = &mut self.block.vocabulary;
        let words = &self.words[words.start as usize..words.end as usize];
        let mut numbers = Vec::new();
        vocabulary.intern_all(words, &mut numbers);
        see_also::is_title(numbers.iter().map(|&number| vocabulary.get(number)))
    }

    /// Takes sections out of the current page: a paragraph ends where one was.
    fn cut(&mut self, sections: &[Section]) {
        self.cut_text(sections);
        let mut position = 0;
        self.words.retain(|_| {
            let is_cut = sections.iter().any(|cut| cut.contains(&position));
            position += 1;
            !is_cut
        });
        self.anchors.retain(|link| !is_inside(link, sections));
        for link in &mut self.anchors {
            link.first = shifted(link.first, sections);
            link.last = shifted(link.last, sections);
        }
        let is_within = |at: u32| sections.iter().any(|cut| cut.start < at && at < cut.end);
        let mut all: Vec<Break> = self.breaks.drain(..).collect();
        all.retain(|at| !is_within(at.position));
        all.extend(sections.iter().map(|cut| Break {
            position: cut.start,
            kinds: breaks::PARAGRAPH,
        }));
        all.sort_by_key(|at| at.position);
        for Break { position, kinds } in all {
            let position = shifted(position, sections);
            match self.breaks.last_mut() {
                Some(last) if last.position == position => {
                    // The rest is behind the last of them.
                    last.kinds = (last.kinds & !breaks::NAVIGATION) | kinds;
                }
                _ => self.breaks.push(Break { position, kinds }),
            }
        }
    }

    /// Takes sections out of the text: a line ends where one was.
    fn cut_text(&mut self, sections: &[Section]) {
        let text = String::from_utf8_lossy(self.text.bytes()).into_owned();
        let starts: Vec<usize> = WordSpans::new(&text).map(|span| span.start).collect();
        let start_of = |word: u32| starts.get(word as usize).copied().unwrap_or(text.len());
        let mut sections = sections.to_vec();
        sections.sort_unstable_by_key(|cut| cut.start);
        let (mut kept, mut end) = (String::with_capacity(text.len()), 0);
        for cut in sections {
            kept.push_str(text.get(end..start_of(cut.start)).unwrap_or_default());
            kept.truncate(kept.trim_end().len());
            kept.push('\n');
            end = end.max(start_of(cut.end));
        }
        kept.push_str(&text[end..]);
        self.text.replace(kept.trim().to_owned());
    }

    fn hold_out_links(&mut self, page: u32, found: &mut HeldOut) {
        let links = std::mem::take(&mut self.anchors);
        let outward: Vec<&Anchor> = links.iter().filter(|link| link.target != page).collect();
        found.pages += u64::from(!outward.is_empty());
        for both in outward.windows(2) {
            let (one, other) = (both[0], both[1]);
            if one.target != other.target && self.are_side_by_side(one, other) {
                let (one, other) = (self.id_of(one.target), self.id_of(other.target));
                found.pairs.extend([(one, other), (other, one)]);
            }
        }
    }

    /// Whether two links stand in one paragraph, cell or list. A list right behind a paragraph
    /// counts as part of it: breaks in one place are one.
    fn are_side_by_side(&self, one: &Anchor, other: &Anchor) -> bool {
        const APART: u8 = breaks::HEADING | breaks::CELL | breaks::LIST_END | breaks::TABLE_END;
        let from = self.breaks.partition_point(|at| at.position < one.last);
        let mut between = self.breaks[from..]
            .iter()
            .take_while(|at| at.position <= other.first);
        !between.any(|at| {
            let is_paragraph = at.kinds & (breaks::PARAGRAPH | breaks::LIST_ITEM);
            at.kinds & APART != 0 || is_paragraph == breaks::PARAGRAPH
        })
    }

    fn id_of(&self, url: u32) -> u64 {
        hash::url_id(self.block.urls.bytes_of(url))
    }
}

/// A link without words is inside only if words of the section stand before and behind it.
fn is_inside(link: &Anchor, sections: &[Section]) -> bool {
    let from = |cut: &Section| cut.start + u32::from(link.first == link.last);
    sections
        .iter()
        .any(|cut| (from(cut)..cut.end).contains(&link.first))
}

/// Where a position is when sections have been taken out.
fn shifted(position: u32, sections: &[Section]) -> u32 {
    let before = |cut: &Section| position.clamp(cut.start, cut.end) - cut.start;
    position - sections.iter().map(before).sum::<u32>()
}

fn is_chosen(url: &str, share: f64, seed: u64) -> bool {
    // The same hash as that of URL ids, but with another seed: it is independent of partitions.
    let drawn = xxh3_64_with_seed(url.as_bytes(), seed.wrapping_add(1)) >> 11;
    (drawn as f64) < share * (1u64 << 53) as f64
}
