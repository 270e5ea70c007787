"""Fusion of two rankings by the threshold algorithm (Fagin, Lotem, Naor 2001).

A text is answered by its words and by its bag: score = share · words + (1 - share) · similarity.
The best pages of both lists are compared. A page in neither has at most the last scores of both;
the lists grow until the last hit has more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.query.question import ResolvedQuestion
from pagekin.query.words.bm25f import best_rows
from pagekin.query.words.scorer import WordScorer

__all__ = ["FusedPages", "find_fused", "fused_score"]

BY_WORDS, BY_BAGS = 256, 64
"""Length of the two lists at first."""
STEP = 4
"""The factor by which they grow."""
MOST = 16_384
"""Length of the list by bags at the most, unless an exact answer is requested."""


@dataclass(frozen=True, slots=True)
class FusedPages:
    """The hits of a question with texts, as `_core.SearchResult` has them."""

    hits: list[_core.ScoredPage]
    copies: list[_core.PageRef]
    filtered: _core.FilterCounts
    compared: int
    exact: bool


def fused_score(index: IndexReader, words: WordScorer, hit: _core.ScoredPage) -> float:
    """The score of a hit."""
    own = words.score(index.row(hit.page))
    return words.share * own + (1 - words.share) * _similarity(hit.overlap)


def _similarity(overlap: int) -> float:
    return overlap / (2 * _core.TOTAL - overlap)


def find_fused(
    index: IndexReader,
    question: ResolvedQuestion,
    words: WordScorer,
    filters: Filters,
    exclusions: ExclusionLists,
) -> FusedPages:
    """The pages with the best fused scores, best first, ties by id."""
    by_words = words.scores(filters.to_core())
    options = filters.options(exclusions)
    length, bags_length = BY_WORDS, max(BY_BAGS, filters.k)
    while True:
        ranked = best_rows(by_words, length + 1, index.id_order)
        bags = _by_bags(index, question, filters, exclusions, bags_length)
        rows = _union(ranked[:length], np.array([index.row(hit.page) for hit in bags.hits]))
        pages = zip(index.place(rows), by_words[rows].tolist(), strict=True)
        found = index.searcher.search_fused(question.bag, [*pages], words.share, options)
        rest_by_words = float(by_words[ranked[length]]) if length < len(ranked) else 0.0
        is_whole = len(bags.hits) < bags_length
        rest_by_bags = 0.0 if is_whole else _similarity(bags.hits[-1].overlap)
        bound = words.share * rest_by_words + (1 - words.share) * rest_by_bags
        is_settled = bound == 0 or (
            len(found.hits) >= filters.k and fused_score(index, words, found.hits[-1]) >= bound
        )
        if is_settled or (bags_length >= MOST and not filters.exact):
            exact = is_settled and bags.exact
            return FusedPages(found.hits, found.copies, found.filtered, found.compared, exact)
        length, bags_length = length * STEP, bags_length * STEP


def _by_bags(
    index: IndexReader,
    question: ResolvedQuestion,
    filters: Filters,
    exclusions: ExclusionLists,
    length: int,
) -> _core.SearchResult:
    """The pages with the most similar bags. Copies stay apart: they are folded later."""
    plain = replace(filters, k=length, min_score=0.0, copy_score=1.0, group_by_site=False)
    options = plain.options(exclusions)
    return index.searcher.search(question.bag, options)


def _union(*rows: Sequence[int] | Numbers) -> Numbers:
    return np.unique(np.concatenate([np.asarray(each, np.int64) for each in rows]))
