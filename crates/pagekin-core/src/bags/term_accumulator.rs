//! A dense accumulator with a bitset of its nonzeros (a sparse accumulator, Gilbert et al. 1992).

use std::collections::HashMap;

use super::raw::RawBags;
use crate::columns::zeros;
use crate::sorting::Bitset;

/// What a bag holds of one term so far. Eight bytes, since each is looked for in another part
/// of the memory than the one before.
#[derive(Debug, Clone, Copy, Default)]
struct TermSum {
    content: u32,
    /// Without what was carried.
    linked: u32,
}

/// The bag under way, term by term.
#[derive(Debug, Default)]
pub(super) struct TermAccumulator {
    sums: Vec<TermSum>,
    /// Nothing where words weigh alike wherever they stand.
    early: Vec<u32>,
    /// What of a term's weight as anchor or link did not fit its sums.
    carried: HashMap<u32, u64>,
    present: Bitset,
}

impl TermAccumulator {
    /// Becomes an empty bag of N possible terms, and keeps its memory.
    pub(super) fn begin(&mut self, terms: usize, has_early: bool) {
        zeros(&mut self.sums, terms);
        zeros(&mut self.early, if has_early { terms } else { 0 });
        self.carried.clear();
        self.present.begin(terms);
    }

    /// A term stands so often on the page.
    #[inline]
    pub(super) fn add_content(&mut self, term: u32, count: u32) {
        self.present.open().add(term);
        self.sums[term as usize].content += count;
    }

    /// A term that is content weighs so much more for its position.
    #[inline]
    pub(super) fn add_early(&mut self, term: u32, weight: u32) {
        self.early[term as usize] += weight;
    }

    /// Terms weigh so much more as anchors or links.
    #[inline(always)]
    pub(super) fn add_linked(&mut self, terms: impl Iterator<Item = (u32, u32)>) {
        let (sums, mut present) = (&mut self.sums[..], self.present.open());
        for (term, weight) in terms {
            present.add(term);
            let linked = &mut sums[term as usize].linked;
            let (sum, passed) = linked.overflowing_add(weight);
            *linked = sum;
            if passed {
                *self.carried.entry(term).or_default() += 1 << 32;
            }
        }
    }

    /// Appends the bag to others and begins anew.
    pub(super) fn finish(&mut self, bags: &mut RawBags) {
        let (terms, sums) = (self.present.drain(), &mut self.sums[..]);
        let start = bags.term.len();
        bags.term.extend_from_slice(terms);
        let content = terms.iter().map(|&term| sums[term as usize].content);
        bags.content.extend(content);
        let take = |&term: &u32| std::mem::take(&mut sums[term as usize]).linked;
        bags.linked.extend(terms.iter().map(take).map(u64::from));
        if !self.carried.is_empty() {
            for (linked, term) in bags.linked[start..].iter_mut().zip(terms) {
                *linked += self.carried.remove(term).unwrap_or(0);
            }
        }
        if !self.early.is_empty() {
            let early = |&term: &u32| std::mem::take(&mut self.early[term as usize]);
            bags.early.extend(terms.iter().map(early));
        }
        bags.ends.push(bags.term.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_weights_may_exceed_32_bits() {
        let (mut sums, mut bags) = (TermAccumulator::default(), RawBags::default());
        sums.begin(9, false);
        sums.add_linked([(7, u32::MAX); 3].into_iter());
        sums.add_content(2, 5);
        sums.finish(&mut bags);
        sums.finish(&mut bags);
        assert_eq!(
            (&bags.term[..], &bags.content[..]),
            (&[2, 7][..], &[5, 0][..])
        );
        assert_eq!(bags.linked, [0, 3 * u64::from(u32::MAX)]);
        assert_eq!(
            (&bags.early[..], bags.ends.as_slice()),
            (&[][..], &[2, 2][..])
        );
    }
}
