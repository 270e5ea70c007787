//! Limits of a page, so that a few bytes of a crawl cannot become many bytes of an index. Links and
//! pages beyond them are counted.

use std::collections::HashSet;

use super::PageBuilder;
use crate::hash::KeyHashers;
use crate::text::ShortWord;

/// Maximum number of links of a page; further links are left out.
pub const MAX_LINKS: usize = 10_000;
/// Maximum bytes of the URLs of those links together: a long base makes long URLs of short links.
pub const MAX_LINK_BYTES: usize = 2 << 20;
/// Maximum number of distinct words of a page, which is cut before the next one. Dictionaries have
/// fewer.
pub const MAX_DISTINCT_WORDS: usize = 250_000;

impl PageBuilder {
    /// Ends a page before it has too many distinct words.
    pub(super) fn cut_words(&mut self) {
        if self.words.len() <= MAX_DISTINCT_WORDS {
            return;
        }
        let mut known = HashSet::<u128, KeyHashers>::default();
        let is_beyond = |word: &ShortWord| {
            known.insert(word.key());
            known.len() > MAX_DISTINCT_WORDS
        };
        let Some(end) = self.words.iter().position(is_beyond) else {
            return;
        };
        self.words.truncate(end);
        let end = end as u32;
        for anchor in &mut self.anchors {
            (anchor.first, anchor.last) = (anchor.first.min(end), anchor.last.min(end));
        }
        self.breaks.retain(|at| at.position <= end);
        self.pages_cut += 1;
    }
}
