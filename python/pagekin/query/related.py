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
from pagekin.dates import iso_date
from pagekin.index import IndexReader
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.query.fusion import FusedPages, find_fused, fused_score
from pagekin.query.question import Question, ResolvedQuestion, resolve
from pagekin.query.selection import emptied_by, left_out
from pagekin.query.titles import page_title
from pagekin.query.why import LIMITS, similarity, why
from pagekin.query.words.snippets import snippet_of
from pagekin.types import Hit, LinkedPage, Paging, Query, Related

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

Found = _core.SearchResult | FusedPages

FIRST = 10
"""Length of the first part, which one cheap search answers."""
LISTED = 100
"""Maximum length of a list that is not exact."""
LINKED_PAGES = 3
"""Pages listed that are only linked to."""


@dataclass(frozen=True, slots=True)
class RelatedPart:
    """A part of the related pages, and its position in the list."""

    query: Query
    hits: list[Hit]
    not_in_crawl: list[LinkedPage]
    copies_of_query: list[str]
    note: str | None
    exact: bool
    paging: Paging
    took_ms: float


def related(index: IndexReader, question: Question, filters: Filters) -> Related:
    """The pages most similar to the question, best first."""
    start = time.perf_counter()
    resolved = resolve(index, question)
    answer = find(index, resolved, replace(filters, k=_depth(filters.k)))
    return Related(
        query=resolved.query,
        hits=explain(index, resolved, answer.hits[: filters.k]),
        not_in_crawl=_not_in_crawl(index, resolved, filters),
        copies_of_query=_urls(index, answer.copies),
        note=note(index, resolved, filters, answer),
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
        not_in_crawl=[] if offset else _not_in_crawl(index, resolved, filters),
        copies_of_query=_urls(index, listed.copies),
        note=listed.note if end >= len(listed.hits) else None,
        exact=listed.exact,
        paging=Paging.of(offset, filters.k, len(listed.hits)),
        took_ms=_milliseconds_since(start),
    )


def find(index: IndexReader, question: ResolvedQuestion, filters: Filters) -> Found:
    """The pages most similar to the question, best first, ties by id."""
    filters = filters.in_language(question.language)
    with index.blaming():
        exclusions = _exclusions(index, question, filters)
        if question.words is not None:
            return find_fused(index, question, question.words, filters, exclusions)
        return index.searcher.search(question.bag, filters.options(exclusions))


def explain(
    index: IndexReader, question: ResolvedQuestion, found: Sequence[_core.ScoredPage]
) -> list[Hit]:
    """The pages found as hits with their reasons."""
    with index.blaming():
        explanations = index.searcher.explain(
            (index.core_strategy, index.concepts), question.bag, question.like, found, LIMITS
        )
        return [
            _hit(index, question, hit, explanation)
            for hit, explanation in zip(found, explanations, strict=True)
        ]


def _not_in_crawl(
    index: IndexReader, question: ResolvedQuestion, filters: Filters
) -> list[LinkedPage]:
    """The best pages that are only linked to, if hits must be crawled."""
    counts = index.counts
    if filters.pages != "crawled" or counts["pages"] == counts["bags"]:
        return []
    linked = find(index, question, replace(filters, pages="uncrawled", k=LINKED_PAGES)).hits
    with index.blaming():
        return [
            LinkedPage(
                url=index.searcher.page_meta(hit.page).url,
                title=page_title(index, hit.page),
                score=_score(index, question, hit),
            )
            for hit in linked
        ]


def _urls(index: IndexReader, pages: Sequence[_core.PageRef]) -> list[str]:
    with index.blaming():
        return [index.searcher.page_meta(page).url for page in pages]


def _score(index: IndexReader, question: ResolvedQuestion, hit: _core.ScoredPage) -> float:
    if question.words is None:
        return similarity(hit.overlap)
    return round(fused_score(index, question.words, hit), 6)


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


