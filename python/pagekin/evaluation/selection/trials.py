"""Trials of strategies: counts, comparisons, and one strategy per band of in-degree.

The last merge is kept, so that strategies that differ only in weights are counted without a new
merge. Two strategies are compared over the same resamples of the classes. Of several crawls each
counts the same: a measure is the mean over them, and the classes of each are resampled.

Different strategies for pages of different in-degree are the paper's future work. Of the strategies
that were tried, each band takes the one that is best for its query pages. On the classes held back,
each page uses the strategy of its band. The choice is kept only if it beats the single strategy in
95 of 100 resamples.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.evaluation.counts import (
    SEED,
    Counts,
    PooledCounts,
    bootstrap,
    count_bags,
    percentiles,
)
from pagekin.evaluation.measures import K, Measure
from pagekin.evaluation.selection.evidence import MergedBags, merge_bags, merge_key
from pagekin.evaluation.selection.page_store import Survey
from pagekin.evaluation.truths.matching import Bounds, MatchedPages, within_bands
from pagekin.strategy import Strategy

__all__ = [
    "BandChoice",
    "StrategyComparison",
    "Workbench",
    "choose_by_band",
    "compare_strategies",
    "count_by_band",
    "mean_over_crawls",
    "resamples_of",
]

Real = np.ndarray[Any, np.dtype[np.float64]]
Resamples = Callable[[Sequence[PooledCounts]], list[PooledCounts]]


@dataclass(slots=True)
class Workbench:
    """Counts of any strategy on any part of the directory."""

    survey: Survey
    folder: Path
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    ks: frozenset[int] = frozenset([K])
    _key: Hashable = None
    _merged: MergedBags | None = None
    _cleanup: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self._cleanup.close()

    def counts(self, strategy: Strategy, part: MatchedPages) -> Counts:
        """The counts of a strategy within a part of the directory."""
        wanted = np.searchsorted(self.survey.matched.ids, part.ids)
        bags = self._merge(strategy).collection(strategy, rows=wanted)
        return count_bags(bags, part, self.threads, ks=self.ks)

    def _merge(self, strategy: Strategy) -> MergedBags:
        key = merge_key(strategy)
        if self._merged is None or key != self._key:
            self._cleanup.close()
            merged = merge_bags(self.survey, strategy, self.folder, self.threads)
            self._merged = self._cleanup.enter_context(merged)
            self._key = key
        return self._merged


@dataclass(frozen=True, slots=True)
class StrategyComparison:
    """A measure with its interval, and by how much it beats another's."""

    value: float
    interval: tuple[float, float]
    gain: float
    gain_interval: tuple[float, float]

    @property
    def wins(self) -> bool:
        """Whether it is the better one for 95 of 100 resamples of the classes."""
        return self.gain_interval[0] > 0

    @property
    def loses(self) -> bool:
        """Whether it is the worse one in 95 of 100 resamples."""
        return self.gain_interval[1] < 0


def compare_strategies(
    one: Sequence[PooledCounts], other: Sequence[PooledCounts], measure: Measure
) -> StrategyComparison:
    """Counts by class against others, of each crawl."""
    resampled = resamples_of(one)
    ours, theirs = (mean_over_crawls(resampled(each), measure) for each in (one, other))
    value, beaten = (_value(each, measure) for each in (one, other))
    return StrategyComparison(value, percentiles(ours), value - beaten, percentiles(ours - theirs))


def resamples_of(crawls: Sequence[PooledCounts], **keywords: int) -> Resamples:
    """Resamples of the classes of each crawl, for any counts of the same classes."""
    drawn = [
        bootstrap(counts.queries > 0, seed=SEED + place, **keywords)
        for place, counts in enumerate(crawls)
    ]
    return lambda found: [draw(counts) for draw, counts in zip(drawn, found, strict=True)]


def mean_over_crawls(crawls: Iterable[PooledCounts], measure: Measure) -> Real:
    """The mean of a measure, group by group, over the crawls where it is defined."""
    table = np.array([counts.measure(measure) for counts in crawls])
    sound = np.isfinite(table)
    with np.errstate(invalid="ignore"):
        mean: Real = np.where(sound, table, 0).sum(axis=0) / sound.sum(axis=0)
    return mean


def _value(crawls: Sequence[PooledCounts], measure: Measure) -> float:
    summed = (counts.summed(np.ones((1, len(counts.queries)))) for counts in crawls)
    return float(mean_over_crawls(summed, measure)[0])


_BANDS: tuple[Bounds, ...] = ((0, 3), (4, 15), (16, None))
"""Bands wide enough that each has pages to tune on."""

Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class BandChoice:
    """The strategy of each band, and how they do together against the single one."""

    strategies: dict[str, Strategy]
    held_back: StrategyComparison

    @property
    def wins(self) -> bool:
        """Whether choosing by band wins."""
        return self.held_back.wins


def choose_by_band(
    parts: Sequence[MatchedPages],
    tried: Mapping[Strategy, Sequence[Counts]],
    single: Strategy,
    measure: Measure,
) -> dict[str, Strategy]:
    """The best strategy of each band; the single one for a band without query pages."""
    bands = [within_bands(part, _BANDS) for part in parts]
    return {
        each[0][0]: _best_within(tried, [within for _, within in each], measure) or single
        for each in zip(*bands, strict=True)
    }


def count_by_band(
    bench: Workbench, part: MatchedPages, strategies: Mapping[str, Strategy]
) -> PooledCounts:
    """The counts by class if each query page uses the strategy of its band."""
    parts = [
        bench.counts(strategies[name], part).by_class(within)
        for name, within in within_bands(part, _BANDS)
    ]
    return reduce(_add, parts)


def _best_within(
    tried: Mapping[Strategy, Sequence[Counts]], within: Sequence[Flags], measure: Measure
) -> Strategy | None:
    values = {}
    for strategy, crawls in tried.items():
        wanted = (counts.where(flags) for counts, flags in zip(crawls, within, strict=True))
        values[strategy] = float(mean_over_crawls(wanted, measure)[0])
    sound = {strategy: value for strategy, value in values.items() if not np.isnan(value)}
    return max(sound, key=lambda strategy: sound[strategy]) if sound else None


def _add(one: PooledCounts, two: PooledCounts) -> PooledCounts:
    return PooledCounts(
        one.pairs + two.pairs,
        one.same + two.same,
        one.orthogonal + two.orthogonal,
        {k: one.hits[k] + two.hits[k] for k in one.hits},
        one.queries + two.queries,
    )
