//! PageRank by sparse iteration. Every sum is taken in the order of nodes, so
//! the bits of the result depend on the graph alone.

use super::links::Inlinks;

/// How much of a node's rank goes along its links; the rest goes everywhere.
const DAMPING: f64 = 0.85;
/// Iteration ends when all ranks together change by less than this.
const TOLERANCE: f64 = 1e-7;
/// 0.85 to this power is below the tolerance.
const MOST_ROUNDS: usize = 100;

/// The PageRank of every node; they sum to 1. The rank of a node without links
/// goes everywhere.
pub fn page_rank(graph: &Inlinks) -> Vec<f64> {
    let nodes = graph.nodes();
    let leaving = leaving(graph);
    let mut ranks = vec![1.0 / nodes as f64; nodes];
    let mut shares = vec![0.0; nodes];
    for _ in 0..MOST_ROUNDS {
        let lost = share_out(&ranks, &leaving, &mut shares);
        let everywhere = (1.0 - DAMPING + DAMPING * lost) / nodes as f64;
        let mut change = 0.0;
        for (node, rank) in ranks.iter_mut().enumerate() {
            let next = everywhere + DAMPING * received(graph, node, &shares);
            change += (next - *rank).abs();
            *rank = next;
        }
        if change < TOLERANCE {
            break;
        }
    }
    ranks
}

/// The weight of the links that leave each node.
fn leaving(graph: &Inlinks) -> Vec<u64> {
    let mut leaving = vec![0; graph.nodes()];
    for (at, &source) in graph.sources.iter().enumerate() {
        leaving[source as usize] += u64::from(graph.weights.get(at).copied().unwrap_or(1));
    }
    leaving
}

/// What each node gives along one link; returns what nodes without any hold.
fn share_out(ranks: &[f64], leaving: &[u64], shares: &mut [f64]) -> f64 {
    let mut lost = 0.0;
    for ((share, &rank), &links) in shares.iter_mut().zip(ranks).zip(leaving) {
        if links == 0 {
            lost += rank;
        } else {
            *share = rank / links as f64;
        }
    }
    lost
}

fn received(graph: &Inlinks, node: usize, shares: &[f64]) -> f64 {
    let range = graph.range(node);
    let sources = &graph.sources[range.clone()];
    if graph.weights.is_empty() {
        return sources.iter().map(|&source| shares[source as usize]).sum();
    }
    let weights = &graph.weights[range];
    let given = |(&source, &weight): (&u32, &u32)| shares[source as usize] * f64::from(weight);
    sources.iter().zip(weights).map(given).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: u64, links: &[(u64, u64)]) -> Inlinks {
        Inlinks::of_pages((0..nodes).collect(), links.iter().copied())
    }

    #[test]
    fn a_ring_shares_evenly_and_a_dangling_node_gives_to_all() {
        let ring = page_rank(&graph(4, &[(0, 3), (1, 0), (2, 1), (3, 2)]));
        assert!(ring.iter().all(|rank| (rank - 0.25).abs() < 1e-6));
        // b is linked from a and links nowhere: a = .075 + .425 b, b = a + .85 a.
        let two = page_rank(&graph(2, &[(1, 0)]));
        assert!((two[0] - 1.0 / 2.85).abs() < 1e-6, "{two:?}");
        assert!((two.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn no_nodes_have_no_ranks_and_no_links_make_equals() {
        assert_eq!(page_rank(&Inlinks::default()), Vec::<f64>::new());
        assert!(page_rank(&graph(5, &[]))
            .iter()
            .all(|&rank| (rank - 0.2).abs() < 1e-12));
    }

    #[test]
    fn weights_are_links_that_count_several_times() {
        // 0 gives 3/4 of what it gives to 1 and 1/4 to 2.
        let weighted = Inlinks {
            ends: vec![2, 3, 4],
            sources: vec![1, 2, 0, 0],
            weights: vec![1, 1, 3, 1],
        };
        let ranks = page_rank(&weighted);
        let teleport = 0.05;
        assert!((ranks[1] - teleport - 0.85 * 0.75 * ranks[0]).abs() < 1e-6);
        assert!((ranks[2] - teleport - 0.85 * 0.25 * ranks[0]).abs() < 1e-6);
    }
}
