"""The measures of each method, and its difference to a rival."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pagekin import _core
from pagekin.evaluation.counts import Counts, count_pairs
from pagekin.evaluation.measures import Gamma, Measure, Precision
from pagekin.evaluation.selection.trials import StrategyComparison, compare_strategies
from pagekin.evaluation.truths.matching import MatchedPages

__all__ = ["MEASURES", "Verdict", "counts_of", "verdicts"]

MEASURES: tuple[Measure, ...] = (Gamma("sibling"), Gamma("unrelated"), Precision(10))
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The measures of a method, each with its interval and its difference to the rival."""

    name: str
    milliseconds: float
    measured: tuple[StrategyComparison, ...]


def counts_of(scores: Scores, part: MatchedPages, everything: MatchedPages) -> Counts:
    """The counts of a method among the pages of a part of the directory."""
    rows = np.searchsorted(everything.ids, part.ids)
    ranking = _ranking(scores[np.ix_(rows, rows)])
    return count_pairs(
        lambda ks, first, last: ranking.tally(part.family, ks, first, last),
        part.first_class,
        len(part.classes),
        [10],
        os.cpu_count() or 1,
    )


def _ranking(scores: Scores) -> _core.Ranking:
    """Every two pages that have something in common."""
    named = scores != 0
    np.fill_diagonal(named, val=False)
    queries, others = np.nonzero(named)
    columns = [
        pa.array(queries, pa.uint32()),
        pa.array(others, pa.uint32()),
        pa.array(scores[named].astype(np.float64)),
    ]
    rows = pa.record_batch(columns, names=["query", "other", "score"])
    return _core.Ranking(len(scores), rows)


def verdicts(
    counts: Mapping[str, Counts], milliseconds: Mapping[str, float], rival: str
) -> list[Verdict]:
    """Every method against the rival, over the same resamples of the classes."""
    classes = {name: each.by_class() for name, each in counts.items()}
    return [
        Verdict(
            name,
            milliseconds[name],
            tuple(
                compare_strategies(classes[name], classes[rival], measure) for measure in MEASURES
            ),
        )
        for name in counts
    ]
