"""A query: two to five keywords in order, each a word or a phrase whose words must all be there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import InputError, UnknownWord
from pagekin.index import IndexReader
from pagekin.index.rows import Numbers
from pagekin.strategy import Strategy

__all__ = ["FEWEST", "MOST", "Keyword", "Occurrences", "occurrences", "parse"]

FEWEST, MOST = 2, 5


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword as it was given, and its terms."""

    text: str
    terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The pages that have a keyword, by site and page.

    `content` is how often it is in the page's own title and text (0 if a word is not there),
    `anchor` its weight in the windows of links to the page.
    """

    pages: Numbers
    content: Numbers
    anchor: Numbers

    def at(self, places: Numbers) -> "Occurrences":
        """Those at these places."""
        return Occurrences(self.pages[places], self.content[places], self.anchor[places])


def parse(index: IndexReader, texts: Sequence[str]) -> list[Keyword]:
    """The keywords of a query, in terms of the index."""
    if not FEWEST <= len(texts) <= MOST:
        raise _wrong(
            f"{len(texts)} {'keyword' if len(texts) == 1 else 'keywords'}",
            " ".join(texts),
            f"give {FEWEST} to {MOST}, the first for the site and the others for its pages; "
            "put words that belong together into quotes",
        )
    strategy = _core_strategy(index.strategy)
    found: dict[frozenset[int], Keyword] = {}
    for text in texts:
        keyword = _keyword(strategy, text)
        same = found.setdefault(frozenset(keyword.terms), keyword)
        if same is not keyword:
            raise _wrong(f'is the same keyword as "{same.text}"', text, "leave one of them out")
    return list(found.values())


@lru_cache(maxsize=8)
def _core_strategy(strategy: Strategy) -> _core.Strategy:
    return _core.Strategy(strategy.to_core())


def _keyword(strategy: _core.Strategy, text: str) -> Keyword:
    try:
        words = _core.words_of(text)
    except UnicodeEncodeError:
        # Bytes that are no UTF-8 reach us from the command line as halves of characters.
        words = []
    if not words:
        raise _wrong("is a keyword without a word", text, "write words of letters")
    terms = [_core.term_of(strategy, word) for word in words]
    kept = tuple(dict.fromkeys(term[0] for term in terms if term))
    if not kept:
        what = "is a stop word" if len(words) == 1 else "are stop words"
        raise _wrong(what, text, "the index leaves them out: choose a word that says more")
    return Keyword(text, kept)


def _wrong(what: str, text: str, advice: str) -> InputError:
    return InputError(what, source=f'"{text}"', advice=advice)


def occurrences(index: IndexReader, keyword: Keyword) -> Occurrences:
    """Where the keyword occurs; an error if nowhere."""
    found: Occurrences | None = None
    for term in keyword.terms:
        listed = _posted(index, keyword, term)
        found = listed if found is None else _both(found, listed)
    if found is None or not len(found.pages):
        raise UnknownWord(
            "no page of the crawl has all words of this phrase",
            word=keyword.text,
            advice="leave a word out, or give the words as keywords of their own",
        )
    return found


def _posted(index: IndexReader, keyword: Keyword, term: int) -> Occurrences:
    for row in index.tables["postings"].slices(term):
        lists = [_numbers(row.column(name)) for name in ("pages", "content", "anchor")]
        if len({len(each) for each in lists}) > 1:
            raise index.tables["postings"].corrupt("the lists of a term differ in length")
        return Occurrences(*lists)
    raise UnknownWord(
        "no page of the crawl has this word",
        word=keyword.text,
        advice="check the spelling, or ask for another word",
    )


def _numbers(lists: Any) -> Numbers:
    """The numbers of a column of one list."""
    start, end = lists.offsets.to_numpy().tolist()
    found: Numbers = lists.values.to_numpy()[start:end]
    return found


def _both(one: Occurrences, other: Occurrences) -> Occurrences:
    """The pages of both, in order; the rarer of two words is how often both are there."""
    _, here, there = np.intersect1d(one.pages, other.pages, assume_unique=True, return_indices=True)
    order = np.argsort(here)
    first, second = one.at(here[order]), other.at(there[order])
    return Occurrences(
        first.pages,
        np.minimum(first.content, second.content),
        np.minimum(first.anchor, second.anchor),
    )
