"""Search by words: conjunctive lookup in the postings, ranked by where the words occur.

The search finds pages with all words or, if there are none, pages with any. It ranks the thousand
pages that have the words most often, in their own text and in links to them: words in the title
count before words in the URL, and these before the rest. A scan of all URLs adds those that contain
the words, or the given part of a URL; crawls of more than `MOST` URLs skip the scan.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.query.postings import Postings, postings_of
from pagekin.types import Paging

__all__ = [
    "LISTED",
    "MOST",
    "SearchHit",
    "SearchResults",
    "best_match",
    "recognise_url",
    "search",
]

LISTED = 1000
"""Maximum number of pages that a search finds."""
MOST = 1 << 18
"""Maximum number of postings read per word; crawls of more URLs than this are not scanned."""
WORDS = 8
"""Maximum number of words of a query."""
SCHEMES = ("http://", "https://")

Where = Literal["address", "title", "url", "text"]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A page, and where it has words of the query."""

    url: str
    title: str | None
    site: str
    crawled: bool
    matched: list[Where]


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A part of the pages found. If there are none, `note` says why."""

    q: str
    hits: list[SearchHit]
    found: int
    note: str | None
    paging: Paging
    took_ms: float

    def __iter__(self) -> Iterator[SearchHit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word as written, its stem and its term."""

    text: str
    stem: str
    term: int

    def within(self, text: str) -> bool:
        """Whether a lower-cased text contains it."""
        return self.stem in text or self.text in text


@dataclass(frozen=True, slots=True)
class RankedPages:
    """Pages by row number, with their scores."""

    number: Numbers
    strength: Numbers


