//! Removing cycles by depth-first search (Tarjan 1972): the minimal subgraph of every site has what
//! is reachable from its root, without back edges.
//!
//! The search follows the links of a page in the order of their targets. A link to a page that is
//! still open (an ancestor, or the page itself) is a back edge and is dropped, so no cycle is left.
//! Time and memory are linear in pages and links; there is no recursion.

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::ArrowError;

use super::links::Inlinks;
use super::NONE;
use crate::columns::{list_array, Ragged};
use crate::sorting::transpose;

/// The minimal subgraphs of all sites: for each page the targets of its arcs, in order. `site_of`
/// gives the site of each page, or [`NONE`]; `roots` the root of each site, or [`NONE`].
///
/// One site is done at a time: its pages are scattered over the crawl, and the data of one site fit
/// the processor's cache.
pub fn minimal(links: &Inlinks, site_of: &[u32], roots: &[u32]) -> Ragged<u32> {
    let sites = Sites::new(site_of, roots.len());
    let mut arcs = Ragged::default();
    for (site, (pages, &root)) in sites.pages.iter().zip(roots).enumerate() {
        let targets = |source: &&u32| site_of[**source as usize] == site as u32;
        let links_to = |&page: &u32| links.sources.row(page as usize).iter().filter(targets);
        let mut graph = SiteGraph::new(pages.iter().map(links_to), &sites.place);
        if root != NONE {
            graph.search(sites.place[root as usize]);
        }
        graph.drain(pages, &mut arcs);
    }
    let mut by_page = Ragged::with_capacity(site_of.len(), arcs.values().len());
    for page in 0..site_of.len() {
        let row = sites.row_of(page).map_or(&[][..], |row| arcs.row(row));
        by_page.push(row.iter().copied());
    }
    by_page
}

/// The pages of each site, in order.
struct Sites<'a> {
    site_of: &'a [u32],
    pages: Ragged<u32>,
    /// The place of each page among those of its site.
    place: Vec<u32>,
}

impl<'a> Sites<'a> {
    fn new(site_of: &'a [u32], sites: usize) -> Self {
        let pages = (0..).zip(site_of).filter(|(_, &site)| site != NONE);
        let pages: Ragged<u32> = transpose(sites, pages.map(|(page, &site)| (site as usize, page)));
        let mut place = vec![0; site_of.len()];
        for pages in pages.iter() {
            for (at, &page) in (0..).zip(pages) {
                place[page as usize] = at;
            }
        }
        Self {
            site_of,
            pages,
            place,
        }
    }

    /// The place of a page among all pages in order of their sites, if it has a site.
    fn row_of(&self, page: usize) -> Option<usize> {
        let site = Some(self.site_of[page]).filter(|&site| site != NONE)?;
        Some(self.pages.ends().start(site as usize) + self.place[page] as usize)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    Open,
    Closed,
}

/// The links within one site, by source and target, both being places.
struct SiteGraph {
    arcs: Ragged<u32, u32>,
    seen: Vec<State>,
    /// The open pages, each with the number of its next arc.
    path: Vec<(u32, usize)>,
}

impl SiteGraph {
    /// The links of a site whose pages have these `sources`.
    fn new<'a>(
        sources: impl ExactSizeIterator<Item = impl Iterator<Item = &'a u32> + Clone> + Clone,
        place: &[u32],
    ) -> Self {
        let pages = sources.len();
        let arcs = (0..).zip(sources).flat_map(|(target, sources)| {
            sources.map(move |&source| (place[source as usize] as usize, target))
        });
        Self {
            arcs: transpose(pages, arcs),
            seen: vec![State::Unseen; pages],
            path: Vec::new(),
        }
    }

    /// Goes through the site from its root and drops back edges.
    fn search(&mut self, root: u32) {
        self.open(root);
        while let Some((page, at)) = self.path.last_mut() {
            if *at == self.arcs.ends().range(*page as usize).end {
                self.seen[*page as usize] = State::Closed;
                self.path.pop();
                continue;
            }
            let target = &mut self.arcs.values_mut()[*at];
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
        let first = self.arcs.ends().start(page as usize);
        self.path.push((page, first));
    }

    /// Appends a row for each page: its arcs, as pages of the crawl, if it was reached.
    fn drain(&self, pages: &[u32], out: &mut Ragged<u32>) {
        for (targets, state) in self.arcs.iter().zip(&self.seen) {
            let kept = |&&target: &&u32| *state == State::Closed && target != NONE;
            let kept = targets.iter().filter(kept);
            out.push(kept.map(|&target| pages[target as usize]));
        }
    }
}

/// One row per page: the targets of its arcs.
pub fn arc_batch(arcs: Ragged<u32>) -> Result<RecordBatch, ArrowError> {
    let (targets, ends) = arcs.into_parts();
    let list = list_array(&ends.offsets(), UInt32Array::from(targets))?;
    RecordBatch::try_from_iter_with_nullable([("targets", list, false)])
}

#[cfg(test)]
mod tests;
