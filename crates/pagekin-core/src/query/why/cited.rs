//! Pages that link both to a page that was asked about and to a hit.

use std::borrow::Cow;
use std::ops::Range;

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
    links: Range<usize>,
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
        Ok(Self { shard, links })
    }

    /// The first `most` pages that link both here and there.
    fn together_with(&self, hit: &Self, most: usize) -> Result<Vec<Both>, Fault> {
        let swapped = hit.links.len() < self.links.len();
        let (fewer, more) = if swapped { (hit, self) } else { (self, hit) };
        let mut found = Vec::new();
        let mut last = None;
        for link in fewer.links.clone().take(MOST_LINKS) {
            let source = fewer.shard.source(link)?;
            if last.replace(source) == Some(source) {
                continue;
            }
            if let Some(other) = more.shard.link_from(source, more.links.clone())? {
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
