"""Counts of each query page: pairs in the right and in the wrong order, and hits.

Everything is a sum over query pages, so that any set of them (all, a band, a class, a resample) is
measured from the same counts. The interval is a bootstrap over classes: pages of a class are
alike, and a new directory would have other classes.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.evaluation.measures import ORDERINGS, K, Measure
from pagekin.evaluation.truths.matching import MatchedPages

__all__ = [
    "WIDTH",
    "Counts",
    "Flags",
    "PooledCounts",
    "bootstrap",
    "concatenated",
    "count_bags",
    "count_pairs",
    "count_ranking",
    "percentiles",
]

Whole = np.ndarray[Any, np.dtype[np.int64]]
Real = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Tally = Callable[[list[int], int, int], pa.RecordBatch]

RESAMPLES = 1000
SEED = 20020507
LEVEL = 0.95
_STEP = 128
_OUTCOMES = ("concordant", "discordant", "tied")
_SHAPE = (len(ORDERINGS), len(_OUTCOMES))
WIDTH = len(ORDERINGS) * len(_OUTCOMES)
"""How many counts of pairs a group has."""


@dataclass(frozen=True, slots=True)
class PooledCounts:
    """Counts of one query page or summed over many, one row per group.

    `pairs` is by group, ordering and outcome (concordant, discordant, tied); `queries` counts the
    pages that have another of their class.
    """

    pairs: Real
    same: Real
    orthogonal: Real
    hits: dict[int, Real]
    queries: Real

    def measure(self, measure: Measure) -> Real:
        """A measure of each group; not a number where it has nothing to measure."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return measure.of(self)

    def summed(self, weights: Real) -> "PooledCounts":
        """Groups of groups: each row of `weights` says how often each group counts."""
        flat = self.pairs.reshape(len(self.pairs), WIDTH)
        return PooledCounts(
            (weights @ flat).reshape(-1, *_SHAPE),
            weights @ self.same,
            weights @ self.orthogonal,
            {k: weights @ hits for k, hits in self.hits.items()},
            weights @ self.queries,
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of each query page, and the class that it counts for."""

    pages: PooledCounts
    group: Whole
    groups: int

    def all(self) -> PooledCounts:
        """All query pages as one."""
        return self.pages.summed(np.ones((1, len(self.group))))

    def where(self, wanted: Flags) -> PooledCounts:
        """Some query pages as one."""
        return self.pages.summed(wanted[None].astype(np.float64))

    def by_class(self, wanted: Flags | None = None) -> PooledCounts:
        """The query pages of each class as one."""
        return _by_group(self.pages, self.group, self.groups, wanted)

    def interval(self, measure: Measure, wanted: Flags | None = None) -> tuple[float, float]:
        """The interval of the measure over 95 of 100 resamples of the classes."""
        classes = self.by_class(wanted)
        included = classes.queries > 0
        found = bootstrap(included)(classes).measure(measure)
        return percentiles(found)

    def only(self, wanted: Flags) -> "Counts":
        """Only these query pages."""
        return self.weighted(wanted.astype(np.float64))

    def weighted(self, weights: Real) -> "Counts":
        """Each query page counts by its weight."""
        pages = self.pages
        included = PooledCounts(
            pages.pairs * weights[:, None, None],
            pages.same * weights,
            pages.orthogonal * weights,
            {k: hits * weights for k, hits in pages.hits.items()},
            pages.queries * weights,
        )
        return Counts(included, self.group, self.groups)

    def mean(self, measure: Measure) -> float:
        """The mean over query pages for which the measure is defined."""
        found = self.pages.measure(measure)[self.pages.queries > 0]
        return float(np.nanmean(found)) if np.isfinite(found).any() else float("nan")


def bootstrap(
    included: Flags, resamples: int = RESAMPLES, seed: int = SEED
) -> Callable[[PooledCounts], PooledCounts]:
    """Resamples of the included classes, determined by the seed."""
    count = int(included.sum())
    draws = np.zeros((resamples, len(included)))
    if count:
        random = np.random.default_rng(seed)
        draws[:, included] = random.multinomial(count, np.full(count, 1 / count), size=resamples)
    return lambda classes: classes.summed(draws)


def percentiles(found: Real) -> tuple[float, float]:
    """The middle 95 of 100; not a number where nothing was found."""
    sound = found[np.isfinite(found)]
    if not len(sound):
        return float("nan"), float("nan")
    low, high = np.quantile(sound, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def concatenated(parts: Sequence[PooledCounts]) -> PooledCounts:
    """The groups of all parts, one after the other."""
    return PooledCounts(
        np.concatenate([part.pairs for part in parts]),
        np.concatenate([part.same for part in parts]),
        np.concatenate([part.orthogonal for part in parts]),
        {k: np.concatenate([part.hits[k] for part in parts]) for k in parts[0].hits},
        np.concatenate([part.queries for part in parts]),
    )


def count_bags(
    bags: _core.Collection,
    matched: MatchedPages,
    threads: int,
    similarity: str = "jaccard",
    ks: Iterable[int] = (K,),
) -> Counts:
    """Count how pages are ordered by the similarity of their bags."""

    def tally(ks: list[int], first: int, last: int) -> pa.RecordBatch:
        return bags.tally(matched.family, similarity, ks, first, last)

    return count_pairs(tally, matched.first_class, len(matched.classes), sorted(ks), threads)


def count_ranking(ranking: _core.Ranking, matched: MatchedPages, threads: int) -> Counts:
    """Count how pages are ordered by the scores of a ranking."""

    def tally(ks: list[int], first: int, last: int) -> pa.RecordBatch:
        return ranking.tally(matched.family, ks, first, last)

    return count_pairs(tally, matched.first_class, len(matched.classes), [K], threads)


def count_pairs(tally: Tally, group: Whole, groups: int, ks: list[int], threads: int) -> Counts:
    """Count with every page as the query page in turn, on `threads` threads."""
    pages = len(group)
    starts = range(0, pages, _STEP)
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda start: tally(ks, start, min(start + _STEP, pages)), starts)
        table = pa.Table.from_batches(list(parts))
    return Counts(_pages(table, ks), group, groups)


def _pages(table: pa.Table, ks: list[int]) -> PooledCounts:
    def column(name: str) -> Real:
        return np.asarray(table.column(name).to_numpy(), dtype=np.float64)

    pairs = [[column(f"{ordering}_{outcome}") for outcome in _OUTCOMES] for ordering in ORDERINGS]
    same = column("same")
    # A page alone in its class is not a query page.
    asks = (same > 0).astype(np.float64)
    return PooledCounts(
        np.moveaxis(np.array(pairs), 2, 0),
        same,
        column("orthogonal"),
        {k: column(f"hits_{k}") * asks for k in ks},
        asks,
    )


def _by_group(pages: PooledCounts, group: Whole, groups: int, wanted: Flags | None) -> PooledCounts:
    if wanted is not None:
        group = np.where(wanted, group, groups)

    def summed(values: Real) -> Real:
        sums = np.bincount(group, weights=values, minlength=groups)
        return sums[:groups].astype(np.float64)

    flat = pages.pairs.reshape(len(pages.pairs), WIDTH)
    pairs = np.stack([summed(flat[:, column]) for column in range(WIDTH)], axis=1)
    return PooledCounts(
        pairs.reshape(-1, *_SHAPE),
        summed(pages.same),
        summed(pages.orthogonal),
        {k: summed(hits) for k, hits in pages.hits.items()},
        summed(pages.queries),
    )
