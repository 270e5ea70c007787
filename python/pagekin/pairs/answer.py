"""What a search for pairs answers."""

from dataclasses import dataclass

__all__ = ["Carried", "Pair", "PairPage", "Pairs", "SitePairs"]


@dataclass(frozen=True, slots=True)
class Carried:
    """A keyword that a page carries: how often, and how strongly, the site's strongest being 1."""

    keyword: str
    count: int
    strength: float


@dataclass(frozen=True, slots=True)
class PairPage:
    """One of the two pages."""

    url: str
    title: str | None
    carries: list[Carried]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages, the first of which links to the second with these words."""

    weight: float
    source: PairPage
    target: PairPage
    words: str


@dataclass(frozen=True, slots=True)
class SitePairs:
    """A site: home page, PageRank, how many of its URLs have the first keyword, and pairs."""

    site: str
    home: str
    title: str | None
    rank: float
    about: int
    pairs: list[Pair]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The sites in order. Where there are none, `empty` says why."""

    keywords: list[str]
    alpha: float
    sites: list[SitePairs]
    empty: str | None
    took_ms: float
