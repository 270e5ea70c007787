//! The link graph by target (its transposed adjacency lists).

use crate::columns::Ragged;
use crate::sorting::Ranks;

/// The links of a graph: for each node the nodes that link to it, in order and each once.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Inlinks {
    /// The linking nodes, a row for each node.
    pub sources: Ragged<u32>,
    /// The number of links that each of them stands for; if empty, one each.
    pub weights: Vec<u32>,
}

impl Inlinks {
    /// The links between pages with these ids, which are in order. Links are (target, source),
    /// sorted; those of pages that are not listed are left out. `None` if they are not sorted.
    pub fn of_pages(ids: Vec<u64>, links: impl Iterator<Item = (u64, u64)>) -> Option<Self> {
        let places = Ranks::new(ids);
        let mut last = None;
        let distinct = links.filter(|&link| last.replace(link) != Some(link));
        let known = distinct.filter_map(|(target, source)| {
            let source = places.find(source)?;
            Some((places.find(target)? as usize, source))
        });
        Some(Self {
            sources: Ragged::from_sorted(places.len(), known)?,
            weights: Vec::new(),
        })
    }

    /// The links between the sites of pages, without those within a site. `None` if a page is of
    /// another site than these.
    pub fn of_sites(&self, site_of: &[u32], sites: usize) -> Option<Self> {
        let mut pairs: Vec<u64> = self
            .pairs()
            .map(|(target, source)| (site_of[target as usize], site_of[source as usize]))
            .filter(|(target, source)| target != source)
            .map(|(target, source)| u64::from(target) << 32 | u64::from(source))
            .collect();
        pairs.sort_unstable();
        let same = || pairs.chunk_by(|one, other| one == other);
        let links = same().map(|same| ((same[0] >> 32) as usize, same[0] as u32));
        Some(Self {
            sources: Ragged::from_sorted(sites, links)?,
            weights: same().map(|same| same.len() as u32).collect(),
        })
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.sources.len()
    }

    /// Every link as (target, source), in order.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let rows = (0..).zip(self.sources.iter());
        rows.flat_map(|(target, sources)| sources.iter().map(move |&source| (target, source)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pages(ids: Vec<u64>, links: &[(u64, u64)]) -> Inlinks {
        Inlinks::of_pages(ids, links.iter().copied()).expect("sorted links")
    }

    #[test]
    fn links_become_page_numbers_and_each_counts_once() {
        let links = [(10, 20), (10, 20), (10, 40), (15, 10), (40, 10), (40, 99)];
        let found = of_pages(vec![10, 20, 30, 40], &links);
        assert_eq!(found.sources.ends().as_slice(), [2, 2, 2, 3]);
        assert_eq!(found.sources.values(), [1, 3, 0]);
        assert_eq!(found.pairs().collect::<Vec<_>>(), [(0, 1), (0, 3), (3, 0)]);
    }

    #[test]
    fn links_between_sites_are_counted() {
        let links = [(1, 2), (1, 3), (2, 3), (3, 1), (4, 1), (4, 2)];
        let pages = of_pages(vec![1, 2, 3, 4], &links);
        let sites = pages.of_sites(&[0, 0, 2, 2], 4).expect("known sites");
        assert_eq!(sites.sources.ends().as_slice(), [1, 1, 2, 2]);
        assert_eq!(sites.sources.values(), [2, 0]);
        assert_eq!(sites.weights, [2, 3]);
    }

    #[test]
    fn no_pages_give_an_empty_graph() {
        assert_eq!(of_pages(vec![], &[]), Inlinks::default());
    }

    #[test]
    fn unsorted_links_are_rejected() {
        let links = [(20, 10), (10, 20)];
        assert_eq!(Inlinks::of_pages(vec![10, 20], links.into_iter()), None);
        let pages = of_pages(vec![1, 2], &[(1, 2)]);
        assert_eq!(pages.of_sites(&[3, 0], 2), None);
    }
}
