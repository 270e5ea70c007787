"""Results of the tools: short answers, each with its source (URL, date of the capture, passage)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pagekin.api import Index
from pagekin.query import ComparedTerm, Comparison, SearchResults, common_words
from pagekin.query.search import SearchHit
from pagekin.types import Hit, PageCard, Related

__all__ = ["CitedSource", "ComparedPages", "FoundPages", "RelatedPages"]

PASSAGE = 300
"""Characters of a passage."""


@dataclass(frozen=True, slots=True)
class CitedSource:
    """Where an answer is from: quote the passage, cite the URL and the date of its capture."""

    url: str
    title: str | None
    captured: str | None
    language: str | None
    passage: str | None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page with words of the query, and the parts of it that have them."""

    source: CitedSource
    score: float
    matched: list[str]


@dataclass(frozen=True, slots=True)
class FoundPages:
    """A part of the pages found. `next_offset` is where the next part begins."""

    pages: list[FoundPage]
    found: int
    next_offset: int | None
    note: str | None

    @classmethod
    def of(cls, found: SearchResults) -> "FoundPages":
        """The answer to a search, with sources."""
        pages = [FoundPage(_source_of_hit(hit), hit.score, [*hit.matched]) for hit in found.hits]
        return cls(pages, found.found, found.paging.next, found.note)


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """A related page, and why: subjects of both, words of both, pages that link to both."""

    source: CitedSource
    score: float
    both_about: list[str]
    shared_words: list[str]
    linked_together_by: list[str]
    copies: list[str]

    @classmethod
    def of(cls, hit: Hit) -> "RelatedPage":
        """A hit with its source."""
        return cls(
            source=_source_of_hit(hit),
            score=hit.score,
            both_about=common_words(hit),
            shared_words=[term.term for term in hit.why.terms],
            linked_together_by=[page.url for page in hit.why.cited_together_by],
            copies=hit.copies,
        )


@dataclass(frozen=True, slots=True)
class RelatedPages:
    """The related pages, best first."""

    about: str | None
    pages: list[RelatedPage]
    not_in_crawl: list[str]
    note: str | None

    @classmethod
    def of(cls, answer: Related) -> "RelatedPages":
        """The related pages, with sources."""
        pages = [*map(RelatedPage.of, answer.hits)]
        linked = [page.url for page in answer.not_in_crawl]
        return cls(answer.query.title, pages, linked, answer.note)


@dataclass(frozen=True, slots=True)
class ComparedPages:
    """Two pages: their score from 0 to 1, the rank of the second for the first, and what they
    share."""

    one: CitedSource
    other: CitedSource
    score: float
    rank: int | None
    note: str | None
    shared_words: list[str]
    shared_subjects: list[str]
    only_one: list[str]
    only_other: list[str]
    link_to_one: str | None
    link_to_other: str | None

    @classmethod
    def of(cls, index: Index, found: Comparison) -> "ComparedPages":
        """A comparison, with sources."""
        return cls(
            one=_source_of(index, found.one),
            other=_source_of(index, found.other),
            score=found.score,
            rank=found.rank,
            note=found.note,
            shared_words=_terms(found.shared),
            shared_subjects=_terms(found.about),
            only_one=[term.term for term in found.own_one],
            only_other=[term.term for term in found.own_other],
            link_to_one=found.link_to_one,
            link_to_other=found.link_to_other,
        )


def _terms(compared: Sequence[ComparedTerm]) -> list[str]:
    return [each.term for each in compared]


def _source_of_hit(hit: Hit | SearchHit) -> CitedSource:
    passage = hit.snippet.text if hit.snippet else None
    return CitedSource(hit.url, hit.title, hit.date, hit.language, passage)


def _source_of(index: Index, card: PageCard) -> CitedSource:
    passage = index.text(card.url, characters=PASSAGE).text if card.crawled else ""
    return CitedSource(card.url, card.title, card.date, card.language, passage or None)
