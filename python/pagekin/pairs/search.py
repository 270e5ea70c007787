"""From keywords to pairs: the first one picks the sites, the others the pages (section 3.3)."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from pagekin.errors import InputError, UnknownWord
from pagekin.index import IndexReader
from pagekin.pairs.answer import Carried, Pair, PairPage, Pairs, SitePairs
from pagekin.pairs.arcs import Arcs, Features, best_arcs, features
from pagekin.pairs.graph import SiteGraph
from pagekin.pairs.keywords import Keyword, Occurrences, occurrences, parse
from pagekin.pairs.sigma import Sites, sites_about

__all__ = ["ALPHA", "search"]

ALPHA = 0.6
AT_FIRST = 16
"""So many sites are looked at together at first, and twice as many each time after."""


def search(
    index: IndexReader,
    keywords: Sequence[str],
    *,
    alpha: float = ALPHA,
    sites: int = 10,
    per_site: int = 1,
) -> Pairs:
    """The best pairs of linked pages of the sites that the first keyword leads to."""
    start = time.perf_counter()
    _check(alpha, sites, per_site)
    query = _Query(index, keywords, alpha)
    found = query.sites(sites, per_site)
    empty = None if found else query.reason()
    took = round(1000 * (time.perf_counter() - start), 3)
    return Pairs([*keywords], alpha, found, empty, took)


def _check(alpha: float, sites: int, per_site: int) -> None:
    if not 0.5 <= alpha <= 1:
        raise InputError(
            "alpha is out of bounds",
            source=f"{alpha:g}",
            advice="give a number from 0.5 (order does not matter) to 1 (only the query's order)",
        )
    for name, value in (("sites", sites), ("per_site", per_site)):
        if value < 1:
            raise InputError(f"is no number of {name}", source=f"{value}", advice="give 1 or more")


class _Query:
    """One query, under way."""

    def __init__(self, index: IndexReader, keywords: Sequence[str], alpha: float) -> None:
        self.index = index
        self.alpha = alpha
        self.graph = SiteGraph(index)
        self.first, *others = parse(index, keywords)
        self.about = sites_about(self.graph, occurrences(index, self.first))
        # With one keyword left, the first is also what the other page of the pair must carry.
        self.keywords = others if len(others) > 1 else [self.first, *others]
        self.lists = [self._own(keyword) for keyword in self.keywords]

    def _own(self, keyword: Keyword) -> Occurrences:
        """Where the keyword is in a page's own text."""
        found = occurrences(self.index, keyword)
        if not found.content.any():
            raise UnknownWord(
                "only links to pages have this keyword, and the text of none of them does",
                word=keyword.text,
                advice="ask for another word",
            )
        return found

    def sites(self, most: int, per_site: int) -> list[SitePairs]:
        """The first sites that have a pair."""
        found: list[SitePairs] = []
        start, size = 0, max(most, AT_FIRST)
        while start < len(self.about.number) and len(found) < most:
            found += self._some_sites(self.about.part(start, start + size), most, per_site)
            start, size = start + size, 2 * size
        return found[:most]

    def _some_sites(self, sites: Sites, most: int, per_site: int) -> list[SitePairs]:
        found = features(self.graph, self.lists, np.sort(sites.number))
        if not len(found.pages):
            return []
        arcs = best_arcs(self.graph, found, self.alpha, per_site)
        having = np.flatnonzero(np.isin(sites.number, arcs.site))[:most]
        return [self._site(sites.part(at, at + 1), found, arcs) for at in having.tolist()]

    def _site(self, site: Sites, found: Features, arcs: Arcs) -> SitePairs:
        row = self.graph.sites.row(int(site.number[0]))
        home = self.index.tables["pages"].find(row["root"]) or {"url": "", "title": None}
        here = np.flatnonzero(arcs.site == site.number[0]).tolist()
        pairs = [self._pair(found, arcs, at) for at in here]
        return SitePairs(
            site=row["site"],
            home=home["url"],
            title=home["title"],
            rank=float(site.rank[0]),
            about=int(site.about[0]),
            pairs=pairs,
        )

    def _pair(self, found: Features, arcs: Arcs, at: int) -> Pair:
        places = np.array([arcs.source[at], arcs.target[at]])
        source, target = self.graph.pages.take("id", found.pages[places]).tolist()
        return Pair(
            float(arcs.weight[at]),
            self._page(source, found, int(places[0])),
            self._page(target, found, int(places[1])),
            self._words(source, target),
        )

    def _words(self, source: int, target: int) -> str:
        """The words around the first link of one page to the other."""
        for links in self.index.tables["links"].slices(target):
            sources = links.column("source").to_numpy()
            place = int(np.searchsorted(sources, np.uint64(source)))
            if place < len(sources) and sources[place] == source:
                link = links.slice(place, 1).to_pylist()[0]
                window = (link["from"], link["first"], link["last"], link["to"])
                return self.index.searcher.quote(source, [window])
        return ""

    def _page(self, page: int, found: Features, place: int) -> PairPage:
        row = self.index.tables["pages"].find(page) or {"url": "", "title": None}
        return PairPage(row["url"], row["title"], list(self._carried(found, place)))

    def _carried(self, found: Features, place: int) -> Iterator[Carried]:
        numbers = zip(self.keywords, found.counts[place], found.strengths[place], strict=True)
        for keyword, count, strength in numbers:
            if count:
                yield Carried(keyword.text, int(count), float(strength))

    def reason(self) -> str:
        """Why there is no pair."""
        sites = self.about.number
        one = len(sites) == 1
        having = f'the {len(sites):,} {"site" if one else "sites"} with "{self.first.text}"'
        if not self.index.manifest.counts["links"]:
            return "the crawl has no links, so there are no linked pages to pair"
        if not len(sites):
            return f'no page of the sites that "{self.first.text}" leads to was crawled'
        if (self.graph.sites.take("pages", sites) < 2).all():
            return f"{having} {'has one page' if one else 'have one page each'}; a pair needs two"
        found = features(self.graph, self.lists, np.sort(sites))
        for place, keyword in enumerate(self.keywords):
            if not found.counts[:, place].any():
                return f'no page of {having} has "{keyword.text}"'
        words = '", "'.join(keyword.text for keyword in self.keywords)
        return f'in {having}, no two linked pages carry different ones of "{words}"'
