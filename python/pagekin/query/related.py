"""The related pages of a question, each with its reasons, all at once or in parts.

The hits of a search that is not exact depend slightly on how many it looks for, so parts that were
searched independently would not be consistent. A list is therefore always the first `FIRST` hits of
one search, followed by what a search for `LISTED` hits adds. Exact searches are consistent, and a
list of theirs has no limit.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.query.question import Question, ResolvedQuestion, resolve
from pagekin.query.why import LIMITS, why
from pagekin.types import Hit, Paging, Query, Related

__all__ = [
    "FIRST",
    "LISTED",
    "RelatedPart",
    "explain",
    "find",
    "note",
    "related",
    "related_part",
]

FIRST = 10
"""Length of the first part, which one cheap search answers."""
LISTED = 100
"""Maximum length of a list that is not exact."""


@dataclass(frozen=True, slots=True)
class RelatedPart:
    """A part of the related pages, and its position in the list."""

    query: Query
    hits: list[Hit]
    note: str | None
    exact: bool
    paging: Paging
    took_ms: float


def related(index: IndexReader, question: Question, filters: Filters) -> Related:
    """The pages most similar to the question, best first."""
    start = time.perf_counter()
    resolved = resolve(index, question)
    answer = find(index, resolved, filters)
    return Related(
        query=resolved.query,
        hits=explain(index, resolved, answer.hits),
        note=note(resolved, filters, answer),
        exact=answer.exact,
        took_ms=_milliseconds_since(start),
    )


def related_part(
    index: IndexReader, question: Question, filters: Filters, offset: int = 0
) -> RelatedPart:
    """`filters.k` related pages after the first `offset`, best first, ties by id."""
    start = time.perf_counter()
    end = offset + filters.k
    resolved = resolve(index, question)
    listed = _list_hits(index, resolved, filters, end)
    return RelatedPart(
        query=resolved.query,
        hits=explain(index, resolved, listed.hits[offset:end]),
        note=listed.note if end >= len(listed.hits) else None,
        exact=listed.exact,
        paging=Paging.of(offset, filters.k, len(listed.hits)),
        took_ms=_milliseconds_since(start),
    )


def find(index: IndexReader, question: ResolvedQuestion, filters: Filters) -> _core.SearchResult:
    """The pages most similar to the question, best first, ties by id."""
    with index.blaming():
        options = filters.to_core(_exclusions(index, question, filters))
        return index.searcher.search(question.bag, question.sketch, options)


def explain(
    index: IndexReader, question: ResolvedQuestion, found: Sequence[_core.ScoredPage]
) -> list[Hit]:
    """The pages found as hits with their reasons."""
    with index.blaming():
        explanations = index.searcher.explain(
            question.bag, question.like, found, index.concepts, LIMITS
        )
        return [
            _hit(index, hit.overlap, explanation)
            for hit, explanation in zip(found, explanations, strict=True)
        ]


def _milliseconds_since(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 3)


def _exclusions(index: IndexReader, question: ResolvedQuestion, filters: Filters) -> ExclusionLists:
    searcher = index.searcher
    sites = (searcher.page_meta(page).site for page in question.like)
    return ExclusionLists(
        pages=[*question.like, *question.unlike],
        sites=sorted({*sites}) if filters.exclude_site else [],
        linked_from=[*map(searcher.id, question.like)] if filters.exclude_linked else [],
    )


def _hit(index: IndexReader, overlap: int, explanation: _core.Explanation) -> Hit:
    page = explanation.page
    return Hit(
        url=page.url,
        title=page.title,
        site=page.site,
        score=round(overlap / (2 * _core.TOTAL - overlap), 6),
        crawled=page.crawled,
        mirrors=explanation.duplicates,
        why=why(index, overlap, explanation),
    )


@dataclass(frozen=True, slots=True)
class _HitList:
    """The start of a list, and why there are no more hits."""

    hits: list[_core.ScoredPage]
    note: str | None
    exact: bool


def _list_hits(
    index: IndexReader, question: ResolvedQuestion, filters: Filters, end: int
) -> _HitList:
    """The list up to at least one beyond `end`, if it has that many."""
    whole = replace(filters, k=end + 1)
    if filters.exact:
        return _search(index, question, whole)
    first = _search(index, question, replace(filters, k=FIRST + 1))
    if end <= FIRST or len(first.hits) <= FIRST:
        return first
    if first.exact and (found := _search(index, question, whole)).exact:
        return found
    deep = _search(index, question, replace(filters, k=LISTED))
    ends = _LIST_ENDS if len(deep.hits) == LISTED else None
    start = first.hits[:FIRST]
    hits = [*start, *_new_hits(index, start, deep.hits, filters)][:LISTED]
    return _HitList(hits, deep.note or ends, exact=False)


def _search(index: IndexReader, question: ResolvedQuestion, filters: Filters) -> _HitList:
    answer = find(index, question, filters)
    return _HitList(answer.hits, note(question, filters, answer), answer.exact)


def _new_hits(
    index: IndexReader,
    first: list[_core.ScoredPage],
    deep: list[_core.ScoredPage],
    filters: Filters,
) -> list[_core.ScoredPage]:
    """The deep hits that are neither among the first nor near duplicates of them. With one hit per
    site, also not on their sites."""
    seen = {page for hit in first for page in (hit.page, *hit.duplicates)}
    sites = {_site(index, hit) for hit in first} if filters.group_by_site else set()
    return [
        hit
        for hit in deep
        if seen.isdisjoint((hit.page, *hit.duplicates)) and _site(index, hit) not in sites
    ]


def _site(index: IndexReader, hit: _core.ScoredPage) -> str:
    return index.searcher.page_meta(hit.page).site


def note(question: ResolvedQuestion, filters: Filters, answer: _core.SearchResult) -> str | None:
    """Why there are fewer hits than requested; None if there are enough."""
    hits = len(answer.hits)
    if hits >= filters.k:
        return None
    if not len(question.bag):
        return _empty_reason(question)
    reasons = ", ".join(_reasons(filters, answer))
    found = f"only {_pages(hits)}" if hits else "no related page"
    if reasons:
        return f"{found}: {reasons}"
    if hits:
        return None
    return "no page has anything in common with it" if answer.exact else _NONE_FOUND


def _empty_reason(question: ResolvedQuestion) -> str:
    """Why the question has no terms."""
    if not question.like:
        return _EMPTY_TEXT
    return _EMPTY_MIX if question.unlike else _EMPTY_PAGE


def _reasons(filters: Filters, answer: _core.SearchResult) -> Iterator[str]:
    """What the filters dropped or folded. Pages below the minimum score can only be counted if all
    pages were compared."""
    if filters.min_score and not answer.exact:
        yield "no other reaches the minimum score" if answer.hits else _NONE_REACHES
    if filters.min_agreement and not answer.exact:
        share = f"{filters.min_agreement:.0%}"
        yield f"only pages whose sketches agree in more than {share} of positions were compared"
    for name, text in _LEFT_OUT.items():
        count = getattr(answer.filtered, name)
        if count and (name != "score" or answer.exact):
            yield text.format(count)
    if folded := sum(len(hit.duplicates) for hit in answer.hits):
        yield f"{folded:,} folded as near duplicates of a hit"


def _pages(count: int) -> str:
    return "1 related page" if count == 1 else f"{count:,} related pages"


_EMPTY_PAGE = "the index knows nothing about this page, so no page is related to it"
_EMPTY_MIX = "nothing is left of these pages after subtracting the others"
_EMPTY_TEXT = "the index knows no word of this text, so no page is related to it"
_NONE_FOUND = "no related page among the likely candidates; an exact search compares every page"
_NONE_REACHES = "none reaches the minimum score"
_LIST_ENDS = f"the list ends after {LISTED} pages; use exact to see more"
_LEFT_OUT = {
    "score": "{:,} below the minimum score",
    "site": "{:,} on the same site left out",
    "linked": "{:,} that it links to left out",
    "same_site": "{:,} on the site of a better hit left out",
}
