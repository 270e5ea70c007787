"""The kernels of the site graph against networkx: PageRank and the minimal subgraph."""

from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pagekin import _core

NONE = 0xFFFFFFFF
Links = list[tuple[int, int]]
PAGES = some.integers(1, 12)


@some.composite
def graphs(draw: some.DrawFn) -> tuple[int, Links]:
    """Pages and links (source, target): cycles, self-loops, parts that do not meet."""
    pages = draw(PAGES)
    page = some.integers(0, pages - 1)
    return pages, draw(some.lists(some.tuples(page, page), max_size=50))


def link_graph(pages: int, links: Links) -> _core.LinkGraph:
    ordered = sorted((target, source) for source, target in links)
    columns = [pa.array([link[side] for link in ordered], pa.uint64()) for side in (0, 1)]
    batch = pa.record_batch(columns, names=["target", "source"])
    cut = len(ordered) // 2
    parts = [batch.slice(0, cut), batch.slice(cut)]
    return _core.LinkGraph(numbers(range(pages), pa.uint64()), parts)


def numbers(values: Any, kind: Any = None) -> Any:
    return pa.array(list(values), kind or pa.uint32())


def arcs(graph: _core.LinkGraph, site_of: list[int], roots: list[int]) -> Links:
    found = graph.minimal(numbers(site_of), numbers(roots)).column("targets").to_pylist()
    return [(page, target) for page, targets in enumerate(found) for target in targets or ()]


@settings(max_examples=150)
@given(graphs())
def test_page_rank_matches_networkx(graph: tuple[int, Links]) -> None:
    pages, links = graph
    expected: nx.DiGraph[int] = nx.DiGraph()
    expected.add_nodes_from(range(pages))
    expected.add_edges_from(links)
    ranks = link_graph(pages, links).page_ranks().to_numpy()
    wanted = nx.pagerank(expected, tol=1e-12, max_iter=1000)
    assert ranks.sum() == pytest.approx(1, abs=1e-6)
    # What is left to change shrinks by 0.85 a round, from 1e-7 at the end.
    assert abs(ranks - np.array([wanted[page] for page in range(pages)])).sum() < 1e-6


@settings(max_examples=100)
@given(graphs(), some.integers(1, 4), some.randoms(use_true_random=False))
def test_site_rank_matches_networkx_on_links_between_sites(
    graph: tuple[int, Links], sites: int, random: Any
) -> None:
    pages, links = graph
    site_of = [random.randrange(sites) for _ in range(pages)]
    expected: nx.DiGraph[int] = nx.DiGraph()
    expected.add_nodes_from(range(sites))
    for source, target in set(links):
        one, other = site_of[source], site_of[target]
        if one != other:
            weight = expected.get_edge_data(one, other, {"weight": 0})["weight"]
            expected.add_edge(one, other, weight=weight + 1)
    ranks = link_graph(pages, links).site_ranks(numbers(site_of), sites).to_numpy()
    wanted = nx.pagerank(expected, tol=1e-12, max_iter=1000)
    assert abs(ranks - np.array([wanted[site] for site in range(sites)])).sum() < 1e-6


@settings(max_examples=150)
@given(graphs(), some.integers(1, 4), some.randoms(use_true_random=False))
def test_minimal_subgraph_reaches_every_page_without_cycles(
    graph: tuple[int, Links], sites: int, random: Any
) -> None:
    pages, links = graph
    site_of = [random.choice([*range(sites), NONE]) for _ in range(pages)]
    roots = [
        random.choice([page for page in range(pages) if site_of[page] == site] or [NONE])
        for site in range(sites)
    ]
    kept = arcs(link_graph(pages, links), site_of, roots)
    inside = nx.DiGraph(link for link in links if site_of[link[0]] == site_of[link[1]] != NONE)
    inside.add_nodes_from(range(pages))
    reached = {page for root in roots if root != NONE for page in nx.bfs_tree(inside, root)}
    found = nx.DiGraph(kept)
    found.add_nodes_from(range(pages))
    assert kept == sorted(set(kept))
    assert nx.is_directed_acyclic_graph(found)
    assert {page for root in roots if root != NONE for page in nx.bfs_tree(found, root)} == reached
    dropped = {link for link in inside.edges if link[0] in reached} - set(kept)
    assert set(kept) <= set(inside.edges)
    # What was dropped would close a cycle: there is a way back.
    assert all(nx.has_path(found, target, source) for source, target in dropped)


def test_minimal_subgraph_is_depth_first_in_page_order() -> None:
    links = [(0, 2), (0, 1), (1, 2), (2, 1), (2, 0), (1, 1)]
    assert arcs(link_graph(3, links), [0, 0, 0], [0]) == [(0, 1), (0, 2), (1, 2)]
    assert arcs(link_graph(3, links), [0, 0, 0], [2]) == [(0, 1), (2, 0), (2, 1)]


def test_numbers_of_wrong_type_are_rejected() -> None:
    with pytest.raises(ValueError, match="expected UInt32"):
        link_graph(1, []).minimal(numbers([0], pa.int64()), numbers([0]))


@pytest.mark.slow
def test_minimal_subgraph_of_a_million_arcs_is_acyclic() -> None:
    random = np.random.default_rng(3)
    links = random.integers(0, 100_000, (1_000_000, 2))
    ordered = links[np.lexsort((links[:, 1], links[:, 0]))].astype(np.uint64)
    columns = [pa.array(ordered[:, side].copy()) for side in (0, 1)]
    batch = pa.record_batch(columns, names=["target", "source"])
    graph = _core.LinkGraph(numbers(range(100_000), pa.uint64()), [batch])
    kept = arcs(graph, [page % 3 for page in range(100_000)], [0, 1, 2])
    assert len(kept) > 100_000
    assert nx.is_directed_acyclic_graph(nx.DiGraph(kept))
