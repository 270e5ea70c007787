"""Why a hit is similar: shared terms and concepts with their share, and pages that link to both."""

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.asking import Asked
from pagekin.query.quote import quote
from pagekin.types import Citation, ConceptShare, OtherTerms, TermShare, Why

__all__ = ["why"]

TERMS = 8
"""Terms listed for a hit; what the others make up is said in one figure."""
CONCEPTS = 4
"""Concepts listed for a hit."""
CITATIONS = 3
"""Citing pages listed for a hit."""


def why(index: IndexReader, asked: Asked, place: tuple[int, int]) -> Why:
    """The reasons for one hit."""
    terms, concepts = index.searcher.shared(asked.bag, place)
    overlap = sum(weight for _, weight in (*terms, *concepts))
    return Why(
        terms=[TermShare(index.word(term), _share(weight)) for term, weight in terms[:TERMS]],
        other_terms=_others(terms[TERMS:]),
        concepts=[
            ConceptShare(number, index.concept_words(number), _share(weight))
            for number, weight in concepts[:CONCEPTS]
        ],
        other_concepts=_others(concepts[CONCEPTS:]),
        intersection=_share(overlap),
        cited_together_by=_citations(index, asked, place),
    )


def _others(shared: list[tuple[int, int]]) -> OtherTerms:
    return OtherTerms(len(shared), _share(sum(weight for _, weight in shared)))


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
                citations[source] = Citation(url, quote(index.words_of(source), windows))
    return list(citations.values())
