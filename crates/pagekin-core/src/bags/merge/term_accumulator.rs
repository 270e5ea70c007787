//! A dense accumulator with a bitset of its nonzeros (a sparse accumulator, Gilbert et al. 1992).

use crate::bags::raw::RawBags;
use crate::columns::zeros;
use crate::sorting::Bitset;

/// The sums of one term in the current bag.
#[derive(Debug, Clone, Copy, Default)]
struct TermSum {
    content: u32,
    early: u32,
    linked: u64,
}

/// The current bag, term by term.
#[derive(Debug, Default)]
pub(in crate::bags) struct TermAccumulator {
    sums: Vec<TermSum>,
    /// Whether words weigh more where a page begins.
    has_early: bool,
    present: Bitset,
}

impl TermAccumulator {
    /// Becomes an empty bag of N possible terms, and keeps its memory.
    pub(in crate::bags) fn begin(&mut self, terms: usize, has_early: bool) {
        zeros(&mut self.sums, terms);
        self.has_early = has_early;
        self.present.begin(terms);
    }

    /// Counts N occurrences of a term on the page.
    #[inline]
    pub(in crate::bags) fn add_content(&mut self, term: u32, count: u32) {
        self.present.open().add(term);
        self.sums[term as usize].content += count;
    }

    /// Adds to the weight of a term as content, by its position.
    #[inline]
    pub(in crate::bags) fn add_early(&mut self, term: u32, weight: u32) {
        self.sums[term as usize].early += weight;
    }

    /// Adds to the weight of terms as anchors or links.
    #[inline(always)]
    pub(in crate::bags) fn add_linked(&mut self, terms: impl Iterator<Item = (u32, u32)>) {
        let (sums, mut present) = (&mut self.sums[..], self.present.open());
        for (term, weight) in terms {
            present.add(term);
            sums[term as usize].linked += u64::from(weight);
        }
    }

    /// Appends the bag to others and starts a new one.
    pub(in crate::bags) fn finish(&mut self, bags: &mut RawBags) {
        let terms = self.present.drain();
        bags.term.extend_from_slice(terms);
        for &term in terms {
            let sum = std::mem::take(&mut self.sums[term as usize]);
            bags.content.push(sum.content);
            bags.linked.push(sum.linked);
            if self.has_early {
                bags.early.push(sum.early);
            }
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
