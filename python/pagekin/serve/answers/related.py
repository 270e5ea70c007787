"""Related pages, part by part.

Which pages a search finds depends a little on how many it looks for, so the parts of a list would
not fit together if each part were searched for by itself. A list is therefore always the first
`FIRST` hits of one search, then what a search for `LISTED` hits finds besides those. With `exact`
every search finds the same, and a list has no end.
"""

import time
from dataclasses import dataclass, replace

from pagekin import query
from pagekin.errors import InputError
from pagekin.opened import Index
from pagekin.query import Asked, Filters, Found
from pagekin.serve.answers.paging import Paging
from pagekin.types import Hit, Query

__all__ = ["FIRST", "LISTED", "Question", "RelatedAnswer", "related"]

FIRST = 10
"""The part that is asked for most: one cheap search answers it."""
LISTED = 100
"""How far a list goes that is not exact."""


@dataclass(frozen=True, slots=True)
class Question:
    """What pages shall be related to: pages of the crawl, a text, or a page as its bytes."""

    urls: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    text: str | None = None
    page: bytes | None = None

    def __post_init__(self) -> None:
        given = [bool(self.urls), self.text is not None, self.page is not None]
        if sum(given) != 1:
            raise InputError("give one of url, text and page", source="the question", advice=_ONE)
        if self.unlike and not self.urls:
            raise InputError("unlike goes with url alone", source="the question", advice=_ONE)

    def asked_of(self, index: Index) -> Asked:
        """The question, made ready."""
        if not (self.urls or query.knows_words(index)):
            raise InputError(
                "this index knows pages by who links to them, and by no words",
                source="the question",
                advice="ask about a page of the crawl",
            )
        with index.blaming():
            if self.text is not None:
                return query.ask_text(index, self.text)
            if self.page is not None:
                return query.ask_page(index, self.page, "the page")
            return query.ask_pages(index, self.urls, self.unlike)


@dataclass(frozen=True, slots=True)
class RelatedAnswer:
    """What `pagekin related --json` prints, and where in the list it is."""

    query: Query
    hits: list[Hit]
    note: str | None
    paging: Paging
    took_ms: float


def related(index: Index, question: Question, filters: Filters, offset: int = 0) -> RelatedAnswer:
    """`filters.k` related pages after `offset` others, best first, equals by their id."""
    start = time.perf_counter()
    end = offset + filters.k
    asked = question.asked_of(index)
    listed, note = _listed(index, asked, filters, end)
    return RelatedAnswer(
        query=asked.query,
        hits=query.explained(index, asked, listed[offset:end]),
        note=note if end >= len(listed) else None,
        paging=Paging.of(offset, filters.k, len(listed)),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def _listed(
    index: Index, asked: Asked, filters: Filters, end: int
) -> tuple[list[Found], str | None]:
    """The list at least to `end` and one beyond, if there is one; and why there are no more."""
    if filters.exact:
        return _found(index, asked, replace(filters, k=end + 1))
    first, note = _found(index, asked, replace(filters, k=FIRST + 1))
    if end <= FIRST or len(first) <= FIRST:
        return first, note
    first = first[:FIRST]
    deep, note = _found(index, asked, replace(filters, k=LISTED))
    ends = _ENDS if len(deep) == LISTED else None
    return [*first, *_besides(index, first, deep, filters)][:LISTED], note or ends


def _found(index: Index, asked: Asked, filters: Filters) -> tuple[list[Found], str | None]:
    answer = query.find(index, asked, filters)
    return answer.hits, query.note(asked, filters, answer)


def _besides(index: Index, first: list[Found], deep: list[Found], filters: Filters) -> list[Found]:
    """The hits that are none of the first, no mirrors of these, and on no site of these if one
    hit a site is wanted."""
    known = {place for hit, _, mirrors in first for place in (hit, *mirrors)}
    sites = {index.searcher.card(hit)[1] for hit, _, _ in first} if filters.group_by_site else set()
    return [
        (hit, overlap, mirrors)
        for hit, overlap, mirrors in deep
        if known.isdisjoint((hit, *mirrors)) and index.searcher.card(hit)[1] not in sites
    ]


_ENDS = f"a list ends after {LISTED} pages; ask with exact for more"
_ONE = "name one or more pages of the crawl, or give a text, or upload an HTML page"
