"""The site graphs of a crawl: ranks of pages and sites, roots, minimal subgraphs.

Made from the tables `pages` and `links` of a draft when both are whole. Pages are numbered in
their order there, sites in the order of their ids. In memory are a few bytes a page and a link.

The root of a site is its home page, else the page of highest PageRank among those that link to
another page of the site: a root that leads nowhere would leave the site empty.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.index import schema_of
from pagekin.url import domains

__all__ = ["SiteGraphs", "site_graphs", "sited"]

NONE = 0xFFFFFFFF
"""No site, or no root."""
_HOMES = ("http://www.{}/", "https://www.{}/", "http://{}/", "https://{}/")
"""What a home page is called, the best last; the `www.` is met where a site is a domain."""

Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class SiteGraphs:
    """Three tables of the index."""

    ranks: pa.RecordBatch
    arcs: pa.RecordBatch
    sites: pa.RecordBatch

    @property
    def site_of(self) -> "pa.Array[Any]":
        """The site of each page."""
        return self.ranks.column("site")


@dataclass(frozen=True, slots=True)
class _Pages:
    """All pages: their ids, the ids of their sites' names, whether they were crawled."""

    id: Numbers
    site: Numbers
    crawled: Numbers
    names: dict[int, str]


def site_graphs(pages: Iterable[pa.RecordBatch], links: Iterable[pa.RecordBatch]) -> SiteGraphs:
    """The graphs of all sites of a crawl."""
    found = _read(pages)
    between = [batch.select(["target", "source"]) for batch in links]
    graph = _core.LinkGraph(pa.array(found.id), between)
    ids, places = np.unique(found.site, return_inverse=True)
    site_of = places.astype(np.uint32)
    rank = graph.page_ranks()
    names = [found.names[site] for site in ids.tolist()]
    inside = np.where(found.crawled, site_of, np.uint32(NONE))
    highest = graph.highest(pa.array(inside), rank, len(ids))
    roots = _at_home(found, site_of, highest.to_numpy().copy(), names)
    arcs = graph.minimal(pa.array(inside), pa.array(roots)).column("targets")
    sites = [
        pa.array(ids),
        pa.array(names, pa.string()),
        _count(site_of[found.crawled], len(ids)),
        _count(site_of, len(ids)),
        pa.array(found.id[np.where(roots == NONE, 0, roots)], mask=roots == NONE),
        graph.site_ranks(pa.array(site_of), len(ids)),
    ]
    return SiteGraphs(
        _batch("ranks", [pa.array(found.id), pa.array(site_of), rank]),
        _batch("arcs", [pa.array(found.id), arcs]),
        _batch("sites", sites),
    )


def sited(pages: pa.RecordBatch, kind: str) -> pa.RecordBatch:
    """Pages whose sites are hosts, with sites of the kind that the strategy has."""
    if kind == "host":
        return pages
    place = pages.schema.get_field_index("site")
    return pages.set_column(place, pages.schema.field(place), domains(pages.column(place)))


def _batch(table: str, columns: list[Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(columns, schema=schema_of(table, 0))


def _count(values: Numbers, most: int) -> "pa.Array[Any]":
    return pa.array(np.bincount(values, minlength=most).astype(np.uint32))


def _read(batches: Iterable[pa.RecordBatch]) -> _Pages:
    names: dict[int, str] = {}
    parts: list[tuple[Numbers, Numbers, Numbers]] = []
    for batch in batches:
        site = _core.url_ids(batch.column("site")).to_numpy()
        for number, row in zip(*(found.tolist() for found in np.unique(site, True)), strict=True):
            if number not in names:
                names[number] = str(batch.column("site")[row].as_py())
        crawled = batch.column("crawled").to_numpy(zero_copy_only=False)
        parts.append((batch.column("id").to_numpy(), site, crawled))
    ids, sites, crawled = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _Pages(ids, sites, crawled, names)


def _at_home(pages: _Pages, site_of: Numbers, roots: Numbers, names: list[str]) -> Numbers:
    """The roots, with the home page where it was crawled."""
    for home in _HOMES:
        wanted = np.array([_core.url_id(home.format(name)) for name in names], np.uint64)
        place = np.minimum(np.searchsorted(pages.id, wanted), len(pages.id) - 1)
        there = (pages.id[place] == wanted) & pages.crawled[place]
        there &= site_of[place] == np.arange(len(names))
        roots[there] = place[there]
    return roots
