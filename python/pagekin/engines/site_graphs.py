"""The site graphs of a crawl: ranks of pages and sites, roots, minimal subgraphs.

They are built from the complete tables `pages` and `links` of a draft. Pages are numbered in their
order there, sites in the order of their ids, and of their names if two have one id. Each page and
each link takes a few bytes of memory.

The root of a site is its home page, or else the page of highest PageRank among those that link to
another page of the site: from a root without links no page could be reached.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import Numbers, array, flags, numbers, word_array
from pagekin.index import schema_of
from pagekin.url import registrable_domains

__all__ = ["SiteGraphs", "SitePages", "assign_sites", "site_graphs", "subgraphs"]

NONE = 0xFFFFFFFF
"""No site, or no root."""
_HOMES = ("http://www.{}/", "https://www.{}/", "http://{}/", "https://{}/")
"""Possible home pages of a site, the best last; `www.` matters if a site is a domain."""


@dataclass(frozen=True, slots=True)
class SiteGraphs:
    """Three tables of the index."""

    ranks: pa.RecordBatch
    arcs: pa.RecordBatch
    sites: pa.RecordBatch

    def tables(self) -> dict[str, pa.RecordBatch]:
        """The tables by name."""
        return {"ranks": self.ranks, "arcs": self.arcs, "sites": self.sites}

    @property
    def site_of(self) -> "pa.Array[Any]":
        """The site of each page."""
        return self.ranks.column("site")


@dataclass(frozen=True, slots=True)
class SitePages:
    """Pages in order of their ids: the number of their sites, and whether they were crawled.

    `names` are those of the sites by their numbers.
    """

    id: Numbers
    site_of: Numbers
    crawled: Numbers
    names: list[str]


def site_graphs(pages: Iterable[pa.RecordBatch], links: Iterable[pa.RecordBatch]) -> SiteGraphs:
    """The graphs of all sites of a crawl."""
    ids, found = _read(pages)
    between = [batch.select(["target", "source"]) for batch in links]
    graph = _core.LinkGraph(array(found.id), between)
    rank = graph.page_ranks()
    roots, arcs = subgraphs(graph, found, rank)
    sites = [
        array(ids),
        word_array(found.names),
        _count(found.site_of[found.crawled], len(ids)),
        _count(found.site_of, len(ids)),
        _root_ids(found.id, roots),
        graph.site_ranks(array(found.site_of), len(ids)),
    ]
    return SiteGraphs(
        _batch("ranks", [array(found.id), array(found.site_of), rank]),
        _batch("arcs", [array(found.id), arcs]),
        _batch("sites", sites),
    )


def subgraphs(
    graph: _core.LinkGraph, pages: SitePages, rank: "pa.Array[Any]"
) -> "tuple[Numbers, pa.Array[Any]]":
    """The root of each site, as a place among the pages, and the arcs that leave each page.

    Sites do not touch each other here, so any whole sites can be done by themselves.
    """
    inside = np.where(pages.crawled, pages.site_of, np.uint32(NONE))
    highest = graph.highest(array(inside), rank, len(pages.names))
    roots = _at_home(pages, numbers(highest).copy())
    return roots, graph.minimal(array(inside), array(roots)).column("targets")


def _root_ids(ids: Numbers, roots: Numbers) -> "pa.Array[Any]":
    """The ids of roots; sites without a root have null with zero bits."""
    without = roots == NONE
    known = ids[np.where(without, 0, roots)]
    return array(np.where(without, np.uint64(0), known), ~without)


def assign_sites(pages: pa.RecordBatch, kind: str) -> pa.RecordBatch:
    """Pages by host, converted to the kind of site of the strategy."""
    if kind == "host":
        return pages
    place = pages.schema.get_field_index("site")
    return pages.set_column(
        place, pages.schema.field(place), registrable_domains(pages.column(place))
    )


def _batch(table: str, columns: list[Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(columns, schema=schema_of(table, 0))


def _count(values: Numbers, length: int) -> "pa.Array[Any]":
    return array(np.bincount(values, minlength=length).astype(np.uint32))


def _read(batches: Iterable[pa.RecordBatch]) -> tuple[Numbers, SitePages]:
    """The ids of the sites, and all pages. A site is its name: ids may be forged to be equal."""
    seen: dict[str, int] = {}
    parts: list[tuple[Numbers, Numbers, Numbers]] = []
    for batch in batches:
        site = batch.column("site").dictionary_encode()
        found = map(str, site.dictionary.to_pylist())
        numbered = [seen.setdefault(name, len(seen)) for name in found]
        sites = np.array(numbered, np.uint32)[numbers(site.indices)]
        parts.append((numbers(batch.column("id")), sites, flags(batch.column("crawled"))))
    pages, sites, crawled = (np.concatenate(column) for column in zip(*parts, strict=True))
    ids = numbers(_core.url_ids(word_array([*seen])))
    ordered = sorted(zip(ids.tolist(), seen, seen.values(), strict=True))
    names, place = [name for _, name, _ in ordered], np.empty(len(seen), np.uint32)
    place[[number for _, _, number in ordered]] = np.arange(len(seen), dtype=np.uint32)
    return np.sort(ids), SitePages(pages, place[sites], crawled, names)


def _at_home(pages: SitePages, roots: Numbers) -> Numbers:
    """The roots: the home page if it was crawled."""
    for home in _HOMES:
        wanted = np.array([_core.url_id(home.format(name)) for name in pages.names], np.uint64)
        place = np.minimum(np.searchsorted(pages.id, wanted), len(pages.id) - 1)
        there = (pages.id[place] == wanted) & pages.crawled[place]
        there &= pages.site_of[place] == np.arange(len(pages.names))
        roots[there] = place[there]
    return roots
