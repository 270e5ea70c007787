//! Merged bags before they are weighed, and the same as bytes.

use std::ops::Range;

use crate::exchange::{Damage, Pack, Unpack};
use crate::memory::{clear_for, zeros};
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
    pub(crate) ends: Vec<u64>,
    /// Each entry's place among the terms.
    pub(crate) term: Vec<u32>,
    pub(crate) content: Vec<u32>,
    /// Nothing where words weigh alike wherever they stand.
    pub(crate) early: Vec<u32>,
    pub(crate) linked: Vec<u64>,
    /// Where the pages that each bag's page links to end; nothing where they are no evidence.
    pub(crate) cited_ends: Vec<u64>,
    /// Their ids, in the order of the page's links.
    pub(crate) cited: Vec<u64>,
}

impl RawBags {
    /// Begins anew, with room for about so many entries; what is not needed of it is never touched.
    pub(super) fn begin(&mut self, entries: usize, has_early: bool) {
        self.urls.clear();
        self.terms.clear();
        self.ends.clear();
        clear_for(&mut self.term, entries);
        clear_for(&mut self.content, entries);
        clear_for(&mut self.early, if has_early { entries } else { 0 });
        clear_for(&mut self.linked, entries);
        self.cited_ends.clear();
        self.cited.clear();
    }

    /// The entries of a bag.
    pub(crate) fn entries(&self, bag: usize) -> Range<usize> {
        let start = if bag == 0 { 0 } else { self.ends[bag - 1] };
        start as usize..self.ends[bag] as usize
    }

    /// What entries weigh as content, and in which unit.
    #[inline]
    pub(crate) fn own(&self, entries: Range<usize>) -> (&[u32], f64) {
        match self.early.is_empty() {
            true => (&self.content[entries], 1.0),
            false => (&self.early[entries], 1.0 / UNIT as f64),
        }
    }

    /// The first pages that a bag's page links to.
    pub(crate) fn cited_by(&self, bag: usize) -> &[u64] {
        let Some(&end) = self.cited_ends.get(bag) else {
            return &[];
        };
        let start = if bag == 0 {
            0
        } else {
            self.cited_ends[bag - 1]
        };
        &self.cited[start as usize..end as usize]
    }

    /// The bags as bytes. Most numbers are small and are written so; places of terms are
    /// written as steps from entry to entry, and content where a bag has any.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.term.len() * 5 + self.terms.len() * 8);
        out.put_u64s(&self.urls);
        out.put_u64s(&self.terms);
        out.put_u64s(&self.ends);
        out.put_small_of(self.term.len(), self.steps());
        let (owners, content) = self.content_by_bag();
        out.put_u32s(&owners);
        out.put_small(&content);
        out.put_small_of(self.linked.len(), |first, some| {
            for (low, &weight) in some.iter_mut().zip(&self.linked[first..]) {
                *low = weight as u32;
            }
        });
        let high = self
            .linked
            .iter()
            .enumerate()
            .filter(|(_, &weight)| weight >> 32 != 0);
        let (places, weights): (Vec<u64>, Vec<u64>) =
            high.map(|(place, &weight)| (place as u64, weight)).unzip();
        out.put_u64s(&places);
        out.put_u64s(&weights);
        out.put_small(&self.early);
        out.put_u64s(&self.cited_ends);
        out.put_u64s(&self.cited);
        out
    }

    /// How far each entry's term is from the one before, and the first of a bag from 0.
    fn steps(&self) -> impl FnMut(usize, &mut [u32]) + '_ {
        let mut starts = self.ends.iter().map(|&end| end as usize).peekable();
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
        for bag in 0..self.ends.len() {
            let content = &self.content[self.entries(bag)];
            // All are looked at, many at once.
            if content.iter().fold(0, |all, count| all | count) > 0 {
                owners.push(bag as u32);
                all.extend_from_slice(content);
            }
        }
        (owners, all)
    }

    /// The bags that [`RawBags::pack`] wrote.
    pub fn unpack(bytes: &[u8]) -> Result<Self, Damage> {
        let mut bags = Self::default();
        bags.refill(bytes).map(|()| bags)
    }

    /// Becomes the bags that [`RawBags::pack`] wrote, and keeps its memory.
    pub fn refill(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let from = &mut Unpack::new(bytes);
        from.u64s_to(&mut self.urls)?;
        from.u64s_to(&mut self.terms)?;
        from.u64s_to(&mut self.ends)?;
        from.small_to(&mut self.term)?;
        self.add_up_steps()?;
        self.spread_content(&from.u32s()?, &from.small()?)?;
        // The weights are small numbers as well; their place is lent.
        from.small_to(&mut self.early)?;
        clear_for(&mut self.linked, self.early.len());
        self.linked
            .extend(self.early.iter().copied().map(u64::from));
        for (place, weight) in from.u64s()?.into_iter().zip(from.u64s()?) {
            *self
                .linked
                .get_mut(place as usize)
                .ok_or(Damage { at: 0 })? = weight;
        }
        from.small_to(&mut self.early)?;
        from.u64s_to(&mut self.cited_ends)?;
        from.u64s_to(&mut self.cited)?;
        self.fits().then_some(()).ok_or(Damage { at: bytes.len() })
    }

    /// Whether the columns have as many items as there are bags, entries and pages linked to.
    fn fits(&self) -> bool {
        let (bags, entries) = (self.ends.len(), self.term.len());
        self.urls.len() == bags
            && self.linked.len() == entries
            && (self.early.is_empty() || self.early.len() == entries)
            && (self.cited_ends.is_empty() || self.cited_ends.len() == bags)
            && self.cited_ends.is_sorted()
            && self.cited_ends.last().copied().unwrap_or(0) == self.cited.len() as u64
    }

    /// Turns the steps of each bag into places of terms.
    fn add_up_steps(&mut self) -> Result<(), Damage> {
        let mut rest = &mut self.term[..];
        let mut start = 0;
        for &end in &self.ends {
            let length = end.checked_sub(start).ok_or(Damage { at: 0 })?;
            let bag = rest.split_off_mut(..length as usize);
            let mut last = 0u32;
            for step in bag.ok_or(Damage { at: 0 })? {
                last = last.wrapping_add(*step);
                *step = last;
            }
            start = end;
        }
        rest.is_empty().then_some(()).ok_or(Damage { at: 0 })
    }

    /// Lays out the content of bags that have any.
    fn spread_content(&mut self, owners: &[u32], mut content: &[u32]) -> Result<(), Damage> {
        zeros(&mut self.content, self.term.len());
        for &bag in owners {
            let end = self.ends.get(bag as usize).ok_or(Damage { at: 0 })?;
            let start = bag
                .checked_sub(1)
                .map_or(0, |last| self.ends[last as usize]);
            let own = self.content.get_mut(start as usize..*end as usize);
            let own = own.ok_or(Damage { at: 0 })?;
            let (here, rest) = content
                .split_at_checked(own.len())
                .ok_or(Damage { at: 0 })?;
            own.copy_from_slice(here);
            content = rest;
        }
        content.is_empty().then_some(()).ok_or(Damage { at: 0 })
    }

    /// The distinct terms, in order.
    pub fn terms(&self) -> &[u64] {
        &self.terms
    }
}

#[cfg(test)]
mod tests;
