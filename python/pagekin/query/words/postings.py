"""Posting lists: the pages with a word, or with all words of a phrase, by site and page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.index.tables.mapped import corrupt

__all__ = ["Postings", "postings_of", "postings_of_all"]


@dataclass(frozen=True, slots=True)
class Postings:
    """Pages in order of site and page.

    `content` is the count of the word in the page's own title and text, `anchor` its weight in the
    windows of links to the page.
    """

    pages: Numbers
    content: Numbers
    anchor: Numbers

    def at(self, places: Numbers) -> "Postings":
        """The postings at these positions."""
        return Postings(self.pages[places], self.content[places], self.anchor[places])


def postings_of(index: IndexReader, term: int) -> Postings:
    """The posting list of a term; empty if no page has it. Those of several indexes follow each
    other."""
    found = [_postings(index, first_row, row) for first_row, row in index.posting_lists(term)]
    if len(found) == 1:
        return found[0]
    columns = ("pages", "content", "anchor")
    none = np.empty(0, np.uint32)
    return Postings(
        *(np.concatenate([none, *(getattr(each, name) for each in found)]) for name in columns)
    )


def _postings(index: IndexReader, first_row: int, row: pa.RecordBatch) -> Postings:
    """The lists of a row of the table, whose page numbers begin at a row of the whole."""
    lists = [_numbers(row.column(name)) for name in ("pages", "content", "anchor")]
    if len({len(each) for each in lists}) > 1:
        raise corrupt(index.path, "the lists of a term differ in length")
    pages, content, anchor = lists
    return Postings(pages + np.uint32(first_row) if first_row else pages, content, anchor)


def postings_of_all(index: IndexReader, terms: Sequence[int]) -> Postings:
    """The pages that have all of these terms: the intersection of their posting lists."""
    first, *others = terms
    found = postings_of(index, first)
    for term in others:
        found = _intersection(found, postings_of(index, term))
    return found


def _numbers(lists: Any) -> Numbers:
    """The numbers of a column of one list."""
    start, end = lists.offsets.to_numpy().tolist()
    found: Numbers = lists.values.to_numpy()[start:end]
    return found


def _intersection(one: Postings, other: Postings) -> Postings:
    """The pages of both, in order; the count of a phrase is that of its rarest word."""
    _, here, there = np.intersect1d(one.pages, other.pages, assume_unique=True, return_indices=True)
    order = np.argsort(here)
    first, second = one.at(here[order]), other.at(there[order])
    return Postings(
        first.pages,
        np.minimum(first.content, second.content),
        np.minimum(first.anchor, second.anchor),
    )
