//! Roots of sites by PageRank: where the search of a site begins if its home page was not crawled.

use super::links::Inlinks;
use super::NONE;

/// The page of highest rank of each site, the first of equals, among those that
/// link to another page of the site; if none does, among all. [`NONE`] for a
/// site without pages.
pub fn highest(links: &Inlinks, site_of: &[u32], ranks: &[f64], sites: usize) -> Vec<u32> {
    let mut leads_on = vec![false; links.nodes()];
    for (target, source) in links.pairs() {
        leads_on[source as usize] |= site_of[target as usize] == site_of[source as usize];
    }
    let mut best = vec![NONE; sites];
    let inside = site_of.iter().enumerate().filter(|(_, &site)| site != NONE);
    for (page, &site) in inside {
        let held = &mut best[site as usize];
        let worth = |page: usize| (leads_on[page], ranks[page]);
        if *held == NONE || worth(page) > worth(*held as usize) {
            *held = page as u32;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Ragged;

    #[test]
    fn root_is_the_highest_ranked_page_with_links() {
        // 0 -> 1 -> 2 in one site, 3 and 4 without links in another, 5 in none.
        let links = Inlinks {
            sources: Ragged::from_sorted(6, [(1, 0), (2, 1), (5, 0)]).expect("sorted"),
            weights: vec![],
        };
        let ranks = [0.1, 0.2, 0.4, 0.3, 0.3, 0.9];
        let sites = [0, 0, 0, 1, 1, NONE];
        assert_eq!(highest(&links, &sites, &ranks, 3), [1, 3, NONE]);
    }
}
