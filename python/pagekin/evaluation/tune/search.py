"""A search for the best strategy, and an honest word on how good it is.

Half of the classes are tuned on, half are held back. A strategy is worth what it surely gains over
the default, by resamples of the classes tuned on. First every setting is searched, then only the
weights of the best strategy so far, for which nothing is merged anew. The optimiser is Optuna's
tree-structured Parzen estimator, seeded: the same crawl, directory and seed give the same file.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from pagekin.errors import EngineError
from pagekin.evaluation.counts import Counts, bootstrap
from pagekin.evaluation.matching import Matched
from pagekin.evaluation.measures import Measure, Orthogonality
from pagekin.evaluation.tune import space
from pagekin.evaluation.tune.bands import BandChoice, chosen_by_band
from pagekin.evaluation.tune.comparison import Comparison, compared
from pagekin.evaluation.tune.split import Halves
from pagekin.evaluation.tune.workbench import Workbench
from pagekin.progress import Progress
from pagekin.strategy import DEFAULT, Strategy, presets

__all__ = ["HINT", "Search", "Tuned", "tune"]

HINT = "pip install 'pagekin[evaluation]'"
SURE = 0.1
"""A strategy is worth what it gains in all but this share of the resamples."""
RESAMPLES = 200
STARTS = (DEFAULT, "paper-best", "balanced")
"""Strategies that every search begins with."""


@dataclass(frozen=True, slots=True)
class Search:
    """How long to search, by what, and from which seed."""

    measure: Measure
    trials: int = 100
    seed: int = 0

    @property
    def broad(self) -> int:
        """How many trials search every setting; the others search the weights alone."""
        return max(self.trials // 2, len(STARTS))


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best strategy of a search: its measure where it was tuned, and where it was not."""

    strategy: Strategy
    tuned_on: float
    held_back: Comparison
    default: float
    bands: BandChoice
    trials: int


def tune(bench: Workbench, halves: Halves, search: Search, progress: Progress) -> Tuned:
    """Search, and judge what was found on the classes that were held back."""
    if isinstance(search.measure, Orthogonality):
        raise EngineError(
            "orthogonality alone is nothing to tune by",
            where="--measure",
            advice="give a gamma or a precision",
        )
    tried = _Tried(bench, halves.tuning, search, progress)
    progress.stage("tune", search.trials, "trials")
    tried.search(space.whole, search.broad, [presets()[name] for name in STARTS])
    best = tried.best()
    tried.search(lambda trial: space.weights(trial, best), search.trials - search.broad, [best])
    progress.done()
    return _judged(bench, halves, tried, search)


class _Tried:
    """The strategies that were tried, and what was counted for them."""

    def __init__(self, bench: Workbench, part: Matched, search: Search, progress: Progress) -> None:
        self._bench = bench
        self._part = part
        self._search = search
        self._progress = progress
        self._optuna: Any = _optuna()
        default = presets()[DEFAULT]
        self.counts: dict[Strategy, Counts] = {default: bench.counts(default, part)}
        classes = self.counts[default].by_class()
        self._resampled = bootstrap(classes.queries > 0, resamples=RESAMPLES)
        self._default = self._resampled(classes).measure(search.measure)

    def search(
        self, suggest: Callable[[space.Trial], Strategy], trials: int, starts: Sequence[Strategy]
    ) -> None:
        """Try so many strategies, these first."""
        optuna = self._optuna
        sampler = optuna.samplers.TPESampler(seed=self._search.seed, n_startup_trials=10)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        for strategy in starts:
            study.enqueue_trial(space.as_parameters(strategy))
        study.optimize(lambda trial: self._value(suggest(trial)), n_trials=trials)

    def best(self) -> Strategy:
        """The best so far."""
        return max(self.counts, key=self._gain)

    def _value(self, strategy: Strategy) -> float:
        if strategy not in self.counts:
            self.counts[strategy] = self._bench.counts(strategy, self._part)
        self._progress.advance()
        return self._gain(strategy)

    def _gain(self, strategy: Strategy) -> float:
        """What a strategy surely gains over the default.

        The measure alone would choose a strategy that is lucky with a few large classes.
        """
        found = self._resampled(self.counts[strategy].by_class()).measure(self._search.measure)
        gains = (found - self._default)[np.isfinite(found - self._default)]
        return float(np.quantile(gains, SURE)) if len(gains) else -1.0


def _judged(bench: Workbench, halves: Halves, tried: _Tried, search: Search) -> Tuned:
    best, measure, back = tried.best(), search.measure, halves.held_back
    default = bench.counts(presets()[DEFAULT], back)
    found = bench.counts(best, back)
    bands = chosen_by_band(bench, halves, tried.counts, best, measure)
    return Tuned(
        strategy=best,
        tuned_on=float(tried.counts[best].all().measure(measure)[0]),
        held_back=compared(found.by_class(), default.by_class(), measure),
        default=float(default.all().measure(measure)[0]),
        bands=bands,
        trials=len(tried.counts),
    )


def _optuna() -> Any:
    if find_spec("optuna") is None:
        raise EngineError("tuning needs Optuna, which is not installed", advice=HINT)
    optuna = importlib.import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
