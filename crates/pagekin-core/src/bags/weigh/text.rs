//! Query by text: the bag of a text that is not in the crawl.

use std::collections::BTreeMap;

use crate::bags::raw::RawBags;
use crate::bags::weigh::{weigh, WeighedBags};
use crate::concepts::Concepts;
use crate::strategy::{Strategy, CONTENT, UNIT};
use crate::text::{likeliest_term, Language, TermMaker};

/// A text that is not in the crawl.
pub struct Text<'a> {
    /// Its words.
    pub words: &'a [String],
    /// The words of its title.
    pub title: &'a [String],
    /// The languages that it may be in.
    pub languages: &'a [Option<Language>],
}

/// The occurrences of one term in a text.
#[derive(Debug, Default)]
struct TextSum {
    content: u32,
    early: u32,
    linked: u64,
}

/// A text is weighed as a page of the crawl with these words and this title
/// would be, if nobody linked to it. Terms that the crawl does not know are
/// left out: no page could share them. Where the strategy looks at what others
/// say and not at content, the text counts as said by somebody.
pub fn weigh_text<'t, E>(
    text: &Text<'t>,
    strategy: &Strategy,
    bags: u64,
    concepts: Option<&Concepts>,
    mut frequency: impl FnMut(u64) -> Result<u32, E>,
) -> Result<WeighedBags, E> {
    let Text {
        words,
        title,
        languages,
    } = text;
    let makers: Vec<&TermMaker> = languages
        .iter()
        .map(|&each| strategy.terms.of(each))
        .collect();
    let said = strategy.kinds[CONTENT] == 0.0 && strategy.needs_anchor();
    let mut sums: BTreeMap<u64, TextSum> = BTreeMap::new();
    let mut add = |term: u64, position: u32| {
        let entry = sums.entry(term).or_default();
        entry.content += u32::from(strategy.needs_content() || strategy.concept.is_some());
        if strategy.lead > 0 {
            entry.early += strategy.lead_weight(position);
        }
        entry.linked += if said { UNIT } else { 0 };
    };
    let mut counting = |words: &'t [String]| -> Result<Vec<u64>, E> {
        let terms = words
            .iter()
            .map(|word| likeliest_term(word.as_bytes(), &makers, &mut frequency));
        terms.filter(|term| !matches!(term, Ok(0))).collect()
    };
    let (words, title) = (counting(words)?, counting(title)?);
    for (position, &term) in (0..).zip(&words) {
        add(term, position);
    }
    title.iter().for_each(|&term| add(term, 0));
    if strategy.needs_anchor() {
        let weight = strategy.distance_weights().first().copied().unwrap_or(UNIT);
        for &term in &title {
            sums.entry(term).or_default().linked += weight;
        }
    }
    let mut raw = RawBags::default();
    let mut frequencies = Vec::new();
    for (term, sums) in sums {
        let found = frequency(term)?;
        if found > 0 {
            raw.term.push(raw.terms.len() as u32);
            raw.terms.push(term);
            raw.content.push(sums.content);
            if strategy.lead > 0 {
                raw.early.push(sums.early);
            }
            raw.linked.push(sums.linked);
            frequencies.push(found);
        }
    }
    raw.urls.push(0);
    raw.ends.push(raw.term.len());
    Ok(weigh(&raw, &frequencies, bags, strategy, concepts))
}
