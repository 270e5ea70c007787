"""How well pages have the words of the texts of a question, and how much that counts.

The share of words in a score falls smoothly with the number of informative words: a few words are
looked for, a whole page is compared.
"""

import math
from collections.abc import Sequence

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.query.words.bm25f import WordQuery, score_pages

__all__ = ["HALF", "WordScorer", "word_share"]

MOST_SHARE = 0.85
"""Share of words in the score of a single word."""
HALF = 40
"""Known words of a text of whose score words are one half."""


def word_share(known: float) -> float:
    """The share of words in the score of a text with so many distinct words that the crawl knows:
    MOST_SHARE / (1 + (known / HALF)^1.5)."""
    return MOST_SHARE / (1 + math.pow(known / HALF, 1.5))


class WordScorer:
    """The words of the texts of a question. `share` is their share in the score of a page."""

    def __init__(
        self,
        index: IndexReader,
        like: Sequence[WordQuery],
        unlike: Sequence[WordQuery],
        pages_like: int,
    ) -> None:
        """Texts like which pages should be, beside `pages_like` pages, and unlike which."""
        self._index = index
        self._like, self._unlike = like, unlike
        self._scores: dict[_core.PageSelection, Numbers] = {}
        known = sum(text.known for text in like) / len(like)
        self.share = word_share(known) * len(like) / (len(like) + pages_like)

    def scores(self, pages: _core.PageSelection) -> Numbers:
        """The score of every page by row: the mean of texts, minus that of texts to be unlike."""
        if pages not in self._scores:
            scores = self._mean(self._like, pages)
            if self._unlike:
                scores = np.maximum(scores - self._mean(self._unlike, pages), 0)
            self._scores[pages] = scores
        return self._scores[pages]

    def score(self, row: int) -> float:
        """The score of a hit, whichever pages were wanted."""
        return float(max(scores[row] for scores in self._scores.values()))

    def _mean(self, texts: Sequence[WordQuery], pages: _core.PageSelection) -> Numbers:
        scores = np.zeros(sum(self._index.searcher.rows()))
        for query in texts:
            # Pages whose titles have the same stop words are not related.
            if query.terms:
                scores += score_pages(self._index, query, pages)
        return scores / len(texts)
