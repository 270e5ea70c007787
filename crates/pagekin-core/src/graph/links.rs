//! Who links to whom, by target.

use crate::sorting::Ranks;

/// The links of a graph: for each node, in order, the nodes that link to it,
/// in order and each once.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Inlinks {
    /// Where each node's sources end.
    pub ends: Vec<u64>,
    /// The linking nodes.
    pub sources: Vec<u32>,
    /// How many links each of them stands for; without any, one each.
    pub weights: Vec<u32>,
}

impl Inlinks {
    /// The links between pages with these ids, which are in order. Links are
    /// (target, source), sorted; those of pages that are not listed are left out.
    pub fn of_pages(ids: Vec<u64>, links: impl Iterator<Item = (u64, u64)>) -> Self {
        let places = Ranks::new(ids);
        let ids = places.values();
        let mut inlinks = Self::default();
        let mut last = None;
        for (target, source) in links {
            while ids.get(inlinks.ends.len()).is_some_and(|&id| id < target) {
                inlinks.ends.push(inlinks.sources.len() as u64);
            }
            let known = ids.get(inlinks.ends.len()) == Some(&target);
            let place = places.of(source);
            if known && ids.get(place as usize) == Some(&source) && last != Some((target, source)) {
                inlinks.sources.push(place);
            }
            last = Some((target, source));
        }
        let end = inlinks.sources.len() as u64;
        inlinks.ends.resize(ids.len(), end);
        inlinks.sort_sources();
        inlinks
    }

    /// The links between the sites of pages; a link within a site is none.
    pub fn of_sites(&self, site_of: &[u32], sites: usize) -> Self {
        let mut pairs: Vec<u64> = self
            .pairs()
            .map(|(target, source)| (site_of[target as usize], site_of[source as usize]))
            .filter(|(target, source)| target != source)
            .map(|(target, source)| u64::from(target) << 32 | u64::from(source))
            .collect();
        pairs.sort_unstable();
        let mut inlinks = Self::default();
        for same in pairs.chunk_by(|one, other| one == other) {
            let target = (same[0] >> 32) as usize;
            inlinks.ends.resize(target, inlinks.sources.len() as u64);
            inlinks.sources.push(same[0] as u32);
            inlinks.weights.push(same.len() as u32);
        }
        let end = inlinks.sources.len() as u64;
        inlinks.ends.resize(sites, end);
        inlinks
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.ends.len()
    }

    /// Every link as (target, source), in order.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.nodes()).flat_map(move |target| {
            let sources = &self.sources[self.range(target)];
            sources.iter().map(move |&source| (target as u32, source))
        })
    }

    /// Where the sources of a node are.
    pub(super) fn range(&self, node: usize) -> std::ops::Range<usize> {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }

    fn sort_sources(&mut self) {
        for node in 0..self.nodes() {
            let range = self.range(node);
            self.sources[range].sort_unstable();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_page_numbers_and_each_counts_once() {
        let links = [(10, 20), (10, 20), (10, 40), (15, 10), (40, 10), (40, 99)];
        let found = Inlinks::of_pages(vec![10, 20, 30, 40], links.into_iter());
        assert_eq!(found.ends, [2, 2, 2, 3]);
        assert_eq!(found.sources, [1, 3, 0]);
        assert_eq!(found.pairs().collect::<Vec<_>>(), [(0, 1), (0, 3), (3, 0)]);
    }

    #[test]
    fn links_between_sites_are_counted() {
        let links = [(1, 2), (1, 3), (2, 3), (3, 1), (4, 1), (4, 2)];
        let pages = Inlinks::of_pages(vec![1, 2, 3, 4], links.into_iter());
        let sites = pages.of_sites(&[0, 0, 2, 2], 4);
        assert_eq!(sites.ends, [1, 1, 2, 2]);
        assert_eq!(sites.sources, [2, 0]);
        assert_eq!(sites.weights, [2, 3]);
    }

    #[test]
    fn no_pages_give_an_empty_graph() {
        assert_eq!(
            Inlinks::of_pages(vec![], std::iter::empty()),
            Inlinks::default()
        );
    }
}
