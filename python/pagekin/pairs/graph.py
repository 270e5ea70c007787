"""The site graphs of an index: the sites about a keyword, and the best arcs of sites.

Sigma leads from a keyword to the sites about it (section 3.1). A site is about a word if the word
is in its pages or in the windows of links to them. Sites are ordered by their PageRank times the
number of such URLs. (The share of such URLs would put sites of one or two pages first; see
BENCHMARKS.md.)

The cohesive arc measure (section 3.2) weights arcs. A feature vector has the strength of each
keyword in a page, from 0 to 1, in query order. Vectors are the rows of a matrix, so that many arcs
are weighted at once. Only pages with a keyword, and the arcs between them, are read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.index.tables.sorted import TableRows, spans
from pagekin.query.words.postings import Postings

__all__ = [
    "Arcs",
    "Features",
    "SiteGraph",
    "SiteRanking",
    "best_arcs",
    "cohesive",
    "cosine",
    "features",
    "ranked_sites",
    "sites_about",
]


class SiteGraph:
    """The graph of every site of a crawl, mapped."""

    def __init__(self, index: IndexReader) -> None:
        self.pages = TableRows(index.tables["ranks"])
        self.sites = TableRows(index.tables["sites"])
        self.arcs = TableRows(index.tables["arcs"])

    def site_of(self, pages: Numbers) -> Numbers:
        """The site of each page."""
        return self.pages.take("site", pages)

    def arcs_from(self, pages: Numbers) -> tuple[Numbers, Numbers]:
        """The arcs from these pages: the position of each source in `pages`, and the targets."""
        return self.arcs.lists("targets", pages)

    def spans(self, found: Postings, sites: Numbers) -> tuple[Numbers, Numbers]:
        """Start and end of each of these sites in a posting list, which is ordered by site.

        Binary search for all sites at once: a list may be long, and the sites are few.
        """
        return self._first(found.pages, sites), self._first(found.pages, sites + 1)

    def _first(self, pages: Numbers, sites: Numbers) -> Numbers:
        low = np.zeros(len(sites), np.int64)
        high = np.full(len(sites), len(pages), np.int64)
        while (low < high).any():
            middle = (low + high) // 2
            below = self.site_of(pages[np.minimum(middle, len(pages) - 1)]) < sites
            below &= low < high
            low = np.where(below, middle + 1, low)
            high = np.where(below, high, middle)
        return low


@dataclass(frozen=True, slots=True)
class SiteRanking:
    """Sites in order, with their PageRank and the number of their URLs with the keyword."""

    number: Numbers
    rank: Numbers
    about: Numbers

    def part(self, start: int, end: int) -> "SiteRanking":
        """The sites from `start` up to `end`."""
        return SiteRanking(self.number[start:end], self.rank[start:end], self.about[start:end])


def sites_about(graph: SiteGraph, found: Postings) -> SiteRanking:
    """The sites with crawled pages that a keyword selects, the best first."""
    site = graph.site_of(found.pages)
    # A posting list is ordered by site, so the pages of a site are contiguous.
    first = np.flatnonzero(np.concatenate(([True], site[1:] != site[:-1])))
    return ranked_sites(graph, site[first], np.diff(first, append=len(site)))


def ranked_sites(graph: SiteGraph, number: Numbers, carriers: Numbers) -> SiteRanking:
    """Of these sites those with crawled pages, by PageRank times the URLs that select them."""
    crawled = graph.sites.take("pages", number) > 0
    number, carriers = number[crawled], carriers[crawled]
    rank = graph.sites.take("rank", number)
    order = np.lexsort((number, -rank * carriers))
    return SiteRanking(number[order], rank[order], carriers[order])


@dataclass(frozen=True, slots=True)
class Features:
    """Pages in order, each with the count and the strength (0 to 1) of every keyword."""

    pages: Numbers
    counts: Numbers
    strengths: Numbers


@dataclass(frozen=True, slots=True)
class Arcs:
    """Arcs between pages with features: positions of source and target, weight, and site."""

    source: Numbers
    target: Numbers
    weight: Numbers
    site: Numbers


def features(graph: SiteGraph, lists: Sequence[Postings], sites: Numbers) -> Features:
    """The features of all pages of these sites that have a keyword.

    The strength is tf·idf divided by its maximum in the site. The idf of a keyword is the same in
    the whole crawl, so it cancels out.
    """
    inside = [found.at(spans(*graph.spans(found, sites))) for found in lists]
    inside = [found.at(np.flatnonzero(found.content)) for found in inside]
    pages = np.unique(np.concatenate([found.pages for found in inside]))
    counts = np.zeros((len(pages), len(lists)))
    for place, found in enumerate(inside):
        counts[np.searchsorted(pages, found.pages), place] = found.content
    return Features(pages, counts, counts / _highest(counts, graph.site_of(pages)))


def _highest(counts: Numbers, site_of: Numbers) -> Numbers:
    """The highest count of each keyword in the site of each page, at least 1."""
    _, group = np.unique(site_of, return_inverse=True)
    highest = np.ones((int(group.max(initial=-1)) + 1, counts.shape[1]))
    np.maximum.at(highest, group, counts)
    return highest[group]


def best_arcs(graph: SiteGraph, found: Features, alpha: float, limit: int) -> Arcs:
    """The `limit` heaviest arcs of each site, by site.

    Ties are broken by the PageRank of the two pages, then by their ids.
    """
    source, targets = graph.arcs_from(found.pages)
    place = np.minimum(np.searchsorted(found.pages, targets), len(found.pages) - 1)
    there = found.pages[place] == targets
    source, target = source[there], place[there]
    weight = cohesive(found.strengths[source], found.strengths[target], alpha)
    heavy = np.flatnonzero(weight)
    source, target, weight = source[heavy], target[heavy], weight[heavy]
    rank = graph.pages.take("rank", found.pages)
    site = graph.site_of(found.pages[source])
    order = np.lexsort((target, source, -(rank[source] + rank[target]), -weight, site))
    order = order[_first_of_each(site[order], limit)]
    return Arcs(source[order], target[order], weight[order], site[order])


def _first_of_each(groups: Numbers, limit: int) -> Numbers:
    """Which elements are among the first `limit` of their group; groups are contiguous."""
    _, starts, sizes = np.unique(groups, return_index=True, return_counts=True)
    first: Numbers = np.arange(len(groups)) - np.repeat(starts, sizes) < limit
    return first


def cohesive(source: Numbers, target: Numbers, alpha: float) -> Numbers:
    """The weight of each arc from a row of `source` to the same row of `target`.

    w(a, b) = Σ over x ≠ y of a[x]·b[y]·(alpha if x comes before y in the query, else 1 - alpha)
    """
    before = np.cumsum(source, axis=1) - source
    after = source.sum(axis=1, keepdims=True) - before - source
    weights: Numbers = (target * (alpha * before + (1 - alpha) * after)).sum(axis=1)
    return weights


def cosine(source: Numbers, target: Numbers) -> Numbers:
    """The cosine of the vectors in each row; 0 if one of them is zero."""
    product = (source * target).sum(axis=1)
    length = np.linalg.norm(source, axis=1) * np.linalg.norm(target, axis=1)
    cosines: Numbers = np.divide(product, length, out=np.zeros_like(product), where=length > 0)
    return cosines
