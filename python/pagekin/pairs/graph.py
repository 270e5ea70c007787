"""The site graphs of an index, and sigma: from a keyword to the sites about it (section 3.1).

A site is about a word if the word is in its pages or in the windows of links to them. Sites are
ordered by their PageRank times the number of such URLs. (The share of such URLs would put sites of
one or two pages first; see BENCHMARKS.md.)
"""

from dataclasses import dataclass

import numpy as np

from pagekin.index import IndexReader
from pagekin.index.rows import Numbers, TableRows
from pagekin.query.postings import Postings

__all__ = ["SiteGraph", "SiteRanking", "sites_about"]


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
    number, carriers = site[first], np.diff(first, append=len(site))
    crawled = graph.sites.take("pages", number) > 0
    number, carriers = number[crawled], carriers[crawled]
    rank = graph.sites.take("rank", number)
    order = np.lexsort((number, -rank * carriers))
    return SiteRanking(number[order], rank[order], carriers[order])
