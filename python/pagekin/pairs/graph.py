"""The site graphs of an index: sites, ranks and the arcs of the minimal subgraphs."""

import numpy as np

from pagekin.index import IndexReader
from pagekin.index.rows import Numbers, Rows
from pagekin.pairs.keywords import Occurrences

__all__ = ["SiteGraph"]


class SiteGraph:
    """The graph of every site of a crawl, mapped."""

    def __init__(self, index: IndexReader) -> None:
        self.pages = Rows(index.tables["ranks"])
        self.sites = Rows(index.tables["sites"])
        self.arcs = Rows(index.tables["arcs"])

    def site_of(self, pages: Numbers) -> Numbers:
        """The site of each page."""
        return self.pages.take("site", pages)

    def arcs_from(self, pages: Numbers) -> tuple[Numbers, Numbers]:
        """The arcs that leave these pages: the place of each source in `pages`, and the targets."""
        return self.arcs.lists("targets", pages)

    def spans(self, found: Occurrences, sites: Numbers) -> tuple[Numbers, Numbers]:
        """Where in a list by site each of these sites begins and ends.

        By halving, for all sites at once: a list may be long, and the sites are few.
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
