"""`pagekin.tune`: the best strategy for one crawl or several, written as a file.

The same crawls, directories and seed give the same file. A strategy that is worse than the default
on the classes held back is not written; the default is.
"""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from pagekin.evaluation.selection.page_store import JudgedCrawl, parse_pages, survey
from pagekin.evaluation.selection.search import Search, SearchCrawl, SearchResult, search_best
from pagekin.evaluation.selection.trials import Workbench
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.files import refuse_folder, write_errors, write_whole
from pagekin.work.outcome import Failure
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.settings import Settings

__all__ = ["Tuning", "tune"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a search found, the files of strategies, the sources that could not be read, and what
    was left out of each crawl and directory."""

    found: SearchResult
    written: list[Path] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    notes: list[list[str]] = field(default_factory=list)

    @property
    def strategy(self) -> Strategy:
        """The strategy to use."""
        return self.found.strategy

    def as_dict(self) -> dict[str, Any]:
        """What was found as plain values."""
        found = self.found
        return {
            "strategy": found.strategy.as_dict(),
            "is_best": found.strategy == found.best,
            "measure": str(found.search.measure),
            "trials": found.trials,
            "tuned_on": found.tuned_on,
            "held_back": asdict(found.held_back),
            "by_crawl": [asdict(each) for each in found.by_crawl],
            "written": [*map(str, self.written)],
            "failures": [asdict(each) for each in self.failures],
        }


def tune(
    crawls: JudgedCrawl | Sequence[JudgedCrawl],
    output: str | PathLike[str] | None = None,
    *,
    search: Search | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Search the best strategy for crawls, and judge it on classes that were held back.

    Each crawl counts the same. `output` is a TOML file for the strategy. If another strategy for
    each band of in-degree wins, theirs are written beside it.
    """
    given = [crawls] if isinstance(crawls, JudgedCrawl) else [*crawls]
    job = _Job(search or Search(), settings or Settings(), progress or SilentProgress())
    if output is None:
        with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
            return job.run(given, Path(folder))
    path = Path(fspath(output))
    refuse_folder("the strategy", path)
    with write_errors("the strategy", path):
        with tempfile.TemporaryDirectory(prefix=".tune-", dir=path.parent) as folder:
            tuned = job.run(given, Path(folder))
        return replace(tuned, written=_write(path, tuned.found))


@dataclass(frozen=True, slots=True)
class _Job:
    search: Search
    settings: Settings
    progress: Progress

    def run(self, crawls: Sequence[JudgedCrawl], folder: Path) -> Tuning:
        """Parse and survey every crawl, and search."""
        failures: list[Failure] = []
        with ExitStack() as benches:
            opened = []
            for number, crawl in enumerate(crawls):
                bench = self._open(crawl, folder / str(number), failures)
                benches.enter_context(bench)
                opened.append(SearchCrawl(bench, self.search.split(bench.survey.matched)))
            found = search_best(opened, self.search, self.progress)
            notes = [crawl.bench.survey.notes for crawl in opened]
            return Tuning(found, failures=failures, notes=notes)

    def _open(self, crawl: JudgedCrawl, folder: Path, failures: list[Failure]) -> Workbench:
        sources, directory = crawl.read()
        folder.mkdir()
        pages = parse_pages(sources, folder, self.settings, self.progress)
        failures += pages.failures
        seen = survey(pages, folder, directory, self.settings.threads)
        return Workbench(seen, folder, self.settings.threads, self.search.ks)


def _write(output: Path, found: SearchResult) -> list[Path]:
    """The strategy; and those of the bands, if choosing by band wins."""
    files = {output: found.strategy}
    if found.bands.wins:
        for name, strategy in found.bands.strategies.items():
            files[output.with_suffix(f".{name}{output.suffix}")] = strategy
    for path, strategy in files.items():
        write_whole(path, f"{_comment(found)}\n{strategy.to_toml()}")
    return [*files]


def _comment(found: SearchResult) -> str:
    held, search = found.held_back, found.search
    if found.strategy != found.best:
        return (
            f"# the default, {search.measure} {found.default:.3f} on classes held back; the best "
            f"of {found.trials} strategies is worse there: {held.value:.3f}\n"
        )
    named = "the default; " if found.strategy == presets()[DEFAULT] else ""
    return (
        f"# {named}{search.measure} {held.value:.3f} ({held.interval[0]:.3f} to "
        f"{held.interval[1]:.3f}) on classes held back; seed {search.seed}, {found.trials} trials\n"
    )
