"""The related pages of a query, each with its reasons."""

import time
from collections.abc import Iterator, Sequence

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.asking import Asked
from pagekin.query.filters import Filters, LeftOut
from pagekin.query.why import MOST, Concepts, Terms, why
from pagekin.types import Hit, Related

__all__ = ["Found", "explained", "find", "note", "related"]

Place = tuple[int, int]
Found = tuple[Place, int, list[Place]]
"""A hit as the core names it: place, overlap with the query, places of its mirrors."""
Card = tuple[str, str, str | None, bool]
Told = tuple[Card, list[str], Terms, Concepts, list[tuple[str, str]]]
"""A hit as the core shows it: card, URLs of its mirrors, shared terms and concepts, citations."""


def related(index: IndexReader, asked: Asked, filters: Filters) -> Related:
    """The pages most like what is asked, best first."""
    start = time.perf_counter()
    answer = find(index, asked, filters)
    return Related(
        query=asked.query,
        hits=explained(index, asked, answer.hits),
        note=note(asked, filters, answer),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def find(index: IndexReader, asked: Asked, filters: Filters) -> _core.Answer:
    """Where the pages most like what is asked are, best first, equals by their id."""
    with index.blaming():
        options = filters.to_core(_left_out(index, asked, filters))
        return index.searcher.search(asked.bag, asked.sketch, options)


def explained(index: IndexReader, asked: Asked, found: Sequence[Found]) -> list[Hit]:
    """What was found, each with its card and its reasons."""
    with index.blaming():
        hits = [(place, mirrors) for place, _, mirrors in found]
        told = index.searcher.explained((asked.bag, asked.like), hits, index.concepts, MOST)
        overlaps = [overlap for _, overlap, _ in found]
        return [_hit(index, *each) for each in zip(overlaps, told, strict=True)]


def _left_out(index: IndexReader, asked: Asked, filters: Filters) -> LeftOut:
    searcher = index.searcher
    sites = {searcher.card(place)[1] for place in asked.like} if filters.exclude_site else ()
    linked_from = [*map(searcher.id, asked.like)] if filters.exclude_linked else []
    return LeftOut([*asked.like, *asked.unlike], sorted(sites), linked_from)


def _hit(index: IndexReader, overlap: int, told: Told) -> Hit:
    (url, site, title, crawled), mirrors, terms, concepts, citations = told
    return Hit(
        url=url,
        title=title,
        site=site,
        score=round(overlap / (2 * _core.TOTAL - overlap), 6),
        crawled=crawled,
        mirrors=mirrors,
        why=why(index, overlap, terms, concepts, citations),
    )


def note(asked: Asked, filters: Filters, answer: _core.Answer) -> str | None:
    """Why there are no hits, or fewer than were asked for; nothing if there are enough."""
    hits = len(answer.hits)
    if hits >= filters.k:
        return None
    if not len(asked.bag):
        return _empty(asked)
    reasons = ", ".join(_reasons(filters, answer))
    found = f"only {_pages(hits)}" if hits else "no related page"
    if reasons:
        return f"{found}: {reasons}"
    if hits:
        return None
    return "no page shares a term with it" if answer.exact else _NONE_FOUND


def _empty(asked: Asked) -> str:
    """Why there is nothing to look for."""
    if not asked.like:
        return _EMPTY_TEXT
    return _EMPTY_MIX if asked.unlike else _EMPTY_PAGE


def _reasons(filters: Filters, answer: _core.Answer) -> Iterator[str]:
    """What the filters left out. How many fell below a score nobody knows if not all were seen."""
    if filters.min_score and not answer.exact:
        yield "no other reaches the least score" if answer.hits else "none reaches the least score"
    if filters.alpha and not answer.exact:
        yield f"only pages that agree in more than {filters.alpha:.0%} of positions were looked at"
    for name, text in _LEFT_OUT.items():
        if answer.left_out[name] and (name != "score" or answer.exact):
            yield text.format(answer.left_out[name])


def _pages(count: int) -> str:
    return "1 related page" if count == 1 else f"{count:,} related pages"


_EMPTY_PAGE = (
    "nothing is known of this page by the index's strategy: its bag is empty, "
    "so it is related to no page"
)
_EMPTY_MIX = "nothing is left of these pages when what the others have is taken off"
_NONE_FOUND = "no related page was found by its sketch; asked for exactly, every page is compared"
_EMPTY_TEXT = "none of its words is a term of this index, so it is related to no page"
_LEFT_OUT = {
    "score": "{:,} below the least score",
    "site": "{:,} on the same site were left out",
    "linked": "{:,} that it links to were left out",
    "same_site": "{:,} on the site of a better hit were left out",
}