def search(index: IndexReader, q: str, k: int = 10, offset: int = 0) -> SearchResults:
    """The pages with the words of the query: `k` of them, from `offset` on."""
    start = time.perf_counter()
    with index.blaming():
        words = list(_words(index, q))
        listed = _find_all(index, q, words)
    return SearchResults(
        q=q,
        hits=listed[offset : offset + k],
        found=len(listed),
        note=None if listed else _note(words),
        paging=Paging.of(offset, k, len(listed)),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def best_match(index: IndexReader, text: str) -> str:
    """The text itself if it is a URL, else the URL of the first page found by its words."""
    if text.lower().startswith(SCHEMES):
        return text
    found = search(index, text, 1).hits
    return found[0].url if found else text


def recognise_url(index: IndexReader, text: str) -> str | None:
    """The URL that the text is, perhaps without its scheme; None if it is something else."""
    if len(text.split()) != 1:
        return None
    if text.lower().startswith(SCHEMES):
        return text
    found = search(index, text, 1).hits
    return found[0].url if found and "address" in found[0].matched else None


def _words(index: IndexReader, q: str) -> Iterator[QueryWord]:
    """The first distinct words of the query that are terms of the index."""
    strategy = _core.Strategy(index.strategy.to_core())
    found: dict[int, QueryWord] = {}
    for text in _core.words_of(q):
        term = _core.term_of(strategy, text)
        if term is not None and len(found) < WORDS:
            found.setdefault(term.id, QueryWord(text, term.text, term.id))
    yield from found.values()


def _note(words: Sequence[QueryWord]) -> str:
    if not words:
        return "the query has no word that this index knows"
    return f"no page has {' or '.join(word.text for word in words)}"


def _find_all(index: IndexReader, q: str, words: Sequence[QueryWord]) -> list[SearchHit]:
    """All pages found, in order: the page with this URL, then the others by rank."""
    named = _page_with_url(index, q)
    address = _address(q)
    pages = _best_pages([] if address else _matching_postings(index, words))
    pages = _with_urls(index, pages, [address] if address else [word.text for word in words])
    metas = [(index.searcher.page_meta(page), at) for at, page in _places(index, pages.number)]
    ranked = [_rank(page, words, float(pages.strength[at])) for page, at in metas]
    others = [found for _, found in sorted(ranked, key=lambda pair: pair[0])]
    return [*named, *(found for found in others if found.url not in {each.url for each in named})]


def _page_with_url(index: IndexReader, q: str) -> list[SearchHit]:
    """The page whose URL the query is, with or without its scheme."""
    for text in (q.strip(), f"https://{q.strip()}", f"http://{q.strip()}"):
        address = _core.canonical(text)
        place = index.searcher.find(_core.url_id(address)) if address else None
        if place is not None:
            page = index.searcher.page_meta(place)
            if page.url == address:
                return [SearchHit(page.url, page.title, page.site, page.crawled, ["address"])]
    return []


def _matching_postings(index: IndexReader, words: Sequence[QueryWord]) -> list[Postings]:
    """The postings of pages with all words; if there are none, all postings of each word."""
    lists = [postings_of(index, word.term) for word in words]
    lists.sort(key=lambda found: len(found.pages))
    if not lists:
        return []
    rarest, *others = lists
    all_of_them = rarest.at(np.arange(min(len(rarest.pages), MOST)))
    for other in others:
        all_of_them = all_of_them.at(np.flatnonzero(np.isin(all_of_them.pages, other.pages)))
    if len(all_of_them.pages):
        return [all_of_them, *(_restrict(other, all_of_them.pages) for other in others)]
    return [found.at(np.arange(min(len(found.pages), MOST))) for found in lists]


def _restrict(found: Postings, pages: Numbers) -> Postings:
    return found.at(np.flatnonzero(np.isin(found.pages, pages)))


def _best_pages(lists: Sequence[Postings]) -> RankedPages:
    """The pages with the highest sums of logarithmic counts."""
    if not lists:
        return RankedPages(np.empty(0, np.uint32), np.empty(0))
    pages, place = np.unique(np.concatenate([each.pages for each in lists]), return_inverse=True)
    said = [np.log1p(each.content) + np.log1p(each.anchor / 1024) for each in lists]
    strength = np.bincount(place, np.concatenate(said), minlength=len(pages))
    best = np.lexsort((pages, -strength))[:LISTED]
    return RankedPages(pages[best], strength[best])


def _address(q: str) -> str | None:
    """The part of a URL that the query is; None if it is words."""
    bare = q.strip().partition("://")[2] or q.strip()
    return bare if " " not in bare and ("." in bare or "/" in bare) else None


def _with_urls(index: IndexReader, pages: RankedPages, needles: Sequence[str]) -> RankedPages:
    """The pages, plus others whose URL contains all needles, up to the limit."""
    room = LISTED - len(pages.number)
    if not needles or room <= 0 or index.manifest.counts["bags"] > MOST:
        return pages
    rows = np.fromiter(_urls_with(index, needles), np.uint32)
    rows = rows[~np.isin(rows, pages.number)][:room]
    number = np.concatenate([pages.number, rows])
    return RankedPages(number, np.concatenate([pages.strength, np.zeros(len(rows))]))


def _urls_with(index: IndexReader, needles: Sequence[str]) -> Iterator[int]:
    start = 0
    for batch in index.tables["pages"].batches():
        urls = batch.column("url")
        having = np.ones(len(urls), bool)
        for needle in needles:
            match = pc.match_substring(urls, needle, ignore_case=True)
            having &= match.to_numpy(zero_copy_only=False)
        yield from (np.flatnonzero(having) + start).tolist()
        start += len(urls)


def _places(index: IndexReader, rows: Numbers) -> Iterator[tuple[int, _core.PageRef]]:
    """For each row its position in the list, and the page."""
    starts = np.cumsum([0, *index.searcher.rows()])
    shards = np.searchsorted(starts, rows, side="right") - 1
    inside = rows.astype(np.int64) - starts[shards]
    yield from enumerate(map(_core.PageRef, shards.tolist(), inside.tolist()))


def _rank(
    page: _core.PageMeta, words: Sequence[QueryWord], strength: float
) -> tuple[tuple[int, int, float, str], SearchHit]:
    """A page and its sort key."""
    url, title = page.url, page.title
    in_title = sum(word.within((title or "").casefold()) for word in words)
    in_url = sum(word.within(url.casefold()) for word in words)
    told = {"title": in_title, "url": in_url, "text": strength}
    matched: list[Where] = [where for where in ("title", "url", "text") if told[where]]
    hit = SearchHit(url, title, page.site, page.crawled, matched)
    return (-in_title, -in_url, -strength, url), hit
