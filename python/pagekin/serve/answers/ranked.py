"""Rows and pages by PageRank."""

import heapq

import numpy as np

from pagekin.opened import Index

__all__ = ["crawled_by_rank", "highest"]


def highest(index: Index, table: str, most: int) -> list[tuple[int, int]]:
    """The rows of the highest rank, at most so many, as batch and row, best first."""
    best: list[tuple[float, int, int]] = []
    for number, batch in enumerate(index.tables[table].batches()):
        ranks = batch.column("rank").to_numpy()
        rows = np.arange(len(ranks))
        if len(ranks) > most:
            rows = np.argpartition(ranks, -most)[-most:]
        best += [(-float(ranks[row]), number, row) for row in rows.tolist()]
        best = heapq.nsmallest(most, best)
    return [(number, row) for _, number, row in best]


def crawled_by_rank(index: Index, most: int) -> list[str]:
    """The URLs of the crawled ones among the pages of the highest rank, best first."""
    searcher, ranks = index.searcher, index.tables["ranks"]
    urls: list[str] = []
    with index.blaming():
        for number, row in highest(index, "ranks", most):
            place = searcher.find(ranks.batch(number).column("id")[row].as_py())
            if place is None:
                raise ranks.corrupt("a page cannot be found by its id")
            url, _, _, crawled = searcher.card(place)
            if crawled:
                urls.append(url)
    return urls
