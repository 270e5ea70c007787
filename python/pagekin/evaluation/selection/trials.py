"""Trials of strategies: counts, comparisons, and one strategy per band of in-degree.

The last merge is kept, so that strategies that differ only in weights are counted without a new
merge. Two strategies are compared over the same resamples of the classes.

Different strategies for pages of different in-degree are the paper's future work. Of the strategies
that were tried, each band takes the one that is best for its query pages. On the classes held back,
each page uses the strategy of its band. The choice is kept only if it beats the single strategy in
95 of 100 resamples.
"""

import os
from collections.abc import Hashable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.evaluation.counts import Counts, PooledCounts, bootstrap, count_bags, percentiles
from pagekin.evaluation.measures import Measure
from pagekin.evaluation.selection.evidence import MergedBags, merge_bags, merge_key
from pagekin.evaluation.selection.page_store import Survey
from pagekin.evaluation.truths.matching import Bounds, Halves, MatchedPages, within_bands
from pagekin.strategy import Strategy

__all__ = [
    "BandChoice",
    "StrategyComparison",
    "Workbench",
    "choose_by_band",
    "compare_strategies",
]


@dataclass(slots=True)
class Workbench:
    """Counts of any strategy on any part of the directory."""

    survey: Survey
    folder: Path
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
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
        return count_bags(bags, part, self.threads)

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
    one: PooledCounts, other: PooledCounts, measure: Measure
) -> StrategyComparison:
    """Counts by class against others."""
    resampled = bootstrap(one.queries > 0)
    ours, theirs = resampled(one).measure(measure), resampled(other).measure(measure)
    everything = np.ones((1, len(one.queries)))
    value, beaten = (
        float(counts.summed(everything).measure(measure)[0]) for counts in (one, other)
    )
    return StrategyComparison(value, percentiles(ours), value - beaten, percentiles(ours - theirs))


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
    bench: Workbench,
    halves: Halves,
    tried: Mapping[Strategy, Counts],
    single: Strategy,
    measure: Measure,
) -> BandChoice:
    """Choose on the classes tuned on, compare on those held back."""
    strategies = {
        name: _best_within(tried, within, measure) or single
        for name, within in within_bands(halves.tuning, _BANDS)
    }
    back = halves.held_back
    parts = [
        bench.counts(strategies[name], back).by_class(within)
        for name, within in within_bands(back, _BANDS)
    ]
    together = reduce(_add, parts)
    alone = bench.counts(single, back).by_class()
    return BandChoice(strategies, compare_strategies(together, alone, measure))


def _best_within(
    tried: Mapping[Strategy, Counts], within: Flags, measure: Measure
) -> Strategy | None:
    values = {
        strategy: float(counts.where(within).measure(measure)[0])
        for strategy, counts in tried.items()
    }
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
