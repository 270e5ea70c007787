"""Two pages side by side: the terms they share, and the terms of each alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.question import Question, resolve
from pagekin.query.related import explain
from pagekin.query.show import find_page, show
from pagekin.query.why import Subject, subjects
from pagekin.types import PageCard, TermShare, Why

__all__ = ["ComparedTerm", "Comparison", "compare"]

SHARED = 16
"""Shared terms listed, heaviest first."""
OWN = 8
"""Terms listed that only one of the pages has, heaviest first."""


@dataclass(frozen=True, slots=True)
class ComparedTerm:
    """A term of both pages, or the words of a subject of both, with its share in each page."""

    term: str
    one: float
    other: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two pages, their similarity, and the terms and concepts that make it up.

    `own_one` and `own_other` are terms that the other page does not have.
    """

    one: PageCard
    other: PageCard
    score: float
    shared: list[ComparedTerm]
    about: list[ComparedTerm]
    own_one: list[TermShare]
    own_other: list[TermShare]
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
        return Comparison(
            one=show(index, one),
            other=show(index, other),
            score=hit.score,
            shared=_shared_terms(index, mine, theirs, both),
            about=[
                _compare_subject(subject, mine, theirs) for subject in subjects(hit.why.concepts)
            ],
            own_one=_own_terms(index, mine, both),
            own_other=_own_terms(index, theirs, both),
            why=hit.why,
        )


def _bag(bag: _core.PreparedQuery) -> dict[int, int]:
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
