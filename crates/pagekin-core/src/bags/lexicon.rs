//! The lexicon: every term with the word to show for it and the number of bags
//! it is in.
//!
//! Each partition packs what it knows of its terms, cut into ranges of term
//! ids; a range of all partitions is merged at a time.

use super::accumulate::STOP;
use super::merge::Merged;
use super::spread::sort_by_hash;
use crate::exchange::{Damage, Pack, Parts, Strings, Unpack};
use crate::hash::partition_of;

/// Link terms have no word; the page they stand for is found by its id.
const NO_WORD: &[u8] = b"";
/// What a term takes, and a form with its word at most as a rule.
const BYTES_A_TERM: usize = 12;
const BYTES_A_FORM: usize = 40;

/// A range of the lexicon, in order of term ids.
#[derive(Debug, Default)]
pub struct LexiconPart {
    /// Term ids.
    pub terms: Vec<u64>,
    /// In how many bags each is.
    pub frequencies: Vec<u32>,
    /// Its most common unstemmed form.
    pub(crate) words: Strings,
}

/// What the partition knows of its terms: one packed part for each of
/// `2^bits` ranges of term ids.
pub fn pack_term_counts(merged: &Merged, bits: u32) -> Parts {
    pack_counts(merged, &forms(merged), bits)
}

/// The frequencies of the partition's terms, with these forms of them.
pub(super) fn pack_counts(merged: &Merged, forms: &[Form<'_>], bits: u32) -> Parts {
    let terms = &merged.gathered.bags.terms;
    let mut parts = Parts::with_capacity(terms.len() * BYTES_A_TERM + forms.len() * BYTES_A_FORM);
    let (mut term, mut form) = (0, 0);
    for range in 0..1 << bits {
        let term_end = term + terms[term..].partition_point(|&id| partition_of(id, bits) <= range);
        let form_end =
            form + forms[form..].partition_point(|form| partition_of(form.term, bits) <= range);
        parts.put(|part| {
            part.put_u64s(&terms[term..term_end]);
            part.put_u32s(&merged.gathered.frequencies[term..term_end]);
            pack_forms(&forms[form..form_end], part);
        });
        (term, form) = (term_end, form_end);
    }
    parts
}

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
pub(super) struct Form<'a> {
    term: u64,
    word: &'a [u8],
    count: u64,
}

/// The forms of the partition's terms in order. The words of a term are laid together by its
/// place, which is known, so that only they have to be sorted.
fn forms(merged: &Merged) -> Vec<Form<'_>> {
    let mut starts = vec![0; merged.gathered.bags.terms.len() + 1];
    counted_words(merged).for_each(|(place, _)| starts[place + 1] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut forms = vec![Form::default(); starts.last().copied().unwrap_or(0)];
    for (place, form) in counted_words(merged) {
        forms[starts[place]] = form;
        starts[place] += 1;
    }
    forms
        .chunk_by_mut(|one, other| one.term == other.term)
        .filter(|same| same.len() > 1)
        .for_each(<[_]>::sort_unstable);
    add_up(&mut forms);
    forms
}

/// The words of the segments that stand on crawled pages, with the places of their terms.
fn counted_words(merged: &Merged) -> impl Iterator<Item = (usize, Form<'_>)> {
    let segments = merged.segments.iter().zip(&merged.maps);
    let segments = segments.zip(&merged.gathered.word_counts);
    segments.flat_map(|((segment, map), counts)| {
        let words = counts.iter().zip(map).enumerate();
        let counted = words.filter(|(_, (&count, &place))| count > 0 && place != STOP);
        counted.map(|(word, (&count, &place))| {
            let form = Form {
                term: segment.terms[word],
                word: segment.words.bytes_of(word),
                count: u64::from(count),
            };
            (place as usize, form)
        })
    })
}

/// Adds up the counts of equal forms, which are in order.
fn add_up(forms: &mut Vec<Form<'_>>) {
    forms.dedup_by(|later, kept| {
        let same = later.term == kept.term && later.word == kept.word;
        if same {
            kept.count += later.count;
        }
        same
    });
}

fn pack_forms(forms: &[Form<'_>], out: &mut Vec<u8>) {
    let mut bytes = Vec::new();
    let ends: Vec<u32> = forms
        .iter()
        .map(|form| {
            bytes.extend_from_slice(form.word);
            bytes.len() as u32
        })
        .collect();
    out.put_u64s(&forms.iter().map(|form| form.term).collect::<Vec<_>>());
    out.put_u64s(&forms.iter().map(|form| form.count).collect::<Vec<_>>());
    out.put_u32s(&ends);
    out.put_bytes(&bytes);
}

/// Merges one range of all partitions' parts.
pub fn merge_lexicon(parts: &[impl AsRef<[u8]>]) -> Result<LexiconPart, Damage> {
    let mut counted: Vec<(u64, u32)> = Vec::new();
    let mut forms: Vec<Form<'_>> = Vec::new();
    for part in parts {
        let mut from = Unpack::new(part.as_ref());
        counted.extend(from.u64s()?.into_iter().zip(from.u32s()?));
        unpack_forms(&mut from, &mut forms)?;
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
    let mut lexicon = LexiconPart::default();
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

fn unpack_forms<'a>(from: &mut Unpack<'a>, forms: &mut Vec<Form<'a>>) -> Result<(), Damage> {
    let terms = from.u64s()?;
    let counts = from.u64s()?;
    let ends = from.u32s()?;
    let bytes = from.bytes()?;
    let mut start = 0;
    for ((term, count), end) in terms.into_iter().zip(counts).zip(ends) {
        let word = bytes.get(start..end as usize).unwrap_or_default();
        forms.push(Form { term, word, count });
        start = end as usize;
    }
    Ok(())
}

/// The form that occurs most; of equals the first in the alphabet.
fn most_common<'a>(forms: &[Form<'a>]) -> &'a [u8] {
    let most = forms.iter().rev().max_by_key(|form| form.count);
    most.map_or(NO_WORD, |form| form.word)
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
            .map(|&(term, word, count)| Form {
                term,
                word: word.as_bytes(),
                count,
            })
            .collect();
        pack_forms(&forms, &mut out);
        out
    }

    #[test]
    fn partitions_add_up_and_the_most_common_form_is_shown() {
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
