//! An inverted index: from a term to the pages that have it, by transposing raw bags.
//!
//! Each partition cuts its bags into ranges of term ids; the bags of a range of
//! all partitions are transposed together. Frequency weights play no part, so
//! that a word can be found however little it weighs.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;

use super::raw::RawBags;
use crate::columns::{
    check_length, impl_column, list_array, ArrayReader, CodecError, Column, Ends,
};
use crate::hash::{is_link, partition_of};
use crate::sorting::transpose;
use crate::spill::Parts;

/// A range of postings, in order of terms; those of a term by site and page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// Term ids.
    pub terms: Vec<u64>,
    /// Where each term's postings end.
    pub ends: Ends,
    /// The pages, as places among all ids.
    pub pages: Vec<u32>,
    /// How often the term is in the page's own title and text.
    pub content: Vec<u32>,
    /// Its weight in the windows of links to the page and in its title, in
    /// [`UNIT`](crate::strategy::UNIT)s; what does not fit is cut off.
    pub anchor: Vec<u32>,
}

/// What the bags of a partition have in a range of terms, by site and page. Transposing keeps that
/// order, so no list has to be sorted.
#[derive(Debug, Default)]
struct PostingSlice {
    /// The place of its first term among those of the partition.
    first: u32,
    terms: Vec<u64>,
    /// The pages that have any of the terms, as places in the partition.
    pages: Vec<u32>,
    /// Their sites.
    sites: Vec<u32>,
    /// How many of the terms each has.
    counts: Vec<u32>,
    /// Each entry's place among the terms.
    term: Vec<u32>,
    content: Vec<u32>,
    anchor: Vec<u32>,
}

/// A partition's bags: one packed slice for each of `2^bits` ranges of term
/// ids. `site_of` tells the sites of its pages.
pub fn pack_postings(raw: &RawBags, site_of: &[u32], bits: u32) -> Result<Parts, CodecError> {
    check_length("sites of pages", raw.ends.len(), site_of.len())?;
    let words = raw.terms.partition_point(|&term| !is_link(term));
    let mut slices: Vec<PostingSlice> = (0..1 << bits)
        .map(|range| PostingSlice::new(&raw.terms[..words], range, bits))
        .collect();
    let mut pages: Vec<u32> = (0..site_of.len() as u32).collect();
    pages.sort_by_key(|&page| site_of[page as usize]);
    for page in pages {
        let mut rest = raw.entries(page as usize);
        // Terms ascend, so that a page's entries of a range lie together.
        while !rest.is_empty() && (raw.term[rest.start] as usize) < words {
            let term = raw.terms[raw.term[rest.start] as usize];
            let slice = &mut slices[partition_of(term, bits)];
            rest.start = slice.push((page, site_of[page as usize]), raw, rest.clone());
        }
    }
    let mut parts = Parts::with_capacity(slices.iter().map(PostingSlice::likely_bytes).sum());
    for slice in slices {
        parts.put(|part| slice.write(part));
    }
    Ok(parts)
}

impl PostingSlice {
    /// Nothing yet of a range of these terms, which are all of the partition.
    fn new(terms: &[u64], range: usize, bits: u32) -> Self {
        let first = terms.partition_point(|&term| partition_of(term, bits) < range);
        let end = terms.partition_point(|&term| partition_of(term, bits) <= range);
        Self {
            first: first as u32,
            terms: terms[first..end].to_vec(),
            ..Self::default()
        }
    }

    /// Appends those of the next entries of a page (its place and its site)
    /// that are of this range; returns where they end.
    fn push(&mut self, page: (u32, u32), raw: &RawBags, next: Range<usize>) -> usize {
        let end = self.first + self.terms.len() as u32;
        let terms = raw.term[next.clone()].iter();
        let start = self.term.len();
        let these = terms.take_while(|&&term| term < end);
        self.term.extend(these.map(|&term| term - self.first));
        let entries = next.start..next.start + self.term.len() - start;
        self.pages.push(page.0);
        self.sites.push(page.1);
        self.counts.push(entries.len() as u32);
        self.content
            .extend_from_slice(&raw.content[entries.clone()]);
        let cut = |&weight: &u64| u32::try_from(weight).unwrap_or(u32::MAX);
        self.anchor
            .extend(raw.linked[entries.clone()].iter().map(cut));
        entries.end
    }

    /// About how many bytes it takes.
    fn likely_bytes(&self) -> usize {
        8 * self.terms.len() + 6 * (self.pages.len() + self.term.len()) + 128
    }

    /// The slice that was written: every entry has a page and a term.
    fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let (mut slice, mut from) = (Self::default(), ArrayReader::new(bytes));
        slice.read(&mut from)?;
        from.finish()?;
        for pages in [slice.sites.len(), slice.counts.len()] {
            check_length("pages of postings", slice.pages.len(), pages)?;
        }
        let entries: usize = slice.counts.iter().map(|&count| count as usize).sum();
        for found in [slice.term.len(), slice.content.len(), slice.anchor.len()] {
            check_length("postings", entries, found)?;
        }
        let terms = slice.terms.len() as u64;
        match slice.term.iter().max() {
            Some(&last) if u64::from(last) >= terms => {
                Err(CodecError::outside("terms of postings", terms, last.into()))
            }
            _ => Ok(slice),
        }
    }
}

