"""Texts by class: the first paragraph of each page of a directory, asked as a text.

The page itself is not an answer. Unlike a known item, a paragraph has as many right answers as its
class has other pages.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pagekin import _core
from pagekin.index import IndexReader

__all__ = ["Paragraph", "first_paragraphs"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
SHORTEST = 30
"""Words of a paragraph at least; a shorter line is a heading, a menu entry or a caption."""
LONGEST = 300


class Paragraph(NamedTuple):
    """A paragraph, and the page that it begins."""

    page: int
    text: str


def first_paragraphs(index: IndexReader, pages: Ids) -> Iterator[Paragraph]:
    """The first paragraph of each page that has one."""
    for page in pages.tolist():
        for line in index.text_of(page).splitlines():
            if SHORTEST <= len(_core.words_of(line)) <= LONGEST:
                yield Paragraph(page, line)
                break
