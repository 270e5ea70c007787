"""The paper's future work: another strategy for pages of another in-degree.

Of the strategies that were tried, each band takes the one that is best for its query pages. On the
classes held back, a page is asked by its band's strategy. The choice is kept only if it beats the
single strategy for 95 of 100 resamples.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from pagekin.evaluation.counts import Counts, Pooled
from pagekin.evaluation.matching import Matched
from pagekin.evaluation.measures import Measure
from pagekin.evaluation.tune.comparison import Comparison, compared
from pagekin.evaluation.tune.split import Halves
from pagekin.evaluation.tune.workbench import Workbench
from pagekin.strategy import Strategy

__all__ = ["BANDS", "BandChoice", "chosen_by_band"]

BANDS = {"0-3": (0, 3), "4-15": (4, 15), "16+": (16, None)}
"""Bands wide enough that each has pages to tune on."""

Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class BandChoice:
    """The strategy of each band, and how they do together against the single one."""

    strategies: dict[str, Strategy]
    held_back: Comparison

    @property
    def kept(self) -> bool:
        """Whether choosing by band wins."""
        return self.held_back.wins


def chosen_by_band(
    bench: Workbench,
    halves: Halves,
    tried: Mapping[Strategy, Counts],
    single: Strategy,
    measure: Measure,
) -> BandChoice:
    """Choose on the classes tuned on, compare on those held back."""
    strategies = {
        name: _best_within(tried, within, measure) or single
        for name, within in _within(halves.tuning).items()
    }
    back = halves.held_back
    parts = [
        bench.counts(strategies[name], back).by_class(within)
        for name, within in _within(back).items()
    ]
    together = reduce(_added, parts)
    alone = bench.counts(single, back).by_class()
    return BandChoice(strategies, compared(together, alone, measure))


def _within(matched: Matched) -> dict[str, Flags]:
    found = {}
    for name, (least, most) in BANDS.items():
        within = matched.inlinks >= least
        found[name] = within if most is None else within & (matched.inlinks <= most)
    return found


def _best_within(
    tried: Mapping[Strategy, Counts], within: Flags, measure: Measure
) -> Strategy | None:
    values = {
        strategy: float(counts.where(within).measure(measure)[0])
        for strategy, counts in tried.items()
    }
    sound = {strategy: value for strategy, value in values.items() if not np.isnan(value)}
    return max(sound, key=lambda strategy: sound[strategy]) if sound else None


def _added(one: Pooled, two: Pooled) -> Pooled:
    return Pooled(
        one.pairs + two.pairs,
        one.same + two.same,
        one.orthogonal + two.orthogonal,
        {k: one.hits[k] + two.hits[k] for k in one.hits},
        one.queries + two.queries,
    )
