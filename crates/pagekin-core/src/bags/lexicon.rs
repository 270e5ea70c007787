//! The lexicon: every term with the word to show for it and the number of bags
//! it is in.
//!
//! Each partition packs what it knows of its terms, cut into ranges of term
//! ids; a range of all partitions is merged at a time.

mod by_model;
mod frequencies;

use super::merge::accumulate::STOP;
use super::merge::MergedPartition;
use crate::columns::{
    check_length, impl_column, ArrayReader, ArrayWriter, CodecError, Column, StringColumn,
};
use crate::hash::partition_of;
use crate::sorting::{sort_by_hash, transpose};
use crate::spill::Parts;
pub use frequencies::{frequencies_of, look_up, pack_terms};

/// Link terms have no word; the page they stand for is found by its id.
const NO_WORD: &[u8] = b"";
/// Estimated bytes of a term, and of a form with its word.
const BYTES_A_TERM: usize = 12;
const BYTES_A_FORM: usize = 40;

/// A range of the lexicon, in order of term ids.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LexiconRange {
    /// Term ids.
    pub terms: Vec<u64>,
    /// In how many bags each is.
    pub frequencies: Vec<u32>,
    /// Its most common unstemmed form.
    pub(crate) words: StringColumn,
}

/// What the partition knows of its terms: one packed part for each of
/// `2^bits` ranges of term ids.
pub fn pack_term_counts(merged: &MergedPartition, bits: u32) -> Parts {
    pack_counts(merged, &forms(merged), bits)
}

/// The document frequencies of the partition's terms, without their words: one
/// packed part for each of `2^bits` ranges, as the lexicon merges them.
pub fn pack_frequencies(merged: &MergedPartition, bits: u32) -> Parts {
    pack_counts(merged, &[], bits)
}

/// The frequencies of the partition's terms, with these forms of them.
fn pack_counts(merged: &MergedPartition, forms: &[WordForm<'_>], bits: u32) -> Parts {
    let terms = &merged.bags.raw.terms;
    let mut parts = Parts::with_capacity(terms.len() * BYTES_A_TERM + forms.len() * BYTES_A_FORM);
    let (mut term, mut form) = (0, 0);
    for range in 0..1 << bits {
        let term_end = term + terms[term..].partition_point(|&id| partition_of(id, bits) <= range);
        let form_end =
            form + forms[form..].partition_point(|form| partition_of(form.term, bits) <= range);
        parts.put(|part| {
            part.put_u64s(&terms[term..term_end]);
            part.put_u32s(&merged.bags.frequencies[term..term_end]);
            pack_forms(&forms[form..form_end], part);
        });
        (term, form) = (term_end, form_end);
    }
    parts
}

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
/// A word that stands for a term, and how often it stands on pages.
struct WordForm<'a> {
    term: u64,
    word: &'a [u8],
    count: u64,
}

/// The forms of the partition's terms in order. The words of a term are laid together by its
/// place, which is known, so that only they have to be sorted.
fn forms(merged: &MergedPartition) -> Vec<WordForm<'_>> {
    let terms = merged.bags.raw.terms.len();
    let (mut forms, _) = transpose::<_, u32>(terms, counted_words(merged)).into_parts();
    forms
        .chunk_by_mut(|one, other| one.term == other.term)
        .filter(|same| same.len() > 1)
        .for_each(<[_]>::sort_unstable);
    add_up(&mut forms);
    forms
}

/// The words of the blocks that stand on crawled pages, with the places of their terms.
fn counted_words(merged: &MergedPartition) -> impl Iterator<Item = (usize, WordForm<'_>)> + Clone {
    let blocks = merged.blocks.iter().zip(&merged.maps);
    let blocks = blocks.zip(&merged.bags.word_counts);
    blocks.flat_map(|((block, map), counts)| {
        let words = counts.iter().zip(map).enumerate();
        let counted = words.filter(|(_, (&count, &place))| count > 0 && place != STOP);
        counted.map(|(word, (&count, &place))| {
            let form = WordForm {
                term: block.terms[word],
                word: block.words.bytes_of(word),
                count: u64::from(count),
            };
            (place as usize, form)
        })
    })
}

/// Adds up the counts of equal forms, which are in order.
fn add_up(forms: &mut Vec<WordForm<'_>>) {
    forms.dedup_by(|later, kept| {
        let same = later.term == kept.term && later.word == kept.word;
        if same {
            kept.count += later.count;
        }
        same
    });
}

