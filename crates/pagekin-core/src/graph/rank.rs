//! PageRank (Page et al. 1998) by power iteration, in integers.
//!
//! All ranks together are [`TOTAL`] units, of which a node gives whole ones along its links. Sums of
//! integers are the same in any order, so the bits of the result depend on the graph alone, not on
//! how it is cut or in which order it is added up. [`share`], [`teleport`] and [`is_settled`] are the
//! whole rule; [`page_rank`] applies it to a graph in memory.

use super::links::Inlinks;

/// The sum of all ranks. Twice 85 % of it is below 2^63. A
/// node of a graph of ten billion has 460 million units on average.
pub const TOTAL: u64 = 1 << 62;
/// The damping factor: how much of a node's rank goes along its links; the rest is teleported.
const DAMPING: (u64, u64) = (17, 20);
/// Iteration ends when all ranks together change by less than this: 1e-7.
const TOLERANCE: u64 = TOTAL / 10_000_000;
/// 0.85 to this power is below the tolerance.
pub const MAX_ROUNDS: usize = 100;

/// What a node gives along one of its links.
pub fn share(rank: u64, links: u64) -> u64 {
    (rank / DAMPING.1 * DAMPING.0)
        .checked_div(links)
        .unwrap_or(0)
}

/// The rank that every node gets by teleportation if `given` units went along links. What does not
/// divide is lost until the next round.
pub fn teleport(given: u64, nodes: u64) -> u64 {
    (TOTAL - given).checked_div(nodes).unwrap_or(0)
}

/// Whether the ranks are final: `change` is by how much they changed together.
pub fn is_settled(change: u64) -> bool {
    change < TOLERANCE
}

/// A rank as a fraction of all.
pub fn fraction(rank: u64) -> f64 {
    rank as f64 / TOTAL as f64
}

/// The PageRank of every node; they sum to 1. The rank of a node without links is teleported.
pub fn page_rank(graph: &Inlinks) -> Vec<f64> {
    let nodes = graph.nodes();
    let leaving = leaving(graph);
    let mut ranks = vec![teleport(0, nodes as u64); nodes];
    let mut shares = vec![0; nodes];
    let mut gained = vec![0; nodes];
    for _ in 0..MAX_ROUNDS {
        for ((given, &rank), &links) in shares.iter_mut().zip(&ranks).zip(&leaving) {
            *given = share(rank, links);
        }
        for (node, gained) in gained.iter_mut().enumerate() {
            *gained = received(graph, node, &shares);
        }
        if is_settled(renew(&mut ranks, &gained)) {
            break;
        }
    }
    ranks.into_iter().map(fraction).collect()
}

/// Renews the ranks by what nodes have gained; returns by how much they changed.
fn renew(ranks: &mut [u64], gained: &[u64]) -> u64 {
    let base = teleport(gained.iter().sum(), ranks.len() as u64);
    let mut change = 0;
    for (rank, &gained) in ranks.iter_mut().zip(gained) {
        let next = base + gained;
        change += next.abs_diff(*rank);
        *rank = next;
    }
    change
}

/// The weight of the links that leave each node.
fn leaving(graph: &Inlinks) -> Vec<u64> {
    let mut leaving = vec![0; graph.nodes()];
    for (at, &source) in graph.sources.values().iter().enumerate() {
        leaving[source as usize] += u64::from(graph.weights.get(at).copied().unwrap_or(1));
    }
    leaving
}

fn received(graph: &Inlinks, node: usize, shares: &[u64]) -> u64 {
    let sources = graph.sources.row(node);
    if graph.weights.is_empty() {
        return sources.iter().map(|&source| shares[source as usize]).sum();
    }
    let weights = &graph.weights[graph.sources.ends().range(node)];
    let given = |(&source, &weight): (&u32, &u32)| shares[source as usize] * u64::from(weight);
    sources.iter().zip(weights).map(given).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Ragged;

    fn graph(nodes: u64, links: &[(u64, u64)]) -> Inlinks {
        Inlinks::of_pages((0..nodes).collect(), links.iter().copied()).expect("sorted links")
    }

    #[test]
    fn ring_has_equal_ranks_and_a_dangling_node_gives_to_all() {
        let ring = page_rank(&graph(4, &[(0, 3), (1, 0), (2, 1), (3, 2)]));
        assert!(ring.iter().all(|rank| (rank - 0.25).abs() < 1e-6));
        // b is linked from a and links nowhere: a = .075 + .425 b, b = a + .85 a.
        let two = page_rank(&graph(2, &[(1, 0)]));
        assert!((two[0] - 1.0 / 2.85).abs() < 1e-6, "{two:?}");
        assert!((two.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn empty_graph_has_no_ranks_and_unlinked_nodes_have_equal_ranks() {
        assert_eq!(page_rank(&Inlinks::default()), Vec::<f64>::new());
        assert!(page_rank(&graph(5, &[]))
            .iter()
            .all(|&rank| (rank - 0.2).abs() < 1e-12));
    }

    #[test]
    fn weight_counts_a_link_several_times() {
        // 0 gives 3/4 of what it gives to 1 and 1/4 to 2.
        let weighted = Inlinks {
            sources: Ragged::from_sorted(3, [(0, 1), (0, 2), (1, 0), (2, 0)]).expect("sorted"),
            weights: vec![1, 1, 3, 1],
        };
        let ranks = page_rank(&weighted);
        let teleport = 0.05;
        assert!((ranks[1] - teleport - 0.85 * 0.75 * ranks[0]).abs() < 1e-6);
        assert!((ranks[2] - teleport - 0.85 * 0.25 * ranks[0]).abs() < 1e-6);
    }

    #[test]
    fn shares_never_exceed_the_rank() {
        for (rank, links) in [(TOTAL, 1), (TOTAL, 3), (19, 1), (1 << 40, 1000), (5, 0)] {
            let given = u128::from(share(rank, links)) * u128::from(links);
            assert!(given * 20 <= u128::from(rank) * 17);
        }
        // A node that all others link to has the highest possible rank.
        let star: Vec<_> = (1..1000).map(|source| (0, source)).collect();
        let ranks = page_rank(&graph(1000, &star));
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // It has what the others gave in the last round, in which all changed by less than 1e-7.
        assert!((ranks[0] - (1.0 + 0.85 * 999.0) * ranks[1]).abs() < 1e-7);
    }
}
