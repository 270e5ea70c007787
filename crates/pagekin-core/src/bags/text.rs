//! The bag of a text that is not in the crawl.

use std::collections::BTreeMap;

use super::raw::RawBags;
use super::weigh::{weigh, Bags};
use crate::concepts::Concepts;
use crate::strategy::{Strategy, UNIT};

/// Something to read that is not in the crawl.
pub struct Text<'a> {
    /// Its words.
    pub words: &'a [String],
    /// The words of its title.
    pub title: &'a [String],
}

/// A text is weighed as a page of the crawl with these words and this title
/// would be, if nobody linked to it. Terms that the crawl does not know are
/// left out: no page could share them. Where the strategy looks at what others
/// say and not at content, the text counts as said by somebody.
pub fn weigh_text<E>(
    text: &Text<'_>,
    strategy: &Strategy,
    bags: u64,
    concepts: Option<&Concepts>,
    mut frequency: impl FnMut(u64) -> Result<u32, E>,
) -> Result<Bags, E> {
    let Text { words, title } = text;
    let said = strategy.content == 0.0 && strategy.needs_anchor();
    let mut counts: BTreeMap<u64, (u32, u64)> = BTreeMap::new();
    for word in words.iter().chain(*title) {
        let entry = counts.entry(strategy.terms.id(word)).or_default();
        entry.0 += u32::from(strategy.needs_content());
        entry.1 += if said { UNIT } else { 0 };
    }
    if strategy.needs_anchor() {
        let weight = strategy.distance_weights().first().copied().unwrap_or(UNIT);
        for word in *title {
            counts.entry(strategy.terms.id(word)).or_default().1 += weight;
        }
    }
    counts.remove(&0);
    let mut raw = RawBags::default();
    let mut frequencies = Vec::new();
    for (term, (content, linked)) in counts {
        let found = frequency(term)?;
        if found > 0 {
            raw.term.push(raw.terms.len() as u32);
            raw.terms.push(term);
            raw.content.push(content);
            raw.linked.push(linked);
            frequencies.push(found);
        }
    }
    raw.urls.push(0);
    raw.ends.push(raw.term.len() as u64);
    Ok(weigh(&raw, &frequencies, bags, strategy, concepts))
}
