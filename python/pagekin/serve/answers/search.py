"""Pages by words in title, URL and text, so that a person can find a page to ask about.

The words are looked up in the postings. Pages that have all of them are found, or, if there is
none, pages that have any. The thousand that say them most, in their own text and in the links to
them, are looked at: words in the title count before words in the URL, and these before the rest.
URLs that have the words and whose pages do not, or a part of an address that is asked for, are
found by looking through all URLs, which is done only where there are at most `MOST` of them.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from pagekin import _core
from pagekin.errors import UnknownWord
from pagekin.index.rows import Numbers
from pagekin.opened import Index
from pagekin.pairs.keywords import Keyword, Occurrences, occurrences
from pagekin.serve.answers.paging import Paging

__all__ = ["LISTED", "MOST", "Found", "SearchAnswer", "search"]

LISTED = 1000
"""A list ends after so many pages."""
MOST = 1 << 18
"""Of a word that more pages have, so many are looked at; more URLs are not looked through."""
WORDS = 8
"""More words than these are not looked up."""

Where = Literal["address", "title", "url", "text"]


@dataclass(frozen=True, slots=True)
class Found:
    """A page, and where it has words that were searched for."""

    url: str
    title: str | None
    site: str
    crawled: bool
    matched: list[Where]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A part of the pages that were found. `note` says why there are none."""

    q: str
    hits: list[Found]
    found: int
    note: str | None
    paging: Paging
    took_ms: float


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it was written, its stem and its term."""

    text: str
    stem: str
    term: int

    def within(self, text: str) -> bool:
        """Whether a text in small letters has it."""
        return self.stem in text or self.text in text


@dataclass(frozen=True, slots=True)
class Rows:
    """Pages by their numbers, and how strongly they carry the words."""

    number: Numbers
    strength: Numbers


def search(index: Index, q: str, k: int = 10, offset: int = 0) -> SearchAnswer:
    """The part of the pages found that is asked for."""
    start = time.perf_counter()
    with index.blaming():
        words = list(_words(index, q))
        listed = _listed(index, q, words)
    return SearchAnswer(
        q=q,
        hits=listed[offset : offset + k],
        found=len(listed),
        note=None if listed else _note(words),
        paging=Paging.of(offset, k, len(listed)),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def _words(index: Index, q: str) -> Iterator[Word]:
    """The first different words of the query that are terms of the index."""
    strategy = _core.Strategy(index.strategy.to_core())
    found: dict[int, Word] = {}
    for text in _core.words_of(q):
        term = _core.term_of(strategy, text)
        if term is not None and len(found) < WORDS:
            found.setdefault(term[0], Word(text, term[1], term[0]))
    yield from found.values()


def _note(words: Sequence[Word]) -> str:
    if not words:
        return "there is no word in it that this index looks at"
    return f"no page has {' or '.join(word.text for word in words)}"


def _listed(index: Index, q: str, words: Sequence[Word]) -> list[Found]:
    """All that is found, in order: the page of this very address, then the others by rank."""
    named = _named(index, q)
    address = _address(q)
    pages = _likeliest([] if address else _carriers(index, words))
    pages = _with_urls(index, pages, [address] if address else [word.text for word in words])
    cards = [(index.searcher.card(place), at) for at, place in _places(index, pages.number)]
    ranked = [_ranked(card, words, float(pages.strength[at])) for card, at in cards]
    others = [found for _, found in sorted(ranked, key=lambda pair: pair[0])]
    return [*named, *(found for found in others if found.url not in {each.url for each in named})]


def _named(index: Index, q: str) -> list[Found]:
    """The page whose address the query is, with or without its scheme."""
    for text in (q.strip(), f"https://{q.strip()}", f"http://{q.strip()}"):
        address = _core.canonical(text)
        place = index.searcher.find(_core.url_id(address)) if address else None
        if place is not None:
            url, site, title, crawled = index.searcher.card(place)
            if url == address:
                return [Found(url, title, site, crawled, ["address"])]
    return []


def _carriers(index: Index, words: Sequence[Word]) -> list[Occurrences]:
    """The pages that have all words, as one list; else those that have any, a list a word."""
    lists = sorted((_posted(index, word) for word in words), key=lambda found: len(found.pages))
    if not lists:
        return []
    rarest, *others = lists
    all_of_them = rarest.at(np.arange(min(len(rarest.pages), MOST)))
    for other in others:
        all_of_them = all_of_them.at(np.flatnonzero(np.isin(all_of_them.pages, other.pages)))
    if len(all_of_them.pages):
        return [all_of_them, *(_among(other, all_of_them.pages) for other in others)]
    return [found.at(np.arange(min(len(found.pages), MOST))) for found in lists]


def _posted(index: Index, word: Word) -> Occurrences:
    try:
        return occurrences(index, Keyword(word.text, (word.term,)))
    except UnknownWord:
        return Occurrences(*(np.empty(0, np.uint32) for _ in range(3)))


def _among(found: Occurrences, pages: Numbers) -> Occurrences:
    return found.at(np.flatnonzero(np.isin(found.pages, pages)))


def _likeliest(lists: Sequence[Occurrences]) -> Rows:
    """The pages that carry the words most, by the logarithms of their counts."""
    if not lists:
        return Rows(np.empty(0, np.uint32), np.empty(0))
    pages, place = np.unique(np.concatenate([each.pages for each in lists]), return_inverse=True)
    said = [np.log1p(each.content) + np.log1p(each.anchor / 1024) for each in lists]
    strength = np.bincount(place, np.concatenate(said), minlength=len(pages))
    best = np.lexsort((pages, -strength))[:LISTED]
    return Rows(pages[best], strength[best])


def _address(q: str) -> str | None:
    """What a URL must have in it if the query is a part of one, and no words."""
    bare = q.strip().partition("://")[2] or q.strip()
    return bare if " " not in bare and ("." in bare or "/" in bare) else None


def _with_urls(index: Index, pages: Rows, needles: Sequence[str]) -> Rows:
    """The pages, and others that have all needles in their URL, as far as there is room."""
    room = LISTED - len(pages.number)
    if not needles or room <= 0 or index.manifest.counts["bags"] > MOST:
        return pages
    rows = np.fromiter(_urls_with(index, needles), np.uint32)
    rows = rows[~np.isin(rows, pages.number)][:room]
    number = np.concatenate([pages.number, rows])
    return Rows(number, np.concatenate([pages.strength, np.zeros(len(rows))]))


def _urls_with(index: Index, needles: Sequence[str]) -> Iterator[int]:
    start = 0
    for batch in index.tables["pages"].batches():
        urls = batch.column("url")
        having = np.ones(len(urls), bool)
        for needle in needles:
            match = pc.match_substring(urls, needle, ignore_case=True)
            having &= match.to_numpy(zero_copy_only=False)
        yield from (np.flatnonzero(having) + start).tolist()
        start += len(urls)


def _places(index: Index, rows: Numbers) -> Iterator[tuple[int, tuple[int, int]]]:
    """For each row its place in the list, and the shard and row there."""
    starts = np.cumsum([0, *index.searcher.rows()])
    shards = np.searchsorted(starts, rows, side="right") - 1
    inside = rows.astype(np.int64) - starts[shards]
    yield from enumerate(zip(shards.tolist(), inside.tolist(), strict=True))


def _ranked(
    card: tuple[str, str, str | None, bool], words: Sequence[Word], strength: float
) -> tuple[tuple[int, int, float, str], Found]:
    """A page and the key that it is sorted by."""
    url, site, title, crawled = card
    in_title = sum(word.within((title or "").casefold()) for word in words)
    in_url = sum(word.within(url.casefold()) for word in words)
    told = {"title": in_title, "url": in_url, "text": strength}
    matched: list[Where] = [where for where in ("title", "url", "text") if told[where]]
    return (-in_title, -in_url, -strength, url), Found(url, title, site, crawled, matched)