fn pack_forms(forms: &[WordForm<'_>], out: &mut Vec<u8>) {
    let mut words = StringColumn::default();
    forms.iter().for_each(|form| words.push(form.word));
    out.put_u64s(&forms.iter().map(|form| form.term).collect::<Vec<_>>());
    out.put_u64s(&forms.iter().map(|form| form.count).collect::<Vec<_>>());
    words.write(out);
}

/// What a partition knows of a range of terms, as read.
#[derive(Default)]
struct TermCounts {
    terms: Vec<u64>,
    frequencies: Vec<u32>,
    form_terms: Vec<u64>,
    form_counts: Vec<u64>,
    words: StringColumn,
}

impl_column!(TermCounts {
    terms,
    frequencies,
    form_terms,
    form_counts,
    words
});

impl TermCounts {
    fn new(bytes: &[u8]) -> Result<Self, CodecError> {
        let (mut counts, mut from) = (Self::default(), ArrayReader::new(bytes));
        counts.read(&mut from)?;
        from.finish()?;
        let forms = counts.words.len();
        check_length(
            "document frequencies",
            counts.terms.len(),
            counts.frequencies.len(),
        )?;
        check_length("terms of words", forms, counts.form_terms.len())?;
        check_length("counts of words", forms, counts.form_counts.len())?;
        Ok(counts)
    }

    fn forms(&self) -> impl Iterator<Item = WordForm<'_>> {
        let counted = self.form_terms.iter().zip(&self.form_counts).enumerate();
        counted.map(|(row, (&term, &count))| WordForm {
            term,
            word: self.words.bytes_of(row),
            count,
        })
    }
}

/// Merges one range of all partitions' parts.
pub fn merge_lexicon(parts: &[impl AsRef<[u8]>]) -> Result<LexiconRange, CodecError> {
    let parts = parts.iter().map(|part| TermCounts::new(part.as_ref()));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let (mut counted, mut forms) = (Vec::<(u64, u32)>::new(), Vec::<WordForm<'_>>::new());
    for part in &parts {
        let terms = part.terms.iter().zip(&part.frequencies);
        counted.extend(terms.map(|(&term, &frequency)| (term, frequency)));
        forms.extend(part.forms());
    }
    sort_by_hash(
        (&mut counted, &mut Vec::new()),
        |counted| counted.0,
        Ord::cmp,
    );
    sort_by_hash((&mut forms, &mut Vec::new()), |form| form.term, Ord::cmp);
    add_up(&mut forms);
    let mut shown = forms
        .chunk_by(|one, other| one.term == other.term)
        .peekable();
    let mut lexicon = LexiconRange::default();
    for same in counted.chunk_by(|one, other| one.0 == other.0) {
        let frequency: u32 = same.iter().map(|&(_, count)| count).sum();
        let term = same[0].0;
        while shown.next_if(|forms| forms[0].term < term).is_some() {}
        let word = shown
            .next_if(|forms| forms[0].term == term)
            .map_or(NO_WORD, most_common);
        if frequency > 0 {
            lexicon.terms.push(term);
            lexicon.frequencies.push(frequency);
            lexicon.words.push(word);
        }
    }
    Ok(lexicon)
}

/// The most common form; of equals the first in the alphabet.
fn most_common<'a>(forms: &[WordForm<'a>]) -> &'a [u8] {
    let found = forms.iter().rev().max_by_key(|form| form.count);
    found.map_or(NO_WORD, |form| form.word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(terms: &[(u64, u32)], forms: &[(u64, &str, u64)]) -> Vec<u8> {
        let mut out = Vec::new();
        out.put_u64s(&terms.iter().map(|term| term.0).collect::<Vec<_>>());
        out.put_u32s(&terms.iter().map(|term| term.1).collect::<Vec<_>>());
        let forms: Vec<_> = forms
            .iter()
            .map(|&(term, word, count)| WordForm {
                term,
                word: word.as_bytes(),
                count,
            })
            .collect();
        pack_forms(&forms, &mut out);
        out
    }

    #[test]
    fn partitions_are_summed_and_the_most_common_form_is_shown() {
        let one = part(
            &[(5, 2), (9, 1)],
            &[(5, "garden", 3), (5, "gardens", 2), (9, "b", 1)],
        );
        let other = part(&[(5, 1)], &[(5, "gardens", 2), (9, "a", 1)]);
        let lexicon = merge_lexicon(&[one, other]).expect("sound parts");
        assert_eq!(lexicon.terms, [5, 9]);
        assert_eq!(lexicon.frequencies, [3, 1]);
        let words = [0, 1].map(|word| lexicon.words.get(word));
        assert_eq!(words, ["gardens", "a"]);
    }
}