impl_column!(PostingSlice {
    terms,
    pages,
    sites,
    counts,
    term,
    content,
    anchor
});

/// Transposes one range of all partitions, each given with the place of its
/// first page.
pub fn merge_postings(parts: &[(u32, impl AsRef<[u8]>)]) -> Result<Postings, CodecError> {
    let mut slices = parts
        .iter()
        .map(|(_, bytes)| PostingSlice::from_bytes(bytes.as_ref()))
        .collect::<Result<Vec<_>, CodecError>>()?;
    let terms = number_terms_alike(&mut slices);
    let pages = by_site(&slices, parts.iter().map(|part| part.0));
    let entries = pages.iter().flat_map(|page| page.entries(&slices));
    let (postings, ends) = transpose::<_, u64>(terms.len(), entries).into_parts();
    drop(slices);
    let (terms, ends) = used_terms(terms, ends);
    let column = |number: usize| postings.iter().map(|posting| posting[number]).collect();
    Ok(Postings {
        terms,
        ends,
        pages: column(0),
        content: column(1),
        anchor: column(2),
    })
}

/// The terms of all slices in order. Entries have the places of their terms there from now on.
fn number_terms_alike(slices: &mut [PostingSlice]) -> Vec<u64> {
    let mut all: Vec<(u64, u32, u32)> = Vec::new();
    for (number, slice) in (0..).zip(slices.iter()) {
        let places = (0..).zip(&slice.terms);
        all.extend(places.map(|(at, &term)| (term, number, at)));
    }
    // Each slice is in order already, which a stable sort makes use of.
    all.sort_by_key(|each| each.0);
    let mut places: Vec<Vec<u32>> = slices
        .iter()
        .map(|slice| vec![0; slice.terms.len()])
        .collect();
    let mut terms = Vec::new();
    for (term, number, at) in all {
        if terms.last() != Some(&term) {
            terms.push(term);
        }
        places[number as usize][at as usize] = terms.len() as u32 - 1;
    }
    for (slice, places) in slices.iter_mut().zip(places) {
        for term in &mut slice.term {
            *term = places[*term as usize];
        }
    }
    terms
}

/// A page's entries in a slice; its place is by site and page.
struct PageEntries {
    place: u64,
    slice: u32,
    start: u32,
    count: u32,
}

impl PageEntries {
    /// The term of each entry, and its page, content and anchor. The three lie together, since each
    /// is written to another part of the memory than the one before.
    fn entries<'a>(
        &self,
        slices: &'a [PostingSlice],
    ) -> impl Iterator<Item = (usize, [u32; 3])> + Clone + 'a {
        let (slice, page) = (&slices[self.slice as usize], self.place as u32);
        let entries = self.start as usize..(self.start + self.count) as usize;
        let content = slice.content[entries.clone()].iter();
        let weights = content.zip(&slice.anchor[entries.clone()]);
        let entries = slice.term[entries].iter().zip(weights);
        entries.map(move |(&term, (&content, &anchor))| (term as usize, [page, content, anchor]))
    }
}

/// The pages of all slices by site; `firsts` are the numbers of the partitions' first pages.
fn by_site(slices: &[PostingSlice], firsts: impl Iterator<Item = u32>) -> Vec<PageEntries> {
    let mut all = Vec::with_capacity(slices.iter().map(|slice| slice.pages.len()).sum());
    for ((number, slice), first) in (0..).zip(slices).zip(firsts) {
        let mut start = 0;
        for ((&page, &site), &count) in slice.pages.iter().zip(&slice.sites).zip(&slice.counts) {
            all.push(PageEntries {
                place: u64::from(site) << 32 | u64::from(first + page),
                slice: number,
                start,
                count,
            });
            start += count;
        }
    }
    all.sort_by_key(|entry| entry.place);
    all
}

/// The terms that have entries, and where these end.
fn used_terms(terms: Vec<u64>, ends: Ends) -> (Vec<u64>, Ends) {
    let mut used = (Vec::new(), Ends::default());
    for (term, entries) in terms.into_iter().zip(ends.ranges()) {
        if !entries.is_empty() {
            used.0.push(term);
            used.1.push(entries.end);
        }
    }
    used
}

/// One row a term.
pub fn posting_batch(postings: Postings) -> Result<RecordBatch, ArrowError> {
    let offsets = postings.ends.offsets();
    let list = |values: Vec<u32>| list_array(&offsets, UInt32Array::from(values));
    let terms: ArrayRef = Arc::new(UInt64Array::from(postings.terms));
    RecordBatch::try_from_iter_with_nullable(vec![
        ("term", terms, false),
        ("pages", list(postings.pages)?, false),
        ("content", list(postings.content)?, false),
        ("anchor", list(postings.anchor)?, false),
    ])
}

#[cfg(test)]
mod tests;
