//! Document frequencies: how many bags each term is in, for the partitions that have it.

use super::LexiconRange;
use crate::columns::{check_length, ArrayReader, ArrayWriter, CodecError};
use crate::hash::partition_of;
use crate::spill::Parts;

/// Appends the frequencies of the queried terms that fall into this range of
/// the lexicon. `found` holds those of the ranges before it: both are in order.
pub fn look_up(queried: &[u64], range: &LexiconRange, found: &mut Vec<u32>) {
    let terms = &range.terms;
    let mut at = 0;
    while let Some(&term) = queried.get(found.len()) {
        while terms.get(at).is_some_and(|&known| known < term) {
            at += 1;
        }
        match terms.get(at) {
            Some(&known) if known == term => found.push(range.frequencies[at]),
            // No bag has it: its only page was replaced.
            Some(_) => found.push(0),
            None => return,
        }
    }
}

/// The terms whose frequencies a partition needs: one packed part for each of
/// `2^bits` ranges of term ids.
pub fn pack_terms(terms: &[u64], bits: u32) -> Parts {
    let mut parts = Parts::with_capacity((terms.len() + (1 << bits)) * 8);
    let mut rest = terms;
    for range in 0..1 << bits {
        let end = rest.partition_point(|&id| partition_of(id, bits) <= range);
        let (here, later) = rest.split_at(end);
        rest = later;
        parts.put(|part| part.put_u64s(here));
    }
    parts
}

/// A lexicon range cut down to the terms of one part of [`pack_terms`].
pub fn frequencies_of(packed: &[u8], range: &LexiconRange) -> Result<LexiconRange, CodecError> {
    let terms = ArrayReader::new(packed).u64s()?;
    let mut frequencies = Vec::with_capacity(terms.len());
    look_up(&terms, range, &mut frequencies);
    frequencies.resize(terms.len(), 0);
    Ok(LexiconRange {
        terms,
        frequencies,
        ..LexiconRange::default()
    })
}

impl LexiconRange {
    /// The range that [`LexiconRange::write`] wrote, without its words.
    pub fn read(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut from = ArrayReader::new(bytes);
        let (terms, frequencies) = (from.u64s()?, from.u32s()?);
        check_length("document frequencies", terms.len(), frequencies.len())?;
        Ok(Self {
            terms,
            frequencies,
            ..Self::default()
        })
    }

    /// Appends terms and frequencies as bytes, for weighing.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.put_u64s(&self.terms);
        out.put_u32s(&self.frequencies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partition_gets_the_frequencies_of_its_own_terms() {
        let far = 1 << 63 | 4;
        let lexicon = |terms: &[u64], frequencies: &[u32]| LexiconRange {
            terms: terms.to_vec(),
            frequencies: frequencies.to_vec(),
            ..LexiconRange::default()
        };
        let parts = pack_terms(&[5, 7, 9, far], 1);
        let frames = parts.frames();
        let wanted: Vec<_> = frames.iter().collect();
        let near = frequencies_of(wanted[0], &lexicon(&[5, 6, 9], &[2, 8, 1]));
        assert_eq!(near, Ok(lexicon(&[5, 7, 9], &[2, 0, 1])));
        let last = frequencies_of(wanted[1], &lexicon(&[1 << 63], &[3]));
        assert_eq!(last, Ok(lexicon(&[far], &[0])));
        let mut bytes = Vec::new();
        lexicon(&[5, 9], &[2, 1]).write(&mut bytes);
        assert_eq!(LexiconRange::read(&bytes), Ok(lexicon(&[5, 9], &[2, 1])));
    }
}
