"""What a crawl is: how much of what, its best known sites, and pages to begin with."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from pagekin.opened import Index

__all__ = ["Beginning", "Overview", "SiteLine", "overview"]

LISTED = 8
LOOKED_AT = 64
"""So many pages of the highest rank are looked at for some that were crawled and have a title."""


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site with crawled pages."""

    site: str
    home: str
    title: str | None
    pages: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """A page that many others lead to."""

    url: str
    title: str
    site: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The counts of an index, its sites and pages by PageRank."""

    pages: int
    linked: int
    sites: int
    links: int
    terms: int
    best_sites: list[SiteLine]
    best_pages: list[Beginning]


def overview(index: Index) -> Overview:
    """An overview of the index; it is computed once, for it looks at the rank of every page."""
    found = _known.get(index)
    if found is None:
        found = _known[index] = _computed(index)
    return found


_known: WeakKeyDictionary[Index, Overview] = WeakKeyDictionary()


def _computed(index: Index) -> Overview:
    counts = index.manifest.counts
    with index.blaming():
        sites = sum(batch.num_rows for batch in index.tables["sites"].batches())
        return Overview(
            pages=counts["pages"],
            linked=counts["bags"] - counts["pages"],
            sites=sites,
            links=counts["links"],
            terms=counts["terms"],
            best_sites=list(_sites(index))[:LISTED] if sites > 1 else [],
            best_pages=list(_pages(index))[:LISTED],
        )


def _sites(index: Index) -> Iterator[SiteLine]:
    for number, row in _highest(index, "sites"):
        site = index.tables["sites"].batch(number).slice(row, 1).to_pylist()[0]
        home = site["root"] and index.tables["pages"].find(site["root"])
        if site["pages"] and home:
            yield SiteLine(site["site"], home["url"], home["title"], site["pages"])


def _pages(index: Index) -> Iterator[Beginning]:
    for number, row in _highest(index, "ranks"):
        key = index.tables["ranks"].batch(number).column("id")[row].as_py()
        page = index.tables["pages"].find(key)
        if page and page["crawled"] and page["title"]:
            yield Beginning(page["url"], page["title"], page["site"])


def _highest(index: Index, table: str) -> list[tuple[int, int]]:
    """The rows of the highest rank, as batch and row, best first."""
    best: list[tuple[float, int, int]] = []
    for number, batch in enumerate(index.tables[table].batches()):
        ranks = batch.column("rank").to_numpy()
        rows = np.arange(len(ranks))
        if len(ranks) > LOOKED_AT:
            rows = np.argpartition(ranks, -LOOKED_AT)[-LOOKED_AT:]
        best += [(-float(ranks[row]), number, row) for row in rows.tolist()]
        best = heapq.nsmallest(LOOKED_AT, best)
    return [(number, row) for _, number, row in best]
