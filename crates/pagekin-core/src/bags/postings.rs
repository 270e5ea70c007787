//! From a term to the pages that have it: raw bags, turned over.
//!
//! Each partition packs its postings, cut into ranges of term ids; a range of
//! all partitions is merged at a time. Frequency weights play no part, so that
//! a word can be found however little it weighs.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeListArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::raw::RawBags;
use crate::exchange::{Damage, Pack, Unpack};
use crate::hash::{is_link, partition_of};

/// A range of postings, in order of terms; those of a term by site and page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// Term ids.
    pub terms: Vec<u64>,
    /// Where each term's postings end.
    pub ends: Vec<u64>,
    /// The pages, as places among all ids.
    pub pages: Vec<u32>,
    /// The site of each page; not in the table, which is in their order.
    pub sites: Vec<u32>,
    /// How often the term is in the page's own title and text.
    pub content: Vec<u32>,
    /// Its weight in the windows of links to the page and in its title, in
    /// [`UNIT`](crate::strategy::UNIT)s; what does not fit is cut off.
    pub anchor: Vec<u32>,
}

/// A partition's postings: one packed part for each of `2^bits` ranges of term
/// ids. Pages are their places in the partition; `site_of` tells their sites.
pub fn pack_postings(raw: &RawBags, site_of: &[u32], bits: u32) -> Result<Vec<Vec<u8>>, Damage> {
    if site_of.len() != raw.ends.len() {
        return Err(Damage { at: raw.ends.len() });
    }
    let turned = turned_over(raw, site_of);
    let mut parts = Vec::with_capacity(1 << bits);
    let (mut term, mut start) = (0, 0);
    for range in 0..1 << bits {
        let rest = &turned.terms[term..];
        let term_end = term + rest.partition_point(|&id| partition_of(id, bits) <= range);
        let end = turned.ends[..term_end]
            .last()
            .map_or(0, |&end| end as usize);
        let mut part = Vec::new();
        part.put_u64s(&turned.terms[term..term_end]);
        part.put_u64s(&turned.ends[term..term_end]);
        part.put_small(&turned.pages[start..end]);
        part.put_small(&turned.sites[start..end]);
        part.put_small(&turned.content[start..end]);
        part.put_small(&turned.anchor[start..end]);
        parts.push(part);
        (term, start) = (term_end, end);
    }
    Ok(parts)
}

/// The entries of words by term instead of by page, by counting.
fn turned_over(raw: &RawBags, site_of: &[u32]) -> Postings {
    let words = raw.terms.partition_point(|&term| !is_link(term));
    let mut next = vec![0u64; words + 1];
    for &term in raw.term.iter().filter(|&&term| (term as usize) < words) {
        next[term as usize + 1] += 1;
    }
    for term in 0..words {
        next[term + 1] += next[term];
    }
    let total = next[words] as usize;
    let [mut pages, mut sites, mut content, mut anchor] = [(); 4].map(|()| vec![0; total]);
    let mut start = 0;
    for (page, &end) in raw.ends.iter().enumerate() {
        for entry in start..end as usize {
            let term = raw.term[entry] as usize;
            if term < words {
                let at = next[term] as usize;
                pages[at] = page as u32;
                sites[at] = site_of[page];
                content[at] = raw.content[entry];
                anchor[at] = u32::try_from(raw.linked[entry]).unwrap_or(u32::MAX);
                next[term] += 1;
            }
        }
        start = end as usize;
    }
    next.pop();
    Postings {
        terms: raw.terms[..words].to_vec(),
        ends: next,
        pages,
        sites,
        content,
        anchor,
    }
}

/// Merges one range of all partitions, each given with the place of its first
/// page.
pub fn merge_postings(parts: &[(u32, Vec<u8>)]) -> Result<Postings, Damage> {
    let parts = parts
        .iter()
        .map(|(base, bytes)| Ok((*base, unpack(bytes)?)))
        .collect::<Result<Vec<_>, Damage>>()?;
    let mut lists: Vec<(u64, usize, usize)> = Vec::new();
    for (number, (_, part)) in parts.iter().enumerate() {
        lists.extend(
            part.terms
                .iter()
                .enumerate()
                .map(|(at, &term)| (term, number, at)),
        );
    }
    lists.sort_unstable();
    let mut merged = Postings::default();
    let mut entries = Vec::new();
    for same in lists.chunk_by(|one, other| one.0 == other.0) {
        entries.clear();
        for &(_, number, at) in same {
            let (base, part) = &parts[number];
            part.entries(at, *base, &mut entries)?;
        }
        entries.sort_unstable_by_key(|entry| entry.place);
        merged.append(same[0].0, &entries);
    }
    Ok(merged)
}

