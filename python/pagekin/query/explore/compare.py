"""Two pages side by side: what they share, what each has alone, and the rank of the second."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.explore.show import find_page, quote_link, show
from pagekin.query.filters import Filters
from pagekin.query.question import Question, ResolvedQuestion, resolve
from pagekin.query.related import LISTED, explain, find
from pagekin.query.why import Subject, both_about
from pagekin.types import PageCard, TermShare, Why

__all__ = ["ComparedTerm", "Comparison", "compare"]

SHARED = 16
"""Shared terms listed, heaviest first."""
OWN = 8
"""Terms listed that only one of the pages has, heaviest first."""
LINKS = 10_000
"""Links to a page among which one from the other page is looked for."""


@dataclass(frozen=True, slots=True)
class ComparedTerm:
    """A term of both pages, or the words of a subject of both, with its share in each page."""

    term: str
    one: float
    other: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two pages, their similarity, and the terms and concepts that make it up.

    `rank` is that of the other page among the first 100 hits of an exact search for pages like
    `one`; a page that was not crawled is ranked among all. A copy of a better hit has the rank
    of that hit, which is `copy_of`; a copy of `one` has no rank. `note` says why a page has no
    rank of its own. `own_one` and `own_other` are terms that the other page does not have.
    `link_to_one` and `link_to_other` are the words around a link between them.
    """

    one: PageCard
    other: PageCard
    score: float
    rank: int | None
    copy_of: str | None
    note: str | None
    shared: list[ComparedTerm]
    about: list[ComparedTerm]
    own_one: list[TermShare]
    own_other: list[TermShare]
    link_to_one: str | None
    link_to_other: str | None
    why: Why


def compare(index: IndexReader, one: str, other: str) -> Comparison:
    """Compare two pages of the index."""
    with index.blaming():
        question = resolve(index, Question.about(one))
        place = find_page(index, other)
        mine, theirs = _bag(question.bag), _bag(index.searcher.bag(place))
        both = mine.keys() & theirs.keys()
        overlap = sum(min(mine[term], theirs[term]) for term in both)
        (hit,) = explain(index, question, [_core.ScoredPage(place, overlap, [])])
        rank, copy_of = _rank(index, question, place)
        return Comparison(
            one=show(index, one),
            other=show(index, other),
            score=hit.score,
            rank=rank,
            copy_of=copy_of,
            note=_note(place in question.like, overlap, rank, copy_of),
            shared=_shared_terms(index, mine, theirs, both),
            about=[
                _compare_subject(subject, mine, theirs)
                for subject in both_about(hit.why.concepts, hit.site)
            ],
            own_one=_own_terms(index, mine, both),
            own_other=_own_terms(index, theirs, both),
            link_to_one=_link_words(index, place, question.like[0]),
            link_to_other=_link_words(index, question.like[0], place),
            why=hit.why,
        )


def _rank(
    index: IndexReader, question: ResolvedQuestion, page: _core.PageRef
) -> tuple[int | None, str | None]:
    """The rank of the hit that is the page, or whose copy it is, and then that hit."""
    pages = "crawled" if index.searcher.page_meta(page).crawled else "all"
    answer = find(index, question, Filters(k=LISTED, exact=True, pages=pages))
    if page in answer.copies:
        return None, index.searcher.page_meta(question.like[0]).url
    for rank, hit in enumerate(answer.hits, 1):
        if page == hit.page:
            return rank, None
        if page in hit.duplicates:
            return rank, index.searcher.page_meta(hit.page).url
    return None, None


def _note(is_same: bool, overlap: int, rank: int | None, copy_of: str | None) -> str | None:
    """Why a page has no rank of its own."""
    if is_same:
        return "a page is never a hit for itself"
    if not overlap:
        return "the pages share nothing"
    if copy_of and rank is None:
        return "it has the same text, so it is listed as a copy and not as a hit"
    if copy_of:
        return f"a near duplicate of hit {rank}, {copy_of}, and listed under it"
    return None if rank else f"not among the first {LISTED} hits"


def _link_words(index: IndexReader, source: _core.PageRef, target: _core.PageRef) -> str | None:
    """The words around the first link from a page to another, if it links there."""
    key = index.searcher.id(source)
    links = index.tables["links"].find_all(index.searcher.id(target), LINKS)
    return next((quote_link(index, link) for link in links if link["source"] == key), None)


def _bag(bag: _core.QueryBag) -> dict[int, int]:
    return dict(zip(bag.terms, bag.weights, strict=True))


def _shared_terms(
    index: IndexReader, one: dict[int, int], other: dict[int, int], both: Iterable[int]
) -> list[ComparedTerm]:
    """The terms that add most to the similarity; ties are broken by hash."""
    words = (term for term in both if _core.concept_number(term) is None)
    heaviest = sorted(words, key=lambda term: (-min(one[term], other[term]), term))
    return [
        ComparedTerm(index.word(term), one[term] / _core.TOTAL, other[term] / _core.TOTAL)
        for term in heaviest[:SHARED]
    ]


def _own_terms(index: IndexReader, bag: dict[int, int], both: set[int]) -> list[TermShare]:
    own = sorted(
        (-weight, term)
        for term, weight in bag.items()
        if term not in both and _core.concept_number(term) is None
    )
    return [TermShare(index.word(term), -weight / _core.TOTAL) for weight, term in own[:OWN]]


def _compare_subject(subject: Subject, one: dict[int, int], other: dict[int, int]) -> ComparedTerm:
    """A subject of both pages, with its share in each."""
    terms = [_core.concept_term(concept.concept) for concept in subject.concepts]
    mine, theirs = (sum(bag[term] for term in terms) / _core.TOTAL for bag in (one, other))
    return ComparedTerm(str(subject), mine, theirs)
