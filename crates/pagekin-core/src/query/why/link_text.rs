//! Anchor text as a title: what linking pages call a page that was not fetched.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::index::TableError;
use crate::query::result::PageRef;
use crate::query::searcher::Searcher;
use crate::text::WordSpans;

/// Links that are read.
const LINKS: usize = 8;
/// Words of a title at the most.
const WORDS: u32 = 12;

/// The most common words of the first links to a page; the longest of equally common ones. None
/// if no link has words.
pub fn link_text(index: &Searcher, page: PageRef) -> Result<Option<String>, TableError> {
    let links = index.shard(page).links_to(index.id(page)?)?;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (link, source) in links.iter().take(LINKS) {
        let source = index.find(source)?;
        let text = source.map_or(Ok(None), |source| index.text(source))?;
        let window = links.window(link)?;
        let end = window
            .anchor_end
            .min(window.anchor_start.saturating_add(WORDS));
        let words = window.anchor_start as usize..end as usize;
        let text = text.unwrap_or_default().text;
        let words = text
            .get(WordSpans::range_of(&text, words))
            .unwrap_or_default();
        let words = words.replace('\n', " ").replace('\u{200b}', "");
        *counts.entry(words).or_default() += 1;
    }
    counts.remove("");
    let best = counts
        .into_iter()
        .max_by_key(|(words, count)| (*count, words.len(), Reverse(words.clone())));
    Ok(best.map(|(words, _)| words))
}
