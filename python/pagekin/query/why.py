"""Why a hit is similar: shared terms and concepts with their share, and pages that link to both."""

from collections.abc import Sequence

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.about import HERE
from pagekin.types import Citation, ConceptShare, OtherTerms, TermShare, Why

__all__ = ["MOST", "Concepts", "Terms", "why"]

Others = tuple[int, int]
"""Those that are not listed: how many, and what they weigh."""
Terms = tuple[list[tuple[str, int]], Others]
"""Words with the lesser of their two weights."""
Concepts = tuple[list[tuple[int, int, list[str]]], Others]
"""Concepts by number: the lesser weight, and the words by which the pages have it."""

TERMS = 8
"""Terms listed for a hit; what the others make up is said in one figure."""
CONCEPTS = 4
"""Concepts listed for a hit."""
CITATIONS = 3
"""Citing pages listed for a hit."""
MOST = (TERMS, CONCEPTS, HERE, CITATIONS)


def why(
    index: IndexReader,
    overlap: int,
    terms: Terms,
    concepts: Concepts,
    citations: Sequence[tuple[str, str]],
) -> Why:
    """The reasons for one hit, as the core tells them."""
    return Why(
        terms=[TermShare(term, _share(weight)) for term, weight in terms[0]],
        other_terms=_others(*terms[1]),
        concepts=[
            ConceptShare(number, index.concept_words(number), here, _share(weight))
            for number, weight, here in concepts[0]
        ],
        other_concepts=_others(*concepts[1]),
        intersection=_share(overlap),
        cited_together_by=[Citation(url, words) for url, words in citations],
    )


def _share(weight: int) -> float:
    """A weight as a fraction of a bag, to six places."""
    # As `round` would have it: no weight lies halfway between two.
    return (weight * 1_000_000 + _core.TOTAL // 2) // _core.TOTAL / 1_000_000


def _others(count: int, weight: int) -> OtherTerms:
    return OtherTerms(count, _share(weight))
