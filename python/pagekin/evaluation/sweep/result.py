"""The result of one contender: its counts by class and by band of in-degree, and its measures."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.evaluation.counts import Counts, Pooled, bootstrap, percentiles
from pagekin.evaluation.matching import Matched
from pagekin.evaluation.measures import Measure
from pagekin.evaluation.summary import K, within_bands
from pagekin.evaluation.sweep.grid import Contender
from pagekin.strategy import Strategy

__all__ = ["Result", "difference"]

_WIDTH = 13


@dataclass(frozen=True, slots=True)
class Result:
    """What was counted for a contender, and how long that took."""

    contender: Contender
    classes: Pooled
    bands: Pooled
    seconds: float

    @classmethod
    def of(cls, contender: Contender, counts: Counts, matched: Matched, seconds: float) -> "Result":
        """The result that these counts are."""
        bands = np.array([within for _, within in within_bands(matched)], dtype=np.float64)
        return cls(contender, counts.by_class(), counts.pages.summed(bands), round(seconds, 3))

    def measure(self, measure: Measure) -> float:
        """A measure of all query pages."""
        return float(self.classes.summed(np.ones((1, len(self.classes.same)))).measure(measure)[0])

    def interval(self, measure: Measure) -> tuple[float, float]:
        """Where it lies for 95 of 100 resamples of the classes."""
        return percentiles(self._resampled(self.classes.queries > 0).measure(measure))

    def _resampled(self, kept: Any) -> Pooled:
        return bootstrap(kept)(self.classes)

    def to_json(self) -> str:
        """One line."""
        strategy = self.contender.strategy
        return json.dumps(
            {
                "key": self.contender.key,
                "strategy": strategy.to_toml() if strategy else None,
                "similarity": self.contender.similarity,
                "classes": _rows(self.classes),
                "bands": _rows(self.bands),
                "seconds": self.seconds,
            }
        )

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """The result of a line."""
        raw = json.loads(line)
        strategy = Strategy.from_toml(raw["strategy"]) if raw["strategy"] else None
        contender = Contender(strategy, raw["similarity"])
        return cls(contender, _pooled(raw["classes"]), _pooled(raw["bands"]), raw["seconds"])


def difference(one: Result, other: Result, measure: Measure) -> tuple[float, float, float]:
    """How much better the one is, and the interval of that over the same resamples."""
    kept = one.classes.queries > 0
    found = one._resampled(kept).measure(measure) - other._resampled(kept).measure(measure)
    return one.measure(measure) - other.measure(measure), *percentiles(found)


def _rows(pooled: Pooled) -> list[list[float]]:
    flat = pooled.pairs.reshape(-1, 9)
    columns = [pooled.same, pooled.orthogonal, pooled.hits[K], pooled.queries]
    table = np.column_stack([flat, *columns])
    return [[int(cell) if cell.is_integer() else cell for cell in row] for row in table.tolist()]


def _pooled(rows: list[list[float]]) -> Pooled:
    table = np.array(rows, dtype=np.float64).reshape(-1, _WIDTH)
    same, orthogonal, hits, queries = (np.ascontiguousarray(table[:, 9 + at]) for at in range(4))
    return Pooled(table[:, :9].reshape(-1, 3, 3), same, orthogonal, {K: hits}, queries)
