"""What pages are about: concepts, and the words by which the pages have them."""

from collections.abc import Sequence

from pagekin.index import IndexReader
from pagekin.types import ConceptShare

__all__ = ["about"]

HERE = 6
"""Words of the pages themselves that are listed for a concept."""


def about(
    index: IndexReader,
    concepts: Sequence[tuple[int, float]],
    place: tuple[int, int],
) -> list[ConceptShare]:
    """Concepts of a page, given by number and share."""
    known = index.concepts
    if known is None:
        return []
    numbers = [number for number, _ in concepts]
    terms = index.searcher.terms_for(known, numbers, place, HERE)
    return [
        ConceptShare(number, index.concept_words(number), [*map(index.word, here)], share)
        for (number, share), here in zip(concepts, terms, strict=True)
    ]
