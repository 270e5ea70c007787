//! The fields of BM25F (Robertson, Zaragoza, Taylor 2004) that no posting list has apart: how often
//! titles and URLs have a term, and how long the fields of pages are.

use std::collections::HashMap;

use crate::index::TableError;
use crate::query::{PageRef, Searcher};
use crate::text::{words_of, Language, TermMaker, TermMakers};

/// How often the titles and URLs of some pages have some terms: for each page one count a term.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldCounts {
    /// In titles.
    pub title: Vec<u8>,
    /// In URLs.
    pub url: Vec<u8>,
}

impl FieldCounts {
    /// Counts terms, those of stop words as well, in the titles and URLs of pages.
    pub fn new(
        index: &Searcher,
        makers: &TermMakers,
        pages: &[PageRef],
        terms: &[u64],
    ) -> Result<Self, TableError> {
        let numbers: HashMap<u64, usize> = terms.iter().copied().zip(0..).collect();
        let size = pages.len() * terms.len();
        let mut counts = Self {
            title: vec![0; size],
            url: vec![0; size],
        };
        let add = |text: &str, maker: &TermMaker, counts: &mut [u8]| {
            for word in words_of(text) {
                if let Some(&number) = numbers.get(&maker.id_without_stop_list(word.as_bytes())) {
                    counts[number] = counts[number].saturating_add(1);
                }
            }
        };
        for (number, &page) in pages.iter().enumerate() {
            let range = number * terms.len()..(number + 1) * terms.len();
            let meta = index.page_meta(page)?;
            let maker = makers.of(meta.language.and_then(Language::named));
            add(
                meta.title.unwrap_or_default(),
                maker,
                &mut counts.title[range.clone()],
            );
            add(&words_in_path(meta.url), maker, &mut counts.url[range]);
        }
        Ok(counts)
    }
}

/// A URL without its scheme and host, its words parted by spaces.
pub(super) fn words_in_path(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = bare.split_once('/').map_or("", |(_, path)| path);
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '%';
    let parted = path.chars().map(|letter| match is_letter(letter) {
        true => letter,
        false => ' ',
    });
    parted.collect()
}

/// The length of each field of each page: words of the text, bytes of the title, and the number of inlinks, which
/// anchor words grow with.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldLengths {
    /// The page's words.
    pub text: Vec<u32>,
    /// Bytes of its title.
    pub title: Vec<u32>,
    /// Pages that link to it.
    pub inlinks: Vec<u32>,
    /// Whether it was fetched.
    pub crawled: Vec<bool>,
}

impl FieldLengths {
    /// Reads the lengths of all pages, shard by shard and row by row.
    pub fn read(index: &Searcher) -> Result<Self, TableError> {
        let mut lengths = Self::default();
        let short = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        for shard in index.shards() {
            for row in 0..shard.rows() {
                let meta = shard.page_meta(row)?;
                let title = meta.title.map_or(0, str::len) as u64;
                lengths.text.push(shard.length(row)?);
                lengths.title.push(short(title));
                lengths.inlinks.push(shard.inlinks(row)?);
                lengths.crawled.push(meta.crawled);
            }
        }
        Ok(lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_url_come_after_its_host() {
        let words = |url| words_of(&words_in_path(url));
        assert_eq!(
            words("http://a.example/old_roses/Bare-Roots.html?x=1"),
            ["old", "roses", "bare", "roots", "html", "x"]
        );
        assert!(words("http://a.example/").is_empty());
        assert!(words("a").is_empty());
    }
}
