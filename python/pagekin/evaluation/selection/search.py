"""A seeded search for the best strategy, judged on classes that it did not see.

The value of a strategy is what it gains over the default in nine of ten resamples of the classes
tuned on, averaged over the crawls. Every search begins with all presets. First every setting is
searched, then only the weights of the best strategy so far, which needs no new merge. The
optimiser is Optuna's tree-structured Parzen estimator.

Nested cross-validation: with N folds there are N searches, each without the classes of one fold,
and the winner of each is judged on that fold. The strategy comes from one more search on all
classes. Without folds, half of the classes is held back once.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from pagekin.errors import EngineError
from pagekin.evaluation.counts import Counts, PooledCounts, concatenated
from pagekin.evaluation.measures import Gamma, K, Measure
from pagekin.evaluation.selection import space
from pagekin.evaluation.selection.trials import (
    BandChoice,
    StrategyComparison,
    Workbench,
    choose_by_band,
    compare_strategies,
    count_by_band,
    mean_over_crawls,
    resamples_of,
)
from pagekin.evaluation.truths.matching import Halves, MatchedPages, split, split_folds
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.progress import Progress

__all__ = ["HINT", "Search", "SearchCrawl", "SearchResult", "search_best"]

HINT = "pip install 'pagekin[evaluation]'"
SURE = 0.1
"""A strategy is worth what it gains in all but this share of the resamples."""
RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class Search:
    """The number of trials, the measure, the seed and the folds of a search."""

    measure: Measure = field(default_factory=Gamma)
    trials: int = 100
    seed: int = 0
    folds: int = 1

    @property
    def broad(self) -> int:
        """How many trials search every setting; the presets are always tried."""
        return max(self.trials // 2, len(presets()))

    @property
    def narrow(self) -> int:
        """How many trials search the weights alone."""
        return max(self.trials - self.broad, 0)

    @property
    def ks(self) -> frozenset[int]:
        """The numbers of answers whose hits are counted."""
        return self.measure.ks | {K}

    def split(self, matched: MatchedPages) -> tuple[Halves, ...]:
        """What is tuned on and held back: once, or each fold in turn."""
        if self.folds == 1:
            return (split(matched, self.seed),)
        return tuple(split_folds(matched, self.folds, self.seed))


@dataclass(frozen=True)
class SearchCrawl:
    """A crawl that strategies are tried on, and the parts of its classes."""

    bench: Workbench
    folds: tuple[Halves, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best strategy of a search: its measure where it was tuned, and where it was not.

    `strategy` is the one to use: the default, if the best one is worse on the classes held back.
    `by_crawl` compares on each crawl.
    """

    strategy: Strategy
    best: Strategy
    tuned_on: float
    held_back: StrategyComparison
    by_crawl: tuple[StrategyComparison, ...]
    bands: BandChoice
    trials: int
    search: Search
    folds: tuple[tuple[Halves, ...], ...]

    @property
    def default(self) -> float:
        """The measure of the default on the classes held back."""
        return self.held_back.value - self.held_back.gain


def search_best(crawls: Sequence[SearchCrawl], search: Search, progress: Progress) -> SearchResult:
    """Search, and judge the best strategy on the classes that were held back."""
    if search.measure.less_is_better:
        raise EngineError(
            f"{search.measure} alone is nothing to tune by",
            where="--measure",
            advice="give a gamma or a precision, or weigh it with one",
        )
    searches = search.folds + (search.folds > 1)
    progress.stage("tune", searches * (search.broad + search.narrow), "trials")
    tried = [
        _Trials([(crawl.bench, crawl.folds[fold].tuning) for crawl in crawls], search, progress)
        for fold in range(search.folds)
    ]
    judged = [
        _JudgedFold.of(each.run(), [(crawl.bench, crawl.folds[fold].held_back) for crawl in crawls])
        for fold, each in enumerate(tried)
    ]
    if search.folds > 1:
        everything = [(crawl.bench, crawl.bench.survey.matched) for crawl in crawls]
        tried.append(_Trials(everything, search, progress).run())
    progress.done()
    return _result(tried[-1], judged, search, tuple(crawl.folds for crawl in crawls))


Parts = Sequence[tuple[Workbench, MatchedPages]]


