//! Pages that link both to a page that was asked about and to a hit.

use std::borrow::Cow;

use super::Citation;
use crate::index::{Fault, Shard, Window};
use crate::query::options::Place;
use crate::query::searcher::Searcher;

/// Of a page with very many inlinks so many are looked at.
const MOST_LINKS: usize = 10_000;

/// Whoever links to the pages that were asked about.
pub struct Cited<'a> {
    index: &'a Searcher,
    like: Vec<Inlinks<'a>>,
}

/// The links to a page, in order of the linking pages.
struct Inlinks<'a> {
    shard: &'a Shard,
    /// The first link of each part, and the linking pages.
    parts: Vec<(usize, &'a [u64])>,
}

/// A linking page, and the windows of its links to the query page and to the hit.
type Both = (u64, [Window; 2]);

impl<'a> Cited<'a> {
    /// For these pages.
    pub fn new(index: &'a Searcher, like: &[Place]) -> Result<Self, Fault> {
        let inlinks = like.iter().map(|&place| Inlinks::of(index, place));
        Ok(Self {
            index,
            like: inlinks.collect::<Result<_, _>>()?,
        })
    }

    /// The first `most` pages that link to one of these pages and to a hit.
    pub fn together_with(&self, hit: Place, most: usize) -> Result<Vec<Citation<'a>>, Fault> {
        let mut found: Vec<Both> = Vec::new();
        if !self.like.is_empty() {
            let hit = Inlinks::of(self.index, hit)?;
            for like in &self.like {
                for both in like.together_with(&hit, most)? {
                    if found.len() < most && found.iter().all(|known| known.0 != both.0) {
                        found.push(both);
                    }
                }
            }
        }
        found.into_iter().map(|both| self.citation(both)).collect()
    }

    fn citation(&self, (source, windows): Both) -> Result<Citation<'a>, Fault> {
        let page = self.index.find(source)?;
        Ok(Citation {
            url: match page {
                Some(page) => Cow::Borrowed(self.index.card(page)?.url),
                None => Cow::Owned(format!("page {source:016x}")),
            },
            words: self.index.quote(source, &windows)?,
        })
    }
}

impl<'a> Inlinks<'a> {
    fn of(index: &'a Searcher, page: Place) -> Result<Self, Fault> {
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
    fn together_with(&self, hit: &Self, most: usize) -> Result<Vec<Both>, Fault> {
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
                found.push((source, windows));
                if found.len() >= most {
                    break;
                }
            }
        }
        Ok(found)
    }
}
