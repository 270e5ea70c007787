//! Hand-worked graphs, and properties of random ones.

use std::collections::HashSet;

use super::*;

/// Numbers that look random and are the same everywhere (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// A graph of (source, target) links, self-loops and all.
fn graph(nodes: usize, links: &[(u32, u32)]) -> Inlinks {
    let mut pairs: Vec<(u32, u32)> = links.iter().map(|&(from, to)| (to, from)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let pairs = pairs.into_iter();
    let sources = pairs.map(|(target, source)| (target as usize, source));
    Inlinks {
        sources: Ragged::from_sorted(nodes, sources).expect("sorted"),
        weights: Vec::new(),
    }
}

fn pairs(arcs: &Ragged<u32>) -> Vec<(u32, u32)> {
    (0..)
        .zip(arcs.iter())
        .flat_map(|(page, targets)| targets.iter().map(move |&target| (page, target)))
        .collect()
}

/// Whether every arc can be taken away from a page that no arc leads to.
fn is_acyclic(nodes: usize, arcs: &[(u32, u32)]) -> bool {
    let mut incoming = vec![0; nodes];
    let mut out = vec![Vec::new(); nodes];
    for &(source, target) in arcs {
        incoming[target as usize] += 1;
        out[source as usize].push(target);
    }
    let mut free: Vec<usize> = (0..nodes).filter(|&page| incoming[page] == 0).collect();
    let mut taken = 0;
    while let Some(page) = free.pop() {
        for &target in &out[page] {
            taken += 1;
            incoming[target as usize] -= 1;
            if incoming[target as usize] == 0 {
                free.push(target as usize);
            }
        }
    }
    taken == arcs.len()
}

fn reachable(nodes: usize, arcs: &[(u32, u32)], roots: &[u32]) -> HashSet<u32> {
    let mut out = vec![Vec::new(); nodes];
    for &(source, target) in arcs {
        out[source as usize].push(target);
    }
    let mut seen: HashSet<u32> = roots.iter().copied().collect();
    let mut waiting: Vec<u32> = roots.to_vec();
    while let Some(page) = waiting.pop() {
        for &target in &out[page as usize] {
            if seen.insert(target) {
                waiting.push(target);
            }
        }
    }
    seen
}

#[test]
fn cycles_back_links_and_links_to_other_sites_are_dropped() {
    // Figure 1: e1, e2, e3 form a cycle, e4 and e5 lead back, e6 leaves the site.
    let links = [
        (0, 1),
        (1, 2),
        (2, 0),
        (1, 0),
        (0, 3),
        (3, 0),
        (3, 3),
        (1, 4),
        (4, 1),
    ];
    let arcs = minimal(&graph(5, &links), &[0, 0, 0, 0, 1], &[0, 4]);
    assert_eq!(pairs(&arcs), [(0, 1), (0, 3), (1, 2)]);
}

#[test]
fn unreachable_pages_have_no_arcs() {
    let links = [(1, 0), (1, 2), (2, 3), (3, 2)];
    assert_eq!(pairs(&minimal(&graph(4, &links), &[0; 4], &[0])), []);
    assert_eq!(
        pairs(&minimal(&graph(4, &links), &[0; 4], &[1])),
        [(1, 0), (1, 2), (2, 3)]
    );
    assert_eq!(pairs(&minimal(&graph(4, &links), &[0; 4], &[NONE])), []);
    let outside = [0, 0, NONE, NONE];
    assert_eq!(pairs(&minimal(&graph(4, &links), &outside, &[1])), [(1, 0)]);
}

#[test]
fn random_graphs_lose_only_their_cycles() {
    let mut random = Random(7);
    for round in 0..300 {
        let nodes = 1 + random.below(30);
        let sites = 1 + random.below(4);
        let links: Vec<(u32, u32)> = (0..random.below(120))
            .map(|_| (random.below(nodes) as u32, random.below(nodes) as u32))
            .collect();
        let site_of: Vec<u32> = (0..nodes).map(|_| random.below(sites) as u32).collect();
        let root = |site| (0..nodes).rev().find(|&page| site_of[page] == site);
        let roots: Vec<u32> = (0..sites as u32)
            .map(|site| root(site).map_or(NONE, |page| page as u32))
            .collect();
        let kept = pairs(&minimal(&graph(nodes, &links), &site_of, &roots));
        assert!(is_acyclic(nodes, &kept), "round {round}");
        let inside: Vec<(u32, u32)> = links
            .iter()
            .copied()
            .filter(|&(from, to)| site_of[from as usize] == site_of[to as usize])
            .collect();
        let roots: Vec<u32> = roots.into_iter().filter(|&root| root != NONE).collect();
        let reached = reachable(nodes, &inside, &roots);
        assert_eq!(reachable(nodes, &kept, &roots), reached, "round {round}");
        for link in inside {
            let with = [&kept[..], &[link]].concat();
            let closes_a_cycle = !is_acyclic(nodes, &with);
            let is_kept = kept.contains(&link);
            assert_eq!(
                is_kept,
                reached.contains(&link.0) && (is_kept || !closes_a_cycle)
            );
        }
    }
}

#[test]
fn large_graphs_and_long_paths_are_handled() {
    let mut random = Random(11);
    let nodes = 50_000;
    let links: Vec<(u32, u32)> = (0..1_000_000)
        .map(|_| (random.below(nodes) as u32, random.below(nodes) as u32))
        .collect();
    let site_of: Vec<u32> = (0..nodes as u32).map(|page| page % 3).collect();
    let kept = pairs(&minimal(&graph(nodes, &links), &site_of, &[0, 1, 2]));
    assert!(kept.len() > 100_000);
    assert!(is_acyclic(nodes, &kept));

    let long = 1_000_000;
    let path: Vec<(u32, u32)> = (1..long).map(|page| (page - 1, page)).collect();
    let ring = [&path[..], &[(long - 1, 0)]].concat();
    let kept = minimal(&graph(long as usize, &ring), &vec![0; long as usize], &[0]);
    assert_eq!(pairs(&kept), path);
}