class _Trials:
    """The strategies that were tried, and their counts on a part of each crawl."""

    def __init__(self, parts: Parts, search: Search, progress: Progress) -> None:
        self.parts = parts
        self.search = search
        self._progress = progress
        self._optuna: Any = _optuna()
        default = presets()[DEFAULT]
        self.counts: dict[Strategy, list[Counts]] = {default: self._count(default)}
        classes = self._classes(default)
        self._resampled = resamples_of(classes, resamples=RESAMPLES)
        self._default = mean_over_crawls(self._resampled(classes), search.measure)
        self._check()

    def run(self) -> "_Trials":
        """Search every setting, then the weights of the best strategy."""
        self._search(space.whole, self.search.broad, [*presets().values()])
        best = self.best
        self._search(lambda trial: space.weights(trial, best), self.search.narrow, [best])
        return self

    @property
    def best(self) -> Strategy:
        """The best so far."""
        return max(self.counts, key=self._gain)

    @property
    def bands(self) -> dict[str, Strategy]:
        """The best strategy of each band of in-degree."""
        pages = [part for _, part in self.parts]
        return choose_by_band(pages, self.counts, self.best, self.search.measure)

    @property
    def value(self) -> float:
        """The measure of the best strategy where it was tuned."""
        pooled = (counts.all() for counts in self.counts[self.best])
        return float(mean_over_crawls(pooled, self.search.measure)[0])

    def _search(
        self, suggest: Callable[[space.Trial], Strategy], trials: int, starts: Sequence[Strategy]
    ) -> None:
        """Try `trials` strategies, those of `starts` first."""
        optuna = self._optuna
        sampler = optuna.samplers.TPESampler(seed=self.search.seed, n_startup_trials=10)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        for strategy in starts:
            study.enqueue_trial(space.as_parameters(strategy))
        study.optimize(lambda trial: self._try(suggest(trial)), n_trials=trials)

    def _try(self, strategy: Strategy) -> float:
        if strategy not in self.counts:
            self.counts[strategy] = self._count(strategy)
        self._progress.advance()
        return self._gain(strategy)

    def _count(self, strategy: Strategy) -> list[Counts]:
        return [bench.counts(strategy, part) for bench, part in self.parts]

    def _classes(self, strategy: Strategy) -> list[PooledCounts]:
        return [counts.by_class() for counts in self.counts[strategy]]

    def _gain(self, strategy: Strategy) -> float:
        """What a strategy gains over the default in most resamples.

        The measure alone would choose a strategy that is lucky with a few large classes.
        """
        found = self._resampled(self._classes(strategy))
        gains = mean_over_crawls(found, self.search.measure) - self._default
        sound = gains[np.isfinite(gains)]
        return float(np.quantile(sound, SURE)) if len(sound) else -1.0

    def _check(self) -> None:
        """Reject a measure that a crawl does not have, instead of tuning without the crawl."""
        measure = self.search.measure
        for number, counts in enumerate(self.counts[presets()[DEFAULT]], start=1):
            if np.isnan(counts.all().measure(measure)[0]):
                raise EngineError(
                    f"{measure} cannot be measured on crawl {number}: no pairs to count",
                    where="--measure",
                    advice="give another measure, a greater --depth or fewer --folds",
                )


@dataclass(frozen=True, slots=True)
class _JudgedFold:
    """The winner of one search, the default, and a strategy a band: counts of each crawl."""

    best: list[PooledCounts]
    default: list[PooledCounts]
    banded: list[PooledCounts]

    @classmethod
    def of(cls, tried: _Trials, backs: Parts) -> "_JudgedFold":
        def classes(strategy: Strategy) -> list[PooledCounts]:
            return [bench.counts(strategy, part).by_class() for bench, part in backs]

        bands = tried.bands
        banded = [count_by_band(bench, part, bands) for bench, part in backs]
        return cls(classes(tried.best), classes(presets()[DEFAULT]), banded)


def _result(
    tried: _Trials,
    judged: Sequence[_JudgedFold],
    search: Search,
    folds: tuple[tuple[Halves, ...], ...],
) -> SearchResult:
    measure = search.measure
    best = _pooled([fold.best for fold in judged])
    default = _pooled([fold.default for fold in judged])
    held_back = compare_strategies(best, default, measure)
    worse = held_back.gain < 0
    banded = _pooled([fold.banded for fold in judged])
    return SearchResult(
        strategy=presets()[DEFAULT] if worse else tried.best,
        best=tried.best,
        tuned_on=tried.value,
        held_back=held_back,
        by_crawl=tuple(
            compare_strategies([one], [other], measure)
            for one, other in zip(best, default, strict=True)
        ),
        bands=BandChoice(
            tried.bands, compare_strategies(banded, default if worse else best, measure)
        ),
        trials=len(tried.counts),
        search=search,
        folds=folds,
    )


def _pooled(folds: Sequence[list[PooledCounts]]) -> list[PooledCounts]:
    """The classes of all folds together, crawl by crawl."""
    return [concatenated(crawl) for crawl in zip(*folds, strict=True)]


def _optuna() -> Any:
    if find_spec("optuna") is None:
        raise EngineError("tuning needs Optuna, which is not installed", advice=HINT)
    optuna = importlib.import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
