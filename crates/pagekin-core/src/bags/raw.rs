//! Raw bags: several counts a term, before they are weighed; and the same as bytes.
//!
//! Places of terms are delta-coded, as postings are (Witten, Moffat and Bell 1999).

use std::ops::Range;

use crate::columns::{
    check_length, clear_for, zeros, ArrayReader, ArrayWriter, CodecError, Column, Ends, Ragged,
};
use crate::strategy::UNIT;

/// The raw bags of one partition, in order of URL ids. The entries of a bag are
/// in order of terms: how often the term is content, its weight as content by
/// position if the strategy has a lead, and its weight as anchor or link, both in
/// [`UNIT`]s.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawBags {
    pub(crate) urls: Vec<u64>,
    /// The distinct terms, in order.
    pub(crate) terms: Vec<u64>,
    /// Where each bag ends among the entries.
    pub(crate) ends: Ends,
    /// Each entry's place among the terms.
    pub(crate) term: Vec<u32>,
    pub(crate) content: Vec<u32>,
    /// Empty if the position of a word does not change its weight.
    pub(crate) early: Vec<u32>,
    pub(crate) linked: Vec<u64>,
    /// The ids of the pages that each bag's page links to, in the order of its links; no rows if the
    /// strategy does not use them.
    pub(crate) cited: Ragged<u64>,
}

impl RawBags {
    /// Starts again, with memory for about N entries; memory that is not needed is never touched.
    pub(super) fn begin(&mut self, entries: usize, has_early: bool) {
        self.urls.clear();
        self.terms.clear();
        self.ends.clear();
        clear_for(&mut self.term, entries);
        clear_for(&mut self.content, entries);
        clear_for(&mut self.early, if has_early { entries } else { 0 });
        clear_for(&mut self.linked, entries);
        self.cited.clear();
    }

    /// The entries of a bag.
    pub(crate) fn entries(&self, bag: usize) -> Range<usize> {
        self.ends.range(bag)
    }

    /// The weights of entries as content, and their unit.
    #[inline]
    pub(crate) fn own(&self, entries: Range<usize>) -> (&[u32], f64) {
        match self.early.is_empty() {
            true => (&self.content[entries], 1.0),
            false => (&self.early[entries], 1.0 / UNIT as f64),
        }
    }

    /// Whether entries have words of the page itself: it was crawled.
    pub(crate) fn has_content(&self, entries: &Range<usize>) -> bool {
        self.content[entries.clone()].iter().any(|&count| count > 0)
    }

    /// The first pages that a bag's page links to.
    pub(crate) fn cited_by(&self, bag: usize) -> &[u64] {
        if self.cited.is_empty() {
            return &[];
        }
        self.cited.row(bag)
    }

