"""Sigma: from a keyword to the sites about it (section 3.1).

A site is about a word if the word is in its pages or in the windows of links to them. How much:
the number of its URLs of which that is true. Sites are ordered by their PageRank times that.
(The share of its URLs instead would put sites of one or two pages first; BENCHMARKS.md.)
"""

from dataclasses import dataclass

import numpy as np

from pagekin.index.rows import Numbers
from pagekin.pairs.graph import SiteGraph
from pagekin.pairs.keywords import Occurrences

__all__ = ["Sites", "sites_about"]


@dataclass(frozen=True, slots=True)
class Sites:
    """Sites in order, with their PageRank and how much each is about the keyword."""

    number: Numbers
    rank: Numbers
    about: Numbers

    def part(self, start: int, end: int) -> "Sites":
        """Some of them, in order."""
        return Sites(self.number[start:end], self.rank[start:end], self.about[start:end])


def sites_about(graph: SiteGraph, found: Occurrences) -> Sites:
    """The sites with crawled pages that a keyword leads to, the best first."""
    site = graph.site_of(found.pages)
    # A list is by site: what stands together is one.
    first = np.flatnonzero(np.concatenate(([True], site[1:] != site[:-1])))
    number, carriers = site[first], np.diff(first, append=len(site))
    crawled = graph.sites.take("pages", number) > 0
    number, carriers = number[crawled], carriers[crawled]
    rank = graph.sites.take("rank", number)
    order = np.lexsort((number, -rank * carriers))
    return Sites(number[order], rank[order], carriers[order])