fn unpack(bytes: &[u8]) -> Result<Postings, Damage> {
    let from = &mut Unpack::new(bytes);
    Ok(Postings {
        terms: from.u64s()?,
        ends: from.u64s()?,
        pages: from.small()?,
        sites: from.small()?,
        content: from.small()?,
        anchor: from.small()?,
    })
}

/// One page of a term; its place is by site and page.
struct Entry {
    place: u64,
    content: u32,
    anchor: u32,
}

impl Postings {
    /// Appends the entries of a term of a partition's part. Ends count from
    /// the partition's first posting, and those of a part are its last.
    fn entries(&self, at: usize, base: u32, out: &mut Vec<Entry>) -> Result<(), Damage> {
        let last = self.ends.last().copied().unwrap_or(0) as usize;
        let skipped = last.checked_sub(self.pages.len()).ok_or(Damage { at })?;
        let start = if at == 0 {
            skipped
        } else {
            self.ends[at - 1] as usize
        } - skipped;
        for entry in start..self.ends[at] as usize - skipped {
            let page = base + self.pages[entry];
            out.push(Entry {
                place: u64::from(self.sites[entry]) << 32 | u64::from(page),
                content: self.content[entry],
                anchor: self.anchor[entry],
            });
        }
        Ok(())
    }

    fn append(&mut self, term: u64, entries: &[Entry]) {
        if entries.is_empty() {
            return;
        }
        self.terms.push(term);
        self.pages
            .extend(entries.iter().map(|entry| entry.place as u32));
        self.content
            .extend(entries.iter().map(|entry| entry.content));
        self.anchor.extend(entries.iter().map(|entry| entry.anchor));
        self.ends.push(self.pages.len() as u64);
    }
}

/// One row a term.
pub fn posting_batch(postings: Postings) -> Result<RecordBatch, ArrowError> {
    let ends: Vec<i64> = std::iter::once(0)
        .chain(postings.ends.iter().map(|&end| end as i64))
        .collect();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
    let list = |values: Vec<u32>| -> Result<ArrayRef, ArrowError> {
        let field = Arc::new(Field::new("item", DataType::UInt32, false));
        let values = Arc::new(UInt32Array::from(values));
        let list = LargeListArray::try_new(field, offsets.clone(), values, None)?;
        Ok(Arc::new(list))
    };
    let terms: ArrayRef = Arc::new(UInt64Array::from(postings.terms));
    RecordBatch::try_from_iter_with_nullable(vec![
        ("term", terms, false),
        ("pages", list(postings.pages)?, false),
        ("content", list(postings.content)?, false),
        ("anchor", list(postings.anchor)?, false),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: u64 = 1 << 63 | 5;

    fn raw(terms: &[u64], ends: &[u64], term: &[u32], content: &[u32], linked: &[u64]) -> RawBags {
        RawBags {
            urls: (0..ends.len() as u64).collect(),
            terms: terms.to_vec(),
            ends: ends.to_vec(),
            term: term.to_vec(),
            content: content.to_vec(),
            linked: linked.to_vec(),
            ..RawBags::default()
        }
    }

    #[test]
    fn bags_turn_over_whatever_the_ranges() {
        let high = 1 << 62;
        // Page 0: 7 (3, 0), high (0, 5), a link. Page 1: 7 (1, far too much).
        let one = raw(
            &[7, high, LINK],
            &[3, 4],
            &[0, 1, 2, 0],
            &[3, 0, 0, 1],
            &[0, 5, 9, 1 << 40],
        );
        let other = raw(&[7, 9], &[0, 1, 3], &[1, 0, 1], &[2, 4, 6], &[0, 0, 1]);
        for bits in [0, 1, 3] {
            let mut found = Postings::default();
            let one = pack_postings(&one, &[1, 1], bits).expect("sites of all pages");
            let other = pack_postings(&other, &[0, 0, 1], bits).expect("sites of all pages");
            for (one, other) in one.into_iter().zip(other) {
                let part = merge_postings(&[(0, one), (2, other)]).expect("sound");
                let start = found.pages.len() as u64;
                found.terms.extend(part.terms);
                found.ends.extend(part.ends.iter().map(|end| start + end));
                found.pages.extend(part.pages);
                found.content.extend(part.content);
                found.anchor.extend(part.anchor);
            }
            let expected = Postings {
                terms: vec![7, 9, high],
                ends: vec![3, 5, 6],
                pages: vec![0, 1, 4, 3, 4, 0],
                sites: Vec::new(),
                content: vec![3, 1, 4, 2, 6, 0],
                anchor: vec![0, u32::MAX, 0, 0, 1, 5],
            };
            assert_eq!(found, expected, "{bits} bits");
        }
    }

    #[test]
    fn a_page_without_a_site_is_damage() {
        let bags = raw(&[7], &[1], &[0], &[1], &[0]);
        assert!(pack_postings(&bags, &[], 0).is_err());
    }
}