    /// Appends the bags as bytes. Most numbers are small and take two bytes; places of terms are
    /// written as steps from entry to entry, and content where a bag has any.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.reserve(self.term.len() * 5 + self.terms.len() * 8);
        out.put_u64s(&self.urls);
        out.put_u64s(&self.terms);
        out.put_u32s_of(self.term.len(), self.steps());
        self.ends.write(out);
        let (owners, content) = self.content_by_bag();
        out.put_u32s(&owners);
        out.put_u32s(&content);
        out.put_u32s_of(self.linked.len(), |first, some| {
            for (low, &weight) in some.iter_mut().zip(&self.linked[first..]) {
                *low = weight as u32;
            }
        });
        let weights = self.linked.iter().enumerate();
        let (places, weights): (Vec<u64>, Vec<u64>) = weights
            .filter(|(_, &weight)| weight >> 32 != 0)
            .map(|(place, &weight)| (place as u64, weight))
            .unzip();
        out.put_u64s(&places);
        out.put_u64s(&weights);
        out.put_u32s(&self.early);
        self.cited.write(out);
    }

    /// How far each entry's term is from the one before, and the first of a bag from 0.
    fn steps(&self) -> impl FnMut(usize, &mut [u32]) + '_ {
        let mut starts = self.ends.ranges().map(|range| range.end).peekable();
        move |first, some| {
            let terms = &self.term[first..first + some.len()];
            for (step, pair) in some[1..].iter_mut().zip(terms.windows(2)) {
                *step = pair[1].wrapping_sub(pair[0]);
            }
            let last = first.checked_sub(1).map_or(0, |last| self.term[last]);
            some[0] = terms[0].wrapping_sub(last);
            while let Some(start) = starts.next_if(|&start| start < first + some.len()) {
                some[start - first] = self.term[start];
            }
        }
    }

    /// The bags that have content, and the content of their entries: most pages that are linked
    /// to were not crawled.
    fn content_by_bag(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut owners, mut all) = (Vec::new(), Vec::new());
        for (bag, entries) in self.ends.ranges().enumerate() {
            let content = &self.content[entries];
            // No early exit, so that the compiler can compare several at once.
            if content.iter().fold(0, |all, count| all | count) > 0 {
                owners.push(bag as u32);
                all.extend_from_slice(content);
            }
        }
        (owners, all)
    }

    /// Becomes the bags that were written, and keeps its memory.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), CodecError> {
        let from = &mut ArrayReader::new(bytes);
        self.urls.read(from)?;
        self.terms.read(from)?;
        self.term.read(from)?;
        self.ends.read(from, self.term.len())?;
        self.add_up_steps();
        self.spread_content(&from.u32s()?, &from.u32s()?)?;
        // The low halves of the weights are u32 as well, and borrow the memory of another column.
        self.early.read(from)?;
        clear_for(&mut self.linked, self.early.len());
        self.linked
            .extend(self.early.iter().copied().map(u64::from));
        for (place, weight) in from.u64s()?.into_iter().zip(from.u64s()?) {
            let entries = self.linked.len() as u64;
            let linked = self.linked.get_mut(place as usize);
            *linked.ok_or(CodecError::outside("heavy links", entries, place))? = weight;
        }
        self.early.read(from)?;
        self.cited.read(from)?;
        from.finish()?;
        self.check_lengths()
    }

    /// Checks that columns have as many items as there are bags and entries.
    fn check_lengths(&self) -> Result<(), CodecError> {
        let (bags, entries) = (self.ends.len(), self.term.len());
        check_length("bags", bags, self.urls.len())?;
        check_length("weights of links", entries, self.linked.len())?;
        if !self.early.is_empty() {
            check_length("weights by position", entries, self.early.len())?;
        }
        if !self.cited.is_empty() {
            check_length("citing pages", bags, self.cited.len())?;
        }
        Ok(())
    }

    /// Turns the steps of each bag into places of terms.
    fn add_up_steps(&mut self) {
        for entries in self.ends.ranges() {
            let mut last = 0u32;
            for step in &mut self.term[entries] {
                last = last.wrapping_add(*step);
                *step = last;
            }
        }
    }

    /// Lays out the content of bags that have any.
    fn spread_content(&mut self, owners: &[u32], mut content: &[u32]) -> Result<(), CodecError> {
        zeros(&mut self.content, self.term.len());
        for &bag in owners {
            let bags = self.ends.len();
            if bag as usize >= bags {
                return Err(CodecError::outside("bags", bags as u64, bag.into()));
            }
            let entries = self.ends.range(bag as usize);
            let first = content.split_off(..entries.len());
            let first = first.ok_or(CodecError::outside(
                "content",
                entries.len() as u64,
                content.len() as u64,
            ))?;
            self.content[entries].copy_from_slice(first);
        }
        check_length("content of no bag", 0, content.len())
    }

    /// The bags of these URLs (sorted ids), and the terms that they have.
    pub fn only(&self, chosen: &[u64]) -> Self {
        let is_chosen = |&bag: &usize| chosen.binary_search(&self.urls[bag]).is_ok();
        let bags: Vec<usize> = (0..self.urls.len()).filter(is_chosen).collect();
        let entries = bags.iter().map(|&bag| self.entries(bag).len()).sum();
        let early = if self.early.is_empty() { 0 } else { entries };
        let mut out = Self {
            term: Vec::with_capacity(entries),
            content: Vec::with_capacity(entries),
            early: Vec::with_capacity(early),
            linked: Vec::with_capacity(entries),
            ..Self::default()
        };
        let mut used = vec![false; self.terms.len()];
        for bag in bags {
            let entries = self.entries(bag);
            for &term in &self.term[entries.clone()] {
                used[term as usize] = true;
            }
            out.term.extend_from_slice(&self.term[entries.clone()]);
            out.content
                .extend_from_slice(&self.content[entries.clone()]);
            if !self.early.is_empty() {
                out.early.extend_from_slice(&self.early[entries.clone()]);
            }
            out.linked.extend_from_slice(&self.linked[entries]);
            if !self.cited.is_empty() {
                out.cited.push(self.cited.row(bag).iter().copied());
            }
            out.urls.push(self.urls[bag]);
            out.ends.push(out.term.len());
        }
        out.keep_terms(&self.terms, &used);
        out
    }

    /// Numbers the terms that are used anew.
    fn keep_terms(&mut self, terms: &[u64], used: &[bool]) {
        let mut places = vec![0; terms.len()];
        for (place, &term) in terms.iter().enumerate().filter(|(place, _)| used[*place]) {
            places[place] = self.terms.len() as u32;
            self.terms.push(term);
        }
        for term in &mut self.term {
            *term = places[*term as usize];
        }
    }

    /// The distinct terms, in order.
    pub fn terms(&self) -> &[u64] {
        &self.terms
    }
}

#[cfg(test)]
mod tests;
