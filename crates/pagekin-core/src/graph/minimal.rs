//! The minimal subgraph of every site: what is reachable from its root, with
//! back links and cycles removed.
//!
//! Depth first from the root, the links of a page in the order of their
//! targets; a link to a page that is still open (an ancestor, or the page
//! itself) is dropped. What is left has no cycle. Time and memory are linear in
//! pages and links; there is no recursion.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeListArray, RecordBatch, UInt32Array};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::links::Inlinks;
use super::NONE;

/// The arcs that leave each page, in order of their targets.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Arcs {
    /// Where each page's arcs end.
    pub ends: Vec<u64>,
    /// Their targets.
    pub targets: Vec<u32>,
}

/// The minimal subgraphs of all sites: `site_of` tells the site of each page,
/// or [`NONE`]; `roots` the root of each site, or [`NONE`].
///
/// One site is done at a time: its pages are strewn over the crawl, and what is
/// needed of them stays in the processor's cache meanwhile.
pub fn minimal(links: &Inlinks, site_of: &[u32], roots: &[u32]) -> Arcs {
    let sites = Sites::new(site_of, roots.len());
    let mut graph = SiteGraph::default();
    let mut kept = Vec::new();
    let mut counts = vec![0; links.nodes()];
    for (site, &root) in roots.iter().enumerate().filter(|(_, &root)| root != NONE) {
        let pages = sites.pages(site);
        graph.fill(pages, &sites.place, |page| {
            let sources = links.sources[links.range(page as usize)].iter();
            sources.filter(|&&source| site_of[source as usize] == site as u32)
        });
        graph.search(sites.place[root as usize]);
        graph.drain(pages, &mut counts, &mut kept);
    }
    arranged(&sites, &counts, &kept)
}

/// The kept arcs, which are by site and page, by page alone.
fn arranged(sites: &Sites, counts: &[u64], kept: &[u32]) -> Arcs {
    let mut end = 0;
    let ends: Vec<u64> = counts
        .iter()
        .map(|count| {
            end += count;
            end
        })
        .collect();
    let mut targets = vec![0; kept.len()];
    let mut at = 0;
    for &page in &sites.order {
        let count = counts[page as usize] as usize;
        let end = ends[page as usize] as usize;
        targets[end - count..end].copy_from_slice(&kept[at..at + count]);
        at += count;
    }
    Arcs { ends, targets }
}

/// The pages of each site, in order.
struct Sites {
    /// All pages that have a site, by site and page.
    order: Vec<u32>,
    /// Where each site's pages end.
    ends: Vec<usize>,
    /// The place of each page among those of its site.
    place: Vec<u32>,
}

impl Sites {
    fn new(site_of: &[u32], sites: usize) -> Self {
        let mut place = vec![0; site_of.len()];
        let mut ends = vec![0; sites];
        let inside = || site_of.iter().enumerate().filter(|(_, &site)| site != NONE);
        for (page, &site) in inside() {
            place[page] = ends[site as usize] as u32;
            ends[site as usize] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            next += *end;
            *end = next;
        }
        let mut sites = Self {
            order: vec![0; next],
            ends,
            place,
        };
        for (page, &site) in inside() {
            let at = sites.start(site as usize) + sites.place[page] as usize;
            sites.order[at] = page as u32;
        }
        sites
    }

    fn start(&self, site: usize) -> usize {
        if site == 0 {
            0
        } else {
            self.ends[site - 1]
        }
    }

    fn pages(&self, site: usize) -> &[u32] {
        &self.order[self.start(site)..self.ends[site]]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    Open,
    Closed,
}

/// The links within one site, by source and target, both being places.
#[derive(Default)]
struct SiteGraph {
    ends: Vec<u32>,
    targets: Vec<u32>,
    seen: Vec<State>,
    /// The open pages, each with the place of its next arc.
    path: Vec<(u32, u32)>,
}

impl SiteGraph {
    /// Takes the links of a site in; `sources` gives those to a page.
    fn fill<'a, I: Iterator<Item = &'a u32>>(
        &mut self,
        pages: &[u32],
        place: &[u32],
        sources: impl Fn(u32) -> I,
    ) {
        let mut next = vec![0u32; pages.len() + 1];
        for source in pages.iter().flat_map(|&page| sources(page)) {
            next[place[*source as usize] as usize + 1] += 1;
        }
        for at in 0..pages.len() {
            next[at + 1] += next[at];
        }
        self.targets.clear();
        self.targets.resize(next[pages.len()] as usize, 0);
        for (target, &page) in pages.iter().enumerate() {
            for source in sources(page) {
                let at = &mut next[place[*source as usize] as usize];
                self.targets[*at as usize] = target as u32;
                *at += 1;
            }
        }
        next.pop();
        self.ends = next;
        self.seen.clear();
        self.seen.resize(pages.len(), State::Unseen);
    }

    /// Goes through the site from its root; a link to an open page is dropped.
    fn search(&mut self, root: u32) {
        self.open(root);
        while let Some((page, at)) = self.path.last_mut() {
            if *at == self.ends[*page as usize] {
                self.seen[*page as usize] = State::Closed;
                self.path.pop();
                continue;
            }
            let target = &mut self.targets[*at as usize];
            *at += 1;
            match self.seen[*target as usize] {
                State::Unseen => {
                    let target = *target;
                    self.open(target);
                }
                State::Open => *target = NONE,
                State::Closed => {}
            }
        }
    }

    fn open(&mut self, page: u32) {
        self.seen[page as usize] = State::Open;
        self.path.push((page, self.start(page as usize)));
    }

    fn start(&self, page: usize) -> u32 {
        if page == 0 {
            0
        } else {
            self.ends[page - 1]
        }
    }

    /// Hands out the arcs of the pages that were reached, as pages of the crawl.
    fn drain(&self, pages: &[u32], counts: &mut [u64], kept: &mut Vec<u32>) {
        for (place, &page) in pages.iter().enumerate() {
            if self.seen[place] == State::Closed {
                let arcs = self.start(place) as usize..self.ends[place] as usize;
                let targets = self.targets[arcs].iter().filter(|&&target| target != NONE);
                let before = kept.len();
                kept.extend(targets.map(|&target| pages[target as usize]));
                counts[page as usize] = (kept.len() - before) as u64;
            }
        }
    }
}

/// One row a page: the targets of its arcs.
pub fn arc_batch(arcs: Arcs) -> Result<RecordBatch, ArrowError> {
    let ends = arcs.ends.iter().map(|&end| end as i64);
    let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
    let field = Arc::new(Field::new("item", DataType::UInt32, false));
    let list = LargeListArray::try_new(
        field,
        OffsetBuffer::new(ScalarBuffer::from(offsets)),
        Arc::new(UInt32Array::from(arcs.targets)),
        None,
    )?;
    let list: ArrayRef = Arc::new(list);
    RecordBatch::try_from_iter_with_nullable(vec![("targets", list, false)])
}

#[cfg(test)]
mod tests;
