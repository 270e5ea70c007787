"""Related pages, part by part."""

import time
from dataclasses import dataclass, replace

from pagekin.errors import InputError
from pagekin.opened import Index
from pagekin.query import Filters
from pagekin.serve.answers.paging import Paging
from pagekin.types import Hit, Query, Related

__all__ = ["LISTED", "Question", "RelatedAnswer", "related"]

LISTED = 100
"""So many hits are always looked for, so that the parts of a list fit together; `exact` has no
such end."""


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


@dataclass(frozen=True, slots=True)
class RelatedAnswer:
    """What `pagekin related --json` prints, and where in the list it is."""

    query: Query
    hits: list[Hit]
    note: str | None
    paging: Paging
    took_ms: float


def related(index: Index, question: Question, filters: Filters) -> RelatedAnswer:
    """The part of the related pages that `filters` names, best first, equals by their id."""
    start = time.perf_counter()
    end = filters.offset + filters.k
    if end > LISTED and not filters.exact:
        raise InputError(
            f"hits {filters.offset + 1:,} to {end:,} of a list of {LISTED}",
            source="the question",
            advice="ask for the first, or with exact",
        )
    # One more than is asked for tells whether there are any after it.
    filters = replace(filters, depth=end + 1 if filters.exact else LISTED)
    answer = _answer(index, question, filters)
    paging = Paging.of(filters.offset, filters.k, answer.found, filters.depth)
    took = round((time.perf_counter() - start) * 1000, 3)
    return RelatedAnswer(answer.query, answer.hits, answer.note, paging, took)


def _answer(index: Index, question: Question, filters: Filters) -> Related:
    if question.text is not None:
        return index.related_to_text(question.text, filters=filters)
    if question.page is not None:
        return index.related_to_page(question.page, filters=filters)
    return index.related(question.urls, unlike=question.unlike, filters=filters)


_ONE = "name one or more pages of the crawl, or give a text, or upload an HTML page"