def _hit(
    index: IndexReader,
    question: ResolvedQuestion,
    hit: _core.ScoredPage,
    explanation: _core.Explanation,
) -> Hit:
    page = explanation.page
    words = None if question.words is None else question.words.score(index.row(hit.page))
    return Hit(
        url=page.url,
        title=page_title(index, hit.page),
        site=page.site,
        score=_score(index, question, hit),
        crawled=page.crawled,
        date=iso_date(page.date),
        language=page.language,
        snippet=snippet_of(explanation.snippet),
        replay=index.replay_of(page),
        copies=explanation.duplicates,
        why=why(index, hit.overlap, explanation, words),
    )


@dataclass(frozen=True, slots=True)
class _HitList:
    """The start of a list, the copies of the question, and why there are no more hits."""

    hits: list[_core.ScoredPage]
    copies: list[_core.PageRef]
    note: str | None
    exact: bool


def _list_hits(
    index: IndexReader, question: ResolvedQuestion, filters: Filters, end: int
) -> _HitList:
    """The list up to at least one beyond `end`, if it has that many."""
    whole = replace(filters, k=_depth(end))
    if filters.exact:
        return _search(index, question, whole)
    first = _search(index, question, replace(filters, k=_depth(FIRST)))
    if end <= FIRST or len(first.hits) <= FIRST:
        return first
    if first.exact and (found := _search(index, question, whole)).exact:
        return found
    deep = _search(index, question, replace(filters, k=LISTED))
    ends = _LIST_ENDS if len(deep.hits) == LISTED else None
    start = first.hits[:FIRST]
    hits = [*start, *_new_hits(index, start, deep.hits, filters)][:LISTED]
    return _HitList(hits, first.copies, deep.note or ends, exact=False)


def _depth(end: int) -> int:
    """How many hits to search for a list up to `end`. A deeper search finds more copies of the same
    hits, so that every face must search as deep."""
    return max(end, FIRST) + 1


def _search(index: IndexReader, question: ResolvedQuestion, filters: Filters) -> _HitList:
    answer = find(index, question, filters)
    told = note(index, question, filters, answer)
    return _HitList(answer.hits, answer.copies, told, answer.exact)


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


def note(
    index: IndexReader, question: ResolvedQuestion, filters: Filters, answer: Found
) -> str | None:
    """Why there are fewer hits than requested; None if there are enough."""
    filters, hits = filters.in_language(question.language), len(answer.hits)
    if hits >= filters.k:
        return None
    if not len(question.bag):
        return _empty_reason(question)
    with index.blaming():
        emptied = emptied_by(index, filters)
        unselected = left_out(index, filters)
    if emptied:
        return emptied
    reasons = ", ".join([*unselected, *_reasons(filters, answer)])
    found = f"only {_pages(hits)}" if hits else "no related page"
    if reasons:
        return f"{found}: {reasons}"
    if hits:
        return None
    return _NOTHING_SHARED[filters.pages] if answer.exact else _NONE_FOUND


def _empty_reason(question: ResolvedQuestion) -> str:
    """Why the question has no terms."""
    if not question.like:
        return _EMPTY_TEXT
    return _EMPTY_MIX if question.unlike else _EMPTY_PAGE


def _reasons(filters: Filters, answer: Found) -> Iterator[str]:
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
        yield f"{folded:,} folded as copies of a hit"
    if copies := len(answer.copies):
        yield f"{copies:,} {'copy' if copies == 1 else 'copies'} of the page itself left out"


def _pages(count: int) -> str:
    return "1 related page" if count == 1 else f"{count:,} related pages"


_EMPTY_PAGE = "the index knows nothing about this page, so no page is related to it"
_EMPTY_MIX = "nothing is left of these pages after subtracting the others"
_EMPTY_TEXT = "the index knows no word of this text, so no page is related to it"
_NOTHING_SHARED = {
    "crawled": "no page of the crawl has anything in common with it",
    "uncrawled": "no page that is only linked to has anything in common with it",
    "all": "no page has anything in common with it",
}
_NONE_FOUND = "no related page among the likely candidates; an exact search compares every page"
_NONE_REACHES = "none reaches the minimum score"
_LIST_ENDS = f"the list ends after {LISTED} pages; use exact to see more"
_LEFT_OUT = {
    "score": "{:,} below the minimum score",
    "site": "{:,} on the same site left out",
    "linked": "{:,} that it links to left out",
    "same_site": "{:,} on the site of a better hit left out",
}
