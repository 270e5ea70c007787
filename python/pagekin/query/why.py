"""Why a hit is similar: shared terms and concepts with their share, and pages that link to both."""

from functools import partial

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.about import about
from pagekin.query.asking import Asked
from pagekin.query.quote import quote
from pagekin.types import Citation, OtherTerms, TermShare, Why

__all__ = ["why"]

TERMS = 8
"""Terms listed for a hit; what the others make up is said in one figure."""
CONCEPTS = 4
"""Concepts listed for a hit."""
CITATIONS = 3
"""Citing pages listed for a hit."""


def why(index: IndexReader, asked: Asked, place: tuple[int, int]) -> Why:
    """The reasons for one hit."""
    found = index.searcher.shared(asked.bag, place, (TERMS, CONCEPTS))
    (terms, other_terms), (concepts, other_concepts) = found
    listed = sum(weight for _, weight in (*terms, *concepts))
    overlap = listed + other_terms[1] + other_concepts[1]
    return Why(
        terms=[TermShare(index.word(term), _share(weight)) for term, weight in terms],
        other_terms=_others(*other_terms),
        concepts=about(
            index, [(number, _share(weight)) for number, weight in concepts], place, asked.bag
        ),
        other_concepts=_others(*other_concepts),
        intersection=_share(overlap),
        cited_together_by=_citations(index, asked, place),
    )


def _others(count: int, weight: int) -> OtherTerms:
    return OtherTerms(count, _share(weight))


def _share(weight: int) -> float:
    return round(weight / _core.TOTAL, 6)


def _citations(index: IndexReader, asked: Asked, place: tuple[int, int]) -> list[Citation]:
    """The first pages that link both to a page asked about and to the hit."""
    hit = index.searcher.id(place)
    citations: dict[int, Citation] = {}
    for like in asked.like:
        query = index.searcher.id(like)
        for source, *windows in index.searcher.cited_together(query, hit, CITATIONS):
            if source not in citations and len(citations) < CITATIONS:
                page = index.searcher.find(source)
                url = index.searcher.card(page)[0] if page is not None else f"page {source:016x}"
                citations[source] = Citation(url, quote(partial(index.words_of, source), windows))
    return list(citations.values())
