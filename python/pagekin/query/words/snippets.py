"""Snippets: the passage of each page that has most of the words looked for."""

from collections.abc import Sequence

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.words.bm25f import WordQuery
from pagekin.types import Snippet

__all__ = ["snippet_of", "snippets"]


def snippets(
    index: IndexReader, pages: Sequence[_core.PageRef], words: WordQuery
) -> list[Snippet | None]:
    """For each page the passage with most of the words; None if it was not fetched."""
    terms = [*zip(words.terms, words.idf, strict=True)]
    found = index.searcher.snippets(index.core_strategy, pages, terms)
    return [*map(snippet_of, found)]


def snippet_of(found: _core.Snippet | None) -> Snippet | None:
    """A snippet as it is shown."""
    return None if found is None else Snippet(found.text, found.marks)
