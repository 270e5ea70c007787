"""`pagekin.tune`: a search for the best strategy, with an unbiased estimate of its quality.

Half of the classes are tuned on, half are held back. The value of a strategy is what it gains over
the default in nine of ten resamples of the classes tuned on. First every setting is searched, then
only the weights of the best strategy so far, which needs no new merge. The optimiser is Optuna's
tree-structured Parzen estimator, seeded: the same crawl, directory and seed give the same file.
"""

import importlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.crawl import Source
from pagekin.errors import EngineError
from pagekin.evaluation.counts import Counts, bootstrap
from pagekin.evaluation.measures import Gamma, Measure
from pagekin.evaluation.selection import space
from pagekin.evaluation.selection.page_store import JudgedCrawl, parse_pages, survey
from pagekin.evaluation.selection.trials import (
    BandChoice,
    StrategyComparison,
    Workbench,
    choose_by_band,
    compare_strategies,
)
from pagekin.evaluation.truths import Directory
from pagekin.evaluation.truths.matching import Halves, MatchedPages, split
from pagekin.files import refuse_folder, write_errors, write_whole
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.outcome import Failure
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.settings import Settings

__all__ = ["HINT", "Search", "Tuning", "search_best", "tune"]

HINT = "pip install 'pagekin[evaluation]'"
SURE = 0.1
"""A strategy is worth what it gains in all but this share of the resamples."""
RESAMPLES = 200
STARTS = (DEFAULT, "paper-best", "balanced")
"""Strategies that every search begins with."""


@dataclass(frozen=True, slots=True)
class Search:
    """The number of trials, the measure and the seed of a search."""

    measure: Measure = field(default_factory=Gamma)
    trials: int = 100
    seed: int = 0

    @property
    def broad(self) -> int:
        """How many trials search every setting; the others search the weights alone."""
        return max(self.trials // 2, len(STARTS))


@dataclass(frozen=True, slots=True)
class Tuning:
    """The best strategy of a search: its measure where it was tuned, and where it was not.

    `written` are the files of strategies, `failures` the sources that could not be read.
    """

    strategy: Strategy
    tuned_on: float
    held_back: StrategyComparison
    default: float
    bands: BandChoice
    trials: int
    search: Search
    halves: Halves
    written: list[Path] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def tune(
    crawl: JudgedCrawl,
    output: str | PathLike[str] | None = None,
    *,
    search: Search | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Search the best strategy for a crawl, and judge it on classes that were held back.

    `output` is a TOML file for the strategy. If another strategy for each band of in-degree wins,
    theirs are written beside it.
    """
    job = _Job(search or Search(), settings or Settings(), progress or SilentProgress())
    sources, directory = crawl.read()
    if output is None:
        with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
            return job.run(sources, directory, Path(folder))
    path = Path(fspath(output))
    refuse_folder("the strategy", path)
    with write_errors("the strategy", path):
        with tempfile.TemporaryDirectory(prefix=".tune-", dir=path.parent) as folder:
            found = job.run(sources, directory, Path(folder))
        return replace(found, written=_write(path, found))


@dataclass(frozen=True, slots=True)
class _Job:
    search: Search
    settings: Settings
    progress: Progress

    def run(self, sources: Sequence[Source], directory: Directory, folder: Path) -> Tuning:
        """Parse, survey and search."""
        pages = parse_pages(sources, folder, self.settings, self.progress)
        seen = survey(pages, folder, directory, self.settings.threads)
        halves = split(seen.matched, self.search.seed)
        with Workbench(seen, folder, self.settings.threads) as bench:
            found = search_best(bench, halves, self.search, self.progress)
        return replace(found, failures=pages.failures)


def _write(output: Path, found: Tuning) -> list[Path]:
    """The strategy; and those of the bands, if choosing by band wins."""
    files = {output: found.strategy}
    if found.bands.wins:
        for name, strategy in found.bands.strategies.items():
            files[output.with_suffix(f".{name}{output.suffix}")] = strategy
    for path, strategy in files.items():
        write_whole(path, f"{_comment(found)}\n{strategy.to_toml()}")
    return [*files]


def _comment(found: Tuning) -> str:
    held, search = found.held_back, found.search
    return (
        f"# {search.measure} {held.value:.3f} ({held.interval[0]:.3f} to {held.interval[1]:.3f}) "
        f"on classes held back; seed {search.seed}, {search.trials} trials\n"
    )


def search_best(bench: Workbench, halves: Halves, search: Search, progress: Progress) -> Tuning:
    """Search, and judge the best strategy on the classes that were held back."""
    if search.measure.less_is_better:
        raise EngineError(
            f"{search.measure} alone is nothing to tune by",
            where="--measure",
            advice="give a gamma or a precision",
        )
    tried = _Trials(bench, halves.tuning, search, progress)
    progress.stage("tune", search.trials, "trials")
    tried.search(space.whole, search.broad, [presets()[name] for name in STARTS])
    best = tried.best()
    tried.search(lambda trial: space.weights(trial, best), search.trials - search.broad, [best])
    progress.done()
    return _judge(bench, halves, tried, search)


class _Trials:
    """The strategies that were tried, and their counts."""

    def __init__(
        self, bench: Workbench, part: MatchedPages, search: Search, progress: Progress
    ) -> None:
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
        """Try `trials` strategies, those of `starts` first."""
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
        """What a strategy gains over the default in most resamples.

        The measure alone would choose a strategy that is lucky with a few large classes.
        """
        found = self._resampled(self.counts[strategy].by_class()).measure(self._search.measure)
        gains = (found - self._default)[np.isfinite(found - self._default)]
        return float(np.quantile(gains, SURE)) if len(gains) else -1.0


def _judge(bench: Workbench, halves: Halves, tried: _Trials, search: Search) -> Tuning:
    best, measure, back = tried.best(), search.measure, halves.held_back
    default = bench.counts(presets()[DEFAULT], back)
    found = bench.counts(best, back)
    bands = choose_by_band(bench, halves, tried.counts, best, measure)
    return Tuning(
        strategy=best,
        tuned_on=float(tried.counts[best].all().measure(measure)[0]),
        held_back=compare_strategies(found.by_class(), default.by_class(), measure),
        default=float(default.all().measure(measure)[0]),
        bands=bands,
        trials=len(tried.counts),
        search=search,
        halves=halves,
    )


def _optuna() -> Any:
    if find_spec("optuna") is None:
        raise EngineError("tuning needs Optuna, which is not installed", advice=HINT)
    optuna = importlib.import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
