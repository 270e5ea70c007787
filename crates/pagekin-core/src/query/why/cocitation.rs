//! Co-citation (Small 1973): the pages that link both to a page of the question and to a hit.

use std::borrow::Cow;

use super::CitingPage;
use crate::index::{LinkWindow, Shard, TableError};
use crate::query::result::PageRef;
use crate::query::searcher::Searcher;

/// The most links of a page that are compared.
const MOST_LINKS: usize = 10_000;

/// Finds the pages that link to a page of the question and to a hit.
pub struct CocitationFinder<'a> {
    index: &'a Searcher,
    like: Vec<LinksToPage<'a>>,
}

/// The links to a page, in order of the linking pages.
struct LinksToPage<'a> {
    shard: &'a Shard,
    /// The first link of each part, and the linking pages.
    parts: Vec<(usize, &'a [u64])>,
}

/// A page that links to both.
struct Cocitation {
    source: u64,
    /// The windows of its links to the query page and to the hit.
    windows: [LinkWindow; 2],
}

impl<'a> CocitationFinder<'a> {
    /// For these pages.
    pub fn new(index: &'a Searcher, like: &[PageRef]) -> Result<Self, TableError> {
        let inlinks = like.iter().map(|&page| LinksToPage::of(index, page));
        Ok(Self {
            index,
            like: inlinks.collect::<Result<_, _>>()?,
        })
    }

    /// The first `most` pages that link to one of these pages and to a hit.
    pub fn find(&self, hit: PageRef, most: usize) -> Result<Vec<CitingPage<'a>>, TableError> {
        let mut found: Vec<Cocitation> = Vec::new();
        if !self.like.is_empty() {
            let hit = LinksToPage::of(self.index, hit)?;
            for like in &self.like {
                for both in like.together_with(&hit, most)? {
                    if found.len() < most && found.iter().all(|other| other.source != both.source) {
                        found.push(both);
                    }
                }
            }
        }
        found.into_iter().map(|both| self.citation(both)).collect()
    }

    fn citation(&self, both: Cocitation) -> Result<CitingPage<'a>, TableError> {
        let page = self.index.find(both.source)?;
        Ok(CitingPage {
            url: match page {
                Some(page) => Cow::Borrowed(self.index.page_meta(page)?.url),
                None => Cow::Owned(format!("page {:016x}", both.source)),
            },
            quote: self.index.quote(both.source, &both.windows)?,
        })
    }
}

impl<'a> LinksToPage<'a> {
    fn of(index: &'a Searcher, page: PageRef) -> Result<Self, TableError> {
        let shard = index.shard(page);
        let links = shard.links_to(index.id(page)?)?;
        let parts = shard.sources(links)?;
        Ok(Self { shard, parts })
    }

    fn len(&self) -> usize {
        self.parts.iter().map(|part| part.1.len()).sum()
    }

    /// The links and who makes them.
    fn iter(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let parts = self.parts.iter();
        parts.flat_map(|&(first, sources)| (first..).zip(sources.iter().copied()))
    }

    /// The first link of a page.
    fn from(&self, source: u64) -> Option<usize> {
        let mut parts = self.parts.iter();
        let (first, sources) = parts.find(|part| part.1.last() >= Some(&source))?;
        let at = sources.partition_point(|&page| page < source);
        (sources[at] == source).then_some(first + at)
    }

    /// The first `most` pages that link both here and there.
    fn together_with(&self, hit: &Self, most: usize) -> Result<Vec<Cocitation>, TableError> {
        let swapped = hit.len() < self.len();
        let (fewer, more) = if swapped { (hit, self) } else { (self, hit) };
        let mut found = Vec::new();
        let mut last = None;
        for (link, source) in fewer.iter().take(MOST_LINKS) {
            if last.replace(source) == Some(source) {
                continue;
            }
            if let Some(other) = more.from(source) {
                let mut windows = [fewer.shard.window(link)?, more.shard.window(other)?];
                windows.rotate_right(usize::from(swapped));
                found.push(Cocitation { source, windows });
                if found.len() >= most {
                    break;
                }
            }
        }
        Ok(found)
    }
}
