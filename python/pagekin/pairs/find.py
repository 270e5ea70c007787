"""From keywords to pairs: the first selects sites, the others pages (section 3.3)."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagekin import _core
from pagekin.errors import UnknownWord
from pagekin.index import IndexReader
from pagekin.pairs.classes import PagesByClass, sites_of_classes
from pagekin.pairs.graph import (
    Arcs,
    Features,
    SiteGraph,
    SiteRanking,
    best_arcs,
    features,
    sites_about,
)
from pagekin.pairs.question import Keyword, PairsQuestion, parse, postings
from pagekin.query.words.postings import Postings
from pagekin.types import Paging

__all__ = [
    "KeywordStrength",
    "Pair",
    "PairPage",
    "Pairs",
    "PairsPart",
    "SitePairs",
    "find_pairs",
    "find_pairs_part",
]

FIRST_SITES = 16
"""Number of sites searched together at first; it doubles with each step."""


@dataclass(frozen=True, slots=True)
class KeywordStrength:
    """A keyword of a page: its count, and its strength relative to the site's maximum."""

    keyword: str
    count: int
    strength: float


@dataclass(frozen=True, slots=True)
class PairPage:
    """One of the two pages."""

    url: str
    title: str | None
    carries: list[KeywordStrength]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages; the first links to the second with these words."""

    weight: float
    source: PairPage
    target: PairPage
    words: str


@dataclass(frozen=True, slots=True)
class SitePairs:
    """A site: home page, PageRank, number of its URLs with the first keyword, and pairs."""

    site: str
    home: str
    title: str | None
    rank: float
    about: int
    pairs: list[Pair]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The sites in order. If there are none, `empty` gives the reason."""

    keywords: list[str]
    alpha: float
    sites: list[SitePairs]
    empty: str | None
    took_ms: float

    def __iter__(self) -> Iterator[SitePairs]:
        return iter(self.sites)

    def __len__(self) -> int:
        return len(self.sites)


@dataclass(frozen=True, slots=True)
class PairsPart:
    """A part of the list of sites with pairs, and its position in the list."""

    keywords: list[str]
    alpha: float
    sites: list[SitePairs]
    empty: str | None
    paging: Paging
    took_ms: float


def find_pairs(
    index: IndexReader, question: PairsQuestion, classes: PagesByClass | None = None
) -> Pairs:
    """The best pairs of linked pages, in the sites that the first keyword selects.

    With classes of a directory, it selects the sites listed in classes of that name.
    """
    start = time.perf_counter()
    with index.blaming():
        query = _Query(index, question.keywords, question.alpha, classes)
        found = query.sites(question.sites, question.per_site)
        empty = None if found else query.reason()
    took = round(1000 * (time.perf_counter() - start), 3)
    return Pairs([*question.keywords], question.alpha, found, empty, took)


def find_pairs_part(index: IndexReader, question: PairsQuestion, offset: int = 0) -> PairsPart:
    """`question.sites` sites after the first `offset`, each with its best pairs."""
    end = offset + question.sites
    found = find_pairs(index, replace(question, sites=end + 1))
    return PairsPart(
        keywords=found.keywords,
        alpha=found.alpha,
        sites=found.sites[offset:end],
        empty=found.empty,
        paging=Paging.of(offset, question.sites, len(found.sites)),
        took_ms=found.took_ms,
    )


class _Query:
    """The state of one query."""

    def __init__(
        self,
        index: IndexReader,
        keywords: Sequence[str],
        alpha: float,
        classes: PagesByClass | None,
    ) -> None:
        self.index = index
        self.alpha = alpha
        self.graph = SiteGraph(index)
        self.first, *others = parse(index, keywords)
        if classes is None:
            self.about = sites_about(self.graph, postings(index, self.first))
        else:
            self.about = sites_of_classes(index, self.graph, self.first, classes)
        # With one keyword left, the other page of the pair must have the first keyword.
        self.keywords = others if len(others) > 1 else [self.first, *others]
        self.lists = [self._own(keyword) for keyword in self.keywords]

    def _own(self, keyword: Keyword) -> Postings:
        """The postings of a keyword that is in the text of at least one page."""
        found = postings(self.index, keyword)
        if not found.content.any():
            raise UnknownWord(
                "this keyword is only in links to pages, not in their text",
                word=keyword.text,
                advice="ask for another word",
            )
        return found

    def sites(self, limit: int, per_site: int) -> list[SitePairs]:
        """The first sites that have a pair."""
        found: list[SitePairs] = []
        start, size = 0, max(limit, FIRST_SITES)
        while start < len(self.about.number) and len(found) < limit:
            found += self._some_sites(self.about.part(start, start + size), limit, per_site)
            start, size = start + size, 2 * size
        return found[:limit]

    def _some_sites(self, sites: SiteRanking, limit: int, per_site: int) -> list[SitePairs]:
        found = features(self.graph, self.lists, np.sort(sites.number))
        if not len(found.pages):
            return []
        arcs = best_arcs(self.graph, found, self.alpha, per_site)
        having = np.flatnonzero(np.isin(sites.number, arcs.site))[:limit]
        return [self._site(sites.part(at, at + 1), found, arcs) for at in having.tolist()]

    def _site(self, site: SiteRanking, found: Features, arcs: Arcs) -> SitePairs:
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
                window = _core.LinkWindow(link["from"], link["first"], link["last"], link["to"])
                return self.index.searcher.quote(source, [window])
        return ""

    def _page(self, page: int, found: Features, place: int) -> PairPage:
        row = self.index.tables["pages"].find(page) or {"url": "", "title": None}
        title = row["title"] and self.index.titles.cut(row["site"], row["title"])
        return PairPage(row["url"], title, list(self._keyword_strengths(found, place)))

    def _keyword_strengths(self, found: Features, place: int) -> Iterator[KeywordStrength]:
        numbers = zip(self.keywords, found.counts[place], found.strengths[place], strict=True)
        for keyword, count, strength in numbers:
            if count:
                yield KeywordStrength(keyword.text, int(count), float(strength))

    def reason(self) -> str:
        """The reason why no pair was found."""
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
        return f'in {having}, no two linked pages have different keywords of "{words}"'
