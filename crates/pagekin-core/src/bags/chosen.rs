//! Some bags out of many, with the document frequencies of all.

use super::lexicon::pack_counts;
use super::merge::Merged;
use super::raw::RawBags;
use crate::exchange::Parts;

impl RawBags {
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
            if !self.cited_ends.is_empty() {
                out.cited.extend_from_slice(self.cited_by(bag));
                out.cited_ends.push(out.cited.len() as u64);
            }
            out.urls.push(self.urls[bag]);
            out.ends.push(out.term.len() as u64);
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
}

/// The document frequencies of the partition's terms, without their words: one
/// packed part for each of `2^bits` ranges, as the lexicon merges them.
pub fn pack_frequencies(merged: &Merged, bits: u32) -> Parts {
    pack_counts(merged, &[], bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_bags_keep_their_terms() {
        let raw = RawBags {
            urls: vec![1, 2, 5],
            terms: vec![7, 9, 11],
            ends: vec![2, 3, 5],
            term: vec![0, 1, 0, 1, 2],
            content: vec![3, 0, 4, 5, 6],
            early: vec![9, 0, 8, 7, 6],
            linked: vec![0, 5, 1, 2, 3],
            cited_ends: vec![1, 1, 3],
            cited: vec![2, 1, 9],
        };
        let chosen = raw.only(&[0, 5, 9]);
        assert_eq!((chosen.urls, chosen.ends), (vec![5], vec![2]));
        assert_eq!((chosen.terms, chosen.term), (vec![9, 11], vec![0, 1]));
        assert_eq!((chosen.content, chosen.early), (vec![5, 6], vec![7, 6]));
        assert_eq!(chosen.linked, [2, 3]);
        assert_eq!((chosen.cited_ends, chosen.cited), (vec![2], vec![1, 9]));
        assert_eq!(raw.only(&[1, 2, 5]), raw);
    }
}
