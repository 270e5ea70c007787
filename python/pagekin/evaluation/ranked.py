"""Ranked answers and their measures, named and defined as in trec_eval and ir_measures.

R@10          recall: the share of the relevant pages that are among the first ten answers
AP@10         average precision of the first ten: the mean, over the relevant pages, of the
              precision at the rank where each is found, 0 for those that are not
RR@10         1 / rank of the first relevant answer, 0 if there is none among the first ten
Success@10    1 if any of the first ten answers is relevant

A measure is computed for each query; its value is the mean over queries. The interval is a
bootstrap.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from pagekin.evaluation.counts import RESAMPLES, SEED, percentiles

__all__ = [
    "RANKED",
    "RankedAnswers",
    "RankedMeasure",
    "Relevance",
    "Score",
    "mean_score",
    "resampled_means",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Real = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
_DRAWS = 1 << 22
"""Numbers drawn at a time: resamples of many queries would not fit into memory at once."""


@dataclass(frozen=True, slots=True)
class RankedAnswers:
    """Queries in order of ids, and the answers to each, best first."""

    queries: Ids
    answers: Sequence[Ids]


@dataclass(frozen=True, slots=True)
class Relevance:
    """Which answers are relevant, by query and rank, and how many pages are for each query."""

    found: Flags
    relevant: Whole

    @classmethod
    def of(cls, answers: RankedAnswers, queries: Ids, related: Ids, depth: int) -> "Relevance":
        """The relevance of the first `depth` answers, by pairs of a query and a relevant page.

        Only queries that have a relevant page count. One that was not answered has found nothing.
        """
        relevant: dict[int, set[int]] = {}
        for query, page in zip(queries.tolist(), related.tolist(), strict=True):
            relevant.setdefault(query, set()).add(page)
        given = dict(zip(answers.queries.tolist(), answers.answers, strict=True))
        found = np.zeros((len(relevant), depth), dtype=bool)
        for row, (query, pages) in enumerate(relevant.items()):
            ranked = given.get(query, np.zeros(0, dtype=np.uint64))[:depth].tolist()
            found[row, : len(ranked)] = [page in pages for page in ranked]
        return cls(found, np.array([len(pages) for pages in relevant.values()], dtype=np.int64))


Name = Literal["R", "AP", "RR", "Success"]


@dataclass(frozen=True, slots=True)
class RankedMeasure:
    """A measure of the first k answers."""

    name: Name
    k: int

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    def of(self, relevance: Relevance) -> Real:
        """The measure of each query."""
        found = relevance.found[:, : self.k].astype(np.float64)
        return _MEASURES[self.name](found, relevance.relevant.astype(np.float64))


def _recall(found: Real, relevant: Real) -> Real:
    return np.asarray(found.sum(axis=1) / relevant)


def _average_precision(found: Real, relevant: Real) -> Real:
    precision = found.cumsum(axis=1) / np.arange(1, found.shape[1] + 1)
    return np.asarray((precision * found).sum(axis=1) / relevant)


def _reciprocal_rank(found: Real, _relevant: Real) -> Real:
    first = found.argmax(axis=1)
    return np.asarray(np.where(found.any(axis=1), 1 / (first + 1), 0.0))


def _success(found: Real, _relevant: Real) -> Real:
    return np.asarray(found.max(axis=1))


_MEASURES = {
    "R": _recall,
    "AP": _average_precision,
    "RR": _reciprocal_rank,
    "Success": _success,
}
RANKED = (
    RankedMeasure("R", 5),
    RankedMeasure("R", 10),
    RankedMeasure("AP", 10),
    RankedMeasure("RR", 10),
    RankedMeasure("Success", 10),
)
"""What is said of every list of ranked answers, in order."""


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over queries, and where it lies for 95 of 100 resamples of them."""

    value: float
    interval: tuple[float, float]


def mean_score(values: Real, group: Whole | None = None) -> Score:
    """The mean of a measure over queries, with its interval.

    Queries of one group, say a class, are alike; then groups are resampled, not queries.
    """
    group = np.arange(len(values)) if group is None else group
    sums = np.bincount(group, weights=values).astype(np.float64)
    counts = np.bincount(group)
    return Score(float(values.mean()), percentiles(resampled_means(sums, counts)))


def resampled_means(sums: Real, counts: Whole | Real) -> Real:
    """The means of resamples of groups, by each group's sum and count; empty groups are left out.

    The draws depend on the number of groups alone, so that differences of two systems on the same
    groups may be taken resample by resample.
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    parts = _resamples(len(counts))
    return np.concatenate([(drawn @ sums) / (drawn @ counts) for drawn in parts])


def _resamples(groups: int) -> Iterator[Real]:
    """How often each resample draws each group, some resamples at a time."""
    step = max(_DRAWS // groups, 1)
    if step >= RESAMPLES:
        yield _all_resamples(groups)
        return
    random = np.random.default_rng(SEED)
    for start in range(0, RESAMPLES, step):
        yield _draw(random, groups, min(step, RESAMPLES - start))


@lru_cache(maxsize=2)
def _all_resamples(groups: int) -> Real:
    """All at once; kept, because measures of the same queries come one after another."""
    return _draw(np.random.default_rng(SEED), groups, RESAMPLES)


def _draw(random: np.random.Generator, groups: int, size: int) -> Real:
    drawn = random.multinomial(groups, np.full(groups, 1 / groups), size=size)
    return drawn.astype(np.float64)
