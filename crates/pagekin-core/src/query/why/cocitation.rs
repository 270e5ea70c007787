//! Co-citation (Small 1973): the pages that link both to a page of the question and to a hit.

use std::borrow::Cow;

use super::CitingPage;
use crate::index::{LinkWindow, PageInlinks, TableError};
use crate::query::result::PageRef;
use crate::query::searcher::Searcher;

/// The most links of a page that are compared.
const MOST_LINKS: usize = 10_000;

/// Finds the pages that link to a page of the question and to a hit.
pub struct CocitationFinder<'a> {
    index: &'a Searcher,
    /// The links to each page, by the index that knows them.
    like: Vec<Vec<PageInlinks<'a>>>,
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
        let like = like.iter().map(|&page| inlinks(index, page));
        let like = like.collect::<Result<_, _>>()?;
        Ok(Self { index, like })
    }

    /// The first `most` pages that link to one of these pages and to a hit.
    pub fn find(&self, hit: PageRef, most: usize) -> Result<Vec<CitingPage<'a>>, TableError> {
        let mut found: Vec<Cocitation> = Vec::new();
        if !self.like.is_empty() {
            let hit = inlinks(self.index, hit)?;
            for like in &self.like {
                for both in self.cocitations(like, &hit, most)? {
                    if found.len() < most && found.iter().all(|other| other.source != both.source) {
                        found.push(both);
                    }
                }
            }
        }
        found.into_iter().map(|both| self.citation(both)).collect()
    }

    /// The first `most` pages that link to both, in order of their ids.
    fn cocitations(
        &self,
        like: &[PageInlinks<'a>],
        hit: &[PageInlinks<'a>],
        most: usize,
    ) -> Result<Vec<Cocitation>, TableError> {
        let mut found = Vec::new();
        for (member, (like, hit)) in like.iter().zip(hit).enumerate() {
            for both in cocitations(like, hit, most)? {
                if self.index.counts_links_of(both.source, member)? {
                    found.push(both);
                }
            }
        }
        if like.len() > 1 {
            found.sort_unstable_by_key(|both| both.source);
            found.truncate(most);
        }
        Ok(found)
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

fn inlinks(index: &Searcher, page: PageRef) -> Result<Vec<PageInlinks<'_>>, TableError> {
    index.links_to(index.id(page)?)
}

/// The first link of a page that is not in a template.
fn first_by_author(links: &PageInlinks<'_>, source: u64) -> Result<Option<usize>, TableError> {
    for link in links.of_source(source) {
        if !links.is_template(link)? {
            return Ok(Some(link));
        }
    }
    Ok(None)
}

/// The first `most` pages that link both to a page of the question and to a hit, outside of
/// templates.
fn cocitations(
    like: &PageInlinks<'_>,
    hit: &PageInlinks<'_>,
    most: usize,
) -> Result<Vec<Cocitation>, TableError> {
    let swapped = hit.count() < like.count();
    let (fewer, more) = if swapped { (hit, like) } else { (like, hit) };
    let mut found = Vec::new();
    let mut last = None;
    for (link, source) in fewer.iter().take(MOST_LINKS) {
        if last == Some(source) || fewer.is_template(link)? {
            continue;
        }
        last = Some(source);
        if let Some(other) = first_by_author(more, source)? {
            let mut windows = [fewer.window(link)?, more.window(other)?];
            windows.rotate_right(usize::from(swapped));
            found.push(Cocitation { source, windows });
            if found.len() >= most {
                break;
            }
        }
    }
    Ok(found)
}
