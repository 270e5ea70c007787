"""What pages are about: concepts, and the words by which the pages have them."""

from collections.abc import Sequence

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.types import ConceptShare

__all__ = ["about"]

HERE = 6
"""Words of the pages themselves that are listed for a concept."""


def about(
    index: IndexReader,
    concepts: Sequence[tuple[int, float]],
    place: tuple[int, int],
    bag: _core.QueryBag | None = None,
) -> list[ConceptShare]:
    """Concepts of a page, given by number and share; with a bag those that it has as well."""
    known = index.concepts
    if known is None:
        return []
    numbers = [number for number, _ in concepts]
    terms = index.searcher.terms_for(known, numbers, place, bag, HERE)
    return [
        ConceptShare(number, index.concept_words(number), [*map(index.word, here)], share)
        for (number, share), here in zip(concepts, terms, strict=True)
    ]
