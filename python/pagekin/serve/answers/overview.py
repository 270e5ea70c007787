"""What a crawl is: how much of what, its best known sites, and pages to begin with."""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pagekin.opened import Index
from pagekin.serve.answers.ranked import highest

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
    for number, row in highest(index, "sites", LOOKED_AT):
        site = index.tables["sites"].batch(number).slice(row, 1).to_pylist()[0]
        home = site["root"] and index.tables["pages"].find(site["root"])
        if site["pages"] and home:
            yield SiteLine(site["site"], home["url"], home["title"], site["pages"])


def _pages(index: Index) -> Iterator[Beginning]:
    for number, row in highest(index, "ranks", LOOKED_AT):
        key = index.tables["ranks"].batch(number).column("id")[row].as_py()
        page = index.tables["pages"].find(key)
        if page and page["crawled"] and page["title"]:
            yield Beginning(page["url"], page["title"], page["site"])
