//! Pagelets (Bar-Yossef and Rajagopalan 2002): the pieces of a page between two breaks, each with a
//! key by which the same piece is recognised on other pages of its host.
//!
//! Pagelets that recur on many pages of a host (menus, headers, footers, breadcrumbs) are its
//! template. The merge counts the keys and decides.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::block::FragmentBlock;
use crate::columns::Ragged;
use crate::hash::mixed;
use crate::pages::PageBlock;
use crate::url;

/// The bit of a key that says that its page has the pagelet as navigation. Such a pagelet is a
/// template, however few pages have it.
const NAVIGATION_KEY: u64 = 1;

/// Whether a key is that of navigation.
#[inline]
pub(crate) fn is_navigation(key: u64) -> bool {
    key & NAVIGATION_KEY != 0
}

/// The pagelets of a block's pages, page by page; no rows if templates are evidence.
#[derive(Debug, Default)]
pub(super) struct Pagelets {
    /// Position of the first word of each.
    pub(super) starts: Ragged<u32, u32>,
    /// The key of each: a hash of the host and of the words, and whether it is navigation.
    pub(super) keys: Ragged<u64, u32>,
}

impl Pagelets {
    /// Cuts every page of a block.
    pub(super) fn new(block: &PageBlock) -> Self {
        let words = 0..block.vocabulary.len() as u32;
        let hashes = words.map(|word| xxh3_64(block.vocabulary.bytes_of(word)));
        let hashes: Vec<u64> = hashes.collect();
        let mut pagelets = Self::default();
        for number in 0..block.len() {
            let page = block.page(number);
            let host = xxh3_64(url::site(block.urls.get(page.url)).as_bytes());
            let starts: Vec<(usize, bool)> = page.pagelets().collect();
            let ends = starts.iter().skip(1).map(|&(start, _)| start);
            let ranges = starts.iter().zip(ends.chain([page.words.len()]));
            let keys = ranges.map(|(&(start, is_navigation), end)| {
                let words = page.words[start..end].iter();
                let key = mixed(host, words.map(|&word| hashes[word as usize]));
                key & !NAVIGATION_KEY | u64::from(is_navigation)
            });
            pagelets.keys.push(keys);
            let starts = starts.iter().map(|&(start, _)| start as u32);
            pagelets.starts.push(starts);
        }
        pagelets
    }

    /// The key of the pagelet at a position of a page.
    pub(super) fn key_at(&self, page: usize, position: u32) -> Option<u64> {
        key_at((self.starts.row(page), self.keys.row(page)), position)
    }
}

/// The pagelets of one page of a fragment block.
pub(crate) struct PagePagelets<'a> {
    starts: &'a [u32],
    keys: &'a [u64],
    words: usize,
}

impl FragmentBlock {
    /// The pagelets of a page; none if templates are evidence.
    pub(crate) fn pagelets_of(&self, page: usize) -> PagePagelets<'_> {
        let (starts, keys) = match self.texts.pagelets.is_empty() {
            true => (&[][..], &[][..]),
            false => (
                self.texts.pagelets.row(page),
                self.captures.pagelets.row(page),
            ),
        };
        PagePagelets {
            starts,
            keys,
            words: self.texts.words.row(page).len(),
        }
    }
}

impl PagePagelets<'_> {
    /// Whether one of them is navigation.
    pub(crate) fn any(&self, is_such: impl Fn(u64) -> bool) -> bool {
        self.keys.iter().any(|&key| is_such(key))
    }

    /// The words of each, and its key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Range<usize>, u64)> + '_ {
        let ends = self.starts.iter().skip(1).map(|&start| start as usize);
        let ends = ends.chain([self.words]);
        let ranges = self.starts.iter().zip(ends);
        let ranges = ranges.map(|(&start, end)| start as usize..end);
        ranges.zip(self.keys.iter().copied())
    }

    /// The key of the one at a position.
    pub(crate) fn key_at(&self, position: u32) -> Option<u64> {
        key_at((self.starts, self.keys), position)
    }
}

fn key_at((starts, keys): (&[u32], &[u64]), position: u32) -> Option<u64> {
    let after = starts.partition_point(|&start| start <= position);
    after.checked_sub(1).map(|at| keys[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::MediaType;
    use crate::pages::{Document, Origin, PageParser};

    fn pagelets(pages: &[(&str, &str)]) -> Pagelets {
        let mut parser = PageParser::default();
        for (url, html) in pages {
            let document = Document {
                url,
                folder: None,
                media: MediaType::Html,
                charset: None,
                language: None,
                body: html.as_bytes(),
            };
            let origin = Origin {
                file: 0,
                offset: 0,
                date: None,
            };
            assert!(parser.add(document, origin).is_ok());
        }
        Pagelets::new(parser.block())
    }

    #[test]
    fn the_same_piece_has_the_same_key_on_every_page_of_a_host_only() {
        let menu = "<ul><li>Home page<li>About us</ul>";
        let found = pagelets(&[
            ("http://a.test/1", &format!("{menu}<p>roses bloom</p>")),
            ("http://a.test/2", &format!("<p>us about</p>{menu}")),
            ("http://b.test/", menu),
        ]);
        assert_eq!(found.starts.row(0), [0, 2, 4]);
        assert_eq!(found.starts.row(1), [0, 2, 4]);
        assert_eq!(found.keys.row(0)[..2], found.keys.row(1)[1..]);
        assert_ne!(found.keys.row(0)[1], found.keys.row(1)[0], "order matters");
        assert_ne!(found.keys.row(0)[..2], *found.keys.row(2));
        assert_eq!(found.key_at(0, 3), Some(found.keys.row(0)[1]));
        assert_eq!(found.key_at(0, 4), Some(found.keys.row(0)[2]));
    }

    #[test]
    fn navigation_has_a_key_of_its_own() {
        let found = pagelets(&[("http://a.test/1", "<p>up</p><nav>up</nav><p>up</p>")]);
        let keys = found.keys.row(0);
        assert_eq!((keys[0], keys.len()), (keys[2], 3));
        assert_eq!(keys[1], keys[0] | NAVIGATION_KEY);
        assert!(is_navigation(keys[1]) && !is_navigation(keys[0]));
    }

    #[test]
    fn a_page_without_words_has_no_pagelets() {
        let found = pagelets(&[("http://a.test/", "<p></p><a href=x></a>")]);
        assert_eq!((found.starts.len(), found.starts.row(0)), (1, &[][..]));
        assert_eq!(found.key_at(0, 0), None);
    }
}
