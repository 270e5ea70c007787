//! How many bags each term is in, told to the partitions that ask.

use super::lexicon::LexiconPart;
use crate::exchange::{Damage, Pack, Parts, Unpack};
use crate::hash::partition_of;

/// A lexicon range's terms and frequencies as packed by [`LexiconPart::pack`].
pub fn unpack_frequencies(packed: &[u8]) -> Result<(Vec<u64>, Vec<u32>), Damage> {
    let mut from = Unpack::new(packed);
    Ok((from.u64s()?, from.u32s()?))
}

/// Appends the frequencies of the wanted terms that fall into this range of
/// the lexicon. `found` holds those of the ranges before it: both are in order.
pub fn look_up(wanted: &[u64], terms: &[u64], frequencies: &[u32], found: &mut Vec<u32>) {
    let mut at = 0;
    while let Some(&term) = wanted.get(found.len()) {
        while terms.get(at).is_some_and(|&known| known < term) {
            at += 1;
        }
        match terms.get(at) {
            Some(&known) if known == term => found.push(frequencies[at]),
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
pub fn frequencies_of(asked: &[u8], range: &LexiconPart) -> Result<Vec<u8>, Damage> {
    let terms = Unpack::new(asked).u64s()?;
    let mut frequencies = Vec::with_capacity(terms.len());
    look_up(&terms, &range.terms, &range.frequencies, &mut frequencies);
    frequencies.resize(terms.len(), 0);
    Ok(LexiconPart {
        terms,
        frequencies,
        ..LexiconPart::default()
    }
    .pack())
}

impl LexiconPart {
    /// The part that [`LexiconPart::pack`] wrote, without its words.
    pub fn unpack(packed: &[u8]) -> Result<Self, Damage> {
        let (terms, frequencies) = unpack_frequencies(packed)?;
        Ok(Self {
            terms,
            frequencies,
            ..Self::default()
        })
    }

    /// Terms and frequencies as bytes, for weighing.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.put_u64s(&self.terms);
        out.put_u32s(&self.frequencies);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_is_told_of_its_own_terms() {
        let far = 1 << 63 | 4;
        let lexicon = |terms: &[u64], frequencies: &[u32]| LexiconPart {
            terms: terms.to_vec(),
            frequencies: frequencies.to_vec(),
            ..LexiconPart::default()
        };
        let asked = pack_terms(&[5, 7, 9, far], 1);
        let asked: Vec<_> = asked.iter().collect();
        let near = frequencies_of(asked[0], &lexicon(&[5, 6, 9], &[2, 8, 1]));
        assert_eq!(near, Ok(lexicon(&[5, 7, 9], &[2, 0, 1]).pack()));
        let last = frequencies_of(asked[1], &lexicon(&[1 << 63], &[3]));
        assert_eq!(last, Ok(lexicon(&[far], &[0]).pack()));
    }
}
