"""Links that a site repeats: menus, previous and next, footers; found by counting, without rules.

A link is taken for part of a template if, on pages of its site,
- the same link stands between the same words on at least `REPEATED` of them (a menu), or
- its first word leads to one page only wherever it begins a link, and begins one on at least a
  third of them (previous, next, home).

A sample of each site's pages is counted, so that large crawls cost no more than small ones.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pagekin.index import IndexReader

__all__ = ["page_texts", "template_links"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Link = tuple[int, int, int]
"""Target, and the first word of the anchor and the end of it."""

REPEATED = 10
"""Pages of a site that have the same link between the same words."""
_SITE_PAGES = 1000
"""Pages of a site that are counted."""
_BESIDE = 2
"""Words before and behind a link that are compared."""
_STEP_SHARE = 1 / 3
"""Share of a site's pages on which a word begins a link to one page only."""
_ALWAYS = 0.9
"""Share of the pages with links that a word begins on which they all lead to one page."""


class _AnchoredLink(NamedTuple):
    """A link by what is compared: its target, the words around it, and its first word."""

    target: int
    context: str
    word: str


class _Census:
    """On how many pages of each site a link, and a word that begins a link, is found."""

    def __init__(self) -> None:
        self._pages: Counter[int] = Counter()
        self._contexts: Counter[tuple[int, int, str]] = Counter()
        self._begun: Counter[tuple[int, str]] = Counter()
        self._steps: Counter[tuple[int, str]] = Counter()

    def add(self, site: int, links: list[_AnchoredLink]) -> None:
        """Count the links of one page."""
        targets: dict[str, set[int]] = {}
        for link in links:
            targets.setdefault(link.word, set()).add(link.target)
        self._pages[site] += 1
        self._contexts.update({(site, link.target, link.context) for link in links})
        self._begun.update((site, word) for word in targets)
        self._steps.update((site, word) for word, reached in targets.items() if len(reached) == 1)

    def is_template(self, site: int, link: _AnchoredLink) -> bool:
        """Whether a link belongs to the template of its site."""
        if self._contexts[site, link.target, link.context] >= REPEATED:
            return True
        steps, begun = self._steps[site, link.word], self._begun[site, link.word]
        least = max(REPEATED, self._pages[site] * _STEP_SHARE)
        return bool(link.word) and steps >= least and steps >= begun * _ALWAYS


def template_links(index: IndexReader, pages: Ids) -> dict[int, set[int]]:
    """Of each of these pages the targets that it links to in its site's template."""
    site_of = _sample(index, pages)
    sampled = np.array([*site_of], dtype=np.uint64)
    links, asked, census = _links_of(index, sampled), set(pages.tolist()), _Census()
    described: dict[int, list[_AnchoredLink]] = {}
    for page, text in page_texts(index, sampled):
        words = text.split(" ")
        found = [_describe(words, link) for link in links.pop(page, ())]
        census.add(site_of[page], found)
        if page in asked:
            described[page] = found
    return {
        page: {link.target for link in found if census.is_template(site_of[page], link)}
        for page, found in described.items()
    }


def _describe(words: list[str], link: Link) -> _AnchoredLink:
    target, first, last = link
    context = " ".join(words[max(first - _BESIDE, 0) : last + _BESIDE])
    return _AnchoredLink(target, context, words[first] if first < last else "")


def page_texts(index: IndexReader, pages: Ids) -> Iterator[tuple[int, str]]:
    """The words of each of these pages with spaces between them; empty if it has none."""
    for page in pages.tolist():
        yield page, " ".join(index.words_of(page))


def _sample(index: IndexReader, pages: Ids) -> dict[int, int]:
    """The pages that are looked at, in order, and their sites: those given, and some of each site.

    Ids are hashes, so the first of a site are as good as any.
    """
    table = index.tables["pages"].scan(["id", "crawled"])
    ids, crawled = (column.to_numpy() for column in table.columns)
    sites = index.tables["ranks"].scan(["site"]).column("site").to_numpy()
    given = np.isin(ids, pages) & crawled.astype(bool)
    eligible = np.flatnonzero(crawled.astype(bool) & np.isin(sites, np.unique(sites[given])))
    order = eligible[np.argsort(sites[eligible], kind="stable")]
    starts = np.searchsorted(sites[order], sites[order])
    chosen = order[np.arange(len(order)) - starts < _SITE_PAGES]
    rows = np.union1d(chosen, np.flatnonzero(given))
    return dict(zip(ids[rows].tolist(), sites[rows].tolist(), strict=True))


def _links_of(index: IndexReader, pages: Ids) -> dict[int, list[Link]]:
    """The links of these pages."""
    links: dict[int, list[Link]] = {}
    for batch in index.tables["links"].batches():
        columns = [batch.column(name).to_numpy() for name in ("source", "target", "first", "last")]
        wanted = np.isin(columns[0], pages)
        for source, *link in zip(*(column[wanted].tolist() for column in columns), strict=True):
            links.setdefault(source, []).append((link[0], link[1], link[2]))
    return links
