"""Phrases that pages have, looked up once for all indexes of a crawl.

Texts are asked of every strategy, and all look for the same pairs of words in much the same pages.
What a page has depends on its text alone, so a process needs to read it once for each question.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pagekin.arrays import Numbers
from pagekin.index import IndexReader

__all__ = ["KnownPhrases", "SharedPhrases"]

KnownPhrases = defaultdict[tuple[str, ...], dict[int, Numbers]]
"""The marks of pages by id, for each list of phrases."""


class SharedPhrases(IndexReader):
    """An index that remembers with others which phrases pages have."""

    def __init__(self, path: Path, known: KnownPhrases) -> None:
        super().__init__(path)
        self._known = known

    def phrases(self, rows: Numbers, phrases: Sequence[str]) -> Numbers:
        """As those of any index."""
        known = self._known[tuple(phrases)]
        ids = [self.searcher.id(place) for place in self.place(rows)]
        new = np.array([page not in known for page in ids], dtype=bool)
        if new.any():
            found = super().phrases(rows[new], phrases)
            known.update(zip((ids[at] for at in np.flatnonzero(new)), found, strict=True))
        return np.array([known[page] for page in ids]).reshape(len(rows), len(phrases))
