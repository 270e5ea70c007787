"""`pagekin.sweep`: compares many strategies on one crawl by one directory.

The crawl is parsed once, and merged once for each group of strategies that share a merge.
"""

import time
from collections.abc import Hashable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from pagekin import _core
from pagekin.crawl import Source
from pagekin.errors import Defect, EngineError
from pagekin.evaluation.counts import Counts, count_bags, count_ranking
from pagekin.evaluation.report import write_report
from pagekin.evaluation.selection.evidence import merge_bags, merge_key, rank_by_cocitation
from pagekin.evaluation.selection.grid import PAPER, Contender, Grid
from pagekin.evaluation.selection.page_store import (
    PAGES_JSON,
    JudgedCrawl,
    Survey,
    parse_pages,
    survey,
)
from pagekin.evaluation.selection.results import Journal, Result, Sweep
from pagekin.evaluation.selection.results_table import write_best, write_results
from pagekin.evaluation.truths import Directory
from pagekin.work.files import remove_drafts
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.settings import Settings

__all__ = ["GridJudge", "sweep"]


def sweep(
    crawl: JudgedCrawl,
    folder: str | PathLike[str],
    *,
    grid: Grid | str | PathLike[str] = PAPER,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Compare the strategies of a grid, and every preset, on a crawl with a directory.

    Leaves `results.parquet`, `best.toml` and `report.html` in the folder. Given the same folder
    again, goes on where it was.
    """
    if not isinstance(grid, Grid):
        grid = Grid.load(grid)
    judge = GridJudge(Path(fspath(folder)), settings or Settings(), progress or SilentProgress())
    found = judge.judge(*crawl.read(), grid.with_presets())
    write_results(found.folder, found.results)
    if found.best is not None:
        write_best(found.folder, found.best, found.gamma)
    write_report(found)
    return found


@dataclass(frozen=True, slots=True)
class GridJudge:
    """Judges grids in a folder. A sweep that is killed can be resumed there."""

    folder: Path
    settings: Settings
    progress: Progress

    def judge(self, sources: Sequence[Source], directory: Directory, grid: Grid) -> Sweep:
        """Evaluate every contender of the grid that has no result in this folder yet."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            subject = _subject(sources, directory, self.settings)
            with Journal.opened(self.folder, subject) as journal:
                _clear(self.folder)
                work = _GridWork(self.folder, journal, self.settings, self.progress)
                return work.run(sources, directory, grid)
        except OSError as error:
            raise EngineError(
                f"the sweep cannot go on ({error})",
                where=str(self.folder),
                advice="fix the cause and run the same command again: finished work is kept",
            ) from error
        except _core.CorePanic as error:
            raise Defect(str(error), where=str(self.folder)) from error
        except _core.CoreError as error:
            raise EngineError(
                f"the files of the sweep cannot be read back ({error})",
                where=str(self.folder),
                advice=f"remove {self.folder / PAGES_JSON} and run the same command again",
            ) from error


@dataclass(frozen=True, slots=True)
class _GridWork:
    folder: Path
    journal: Journal
    settings: Settings
    progress: Progress

    def run(self, sources: Sequence[Source], directory: Directory, grid: Grid) -> Sweep:
        pages = parse_pages(sources, self.folder, self.settings, self.progress)
        self.progress.stage("survey", None, "parts")
        seen = survey(pages, self.folder, directory, self.settings.threads)
        self.progress.done()
        known = self.journal.results
        missing = [contender for contender in grid.contenders if contender.key not in known]
        self.progress.stage("sweep", len(missing), "strategies")
        self._work_off(seen, _groups(missing))
        self.progress.done()
        results = [known[contender.key] for contender in grid.contenders]
        return Sweep(results, seen, pages, self.folder)

    def _work_off(self, seen: Survey, groups: list[list[Contender]]) -> None:
        """One group per thread; results are recorded by this thread only."""
        with ThreadPoolExecutor(self.settings.threads) as pool:
            running = {pool.submit(self._judge, seen, group) for group in groups}
            done = len(self.journal.results)
            try:
                while running:
                    ended, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                    self.progress.advance(len(self.journal.results) - done)
                    done = len(self.journal.results)
                    for future in ended:
                        future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _judge(self, seen: Survey, group: list[Contender]) -> None:
        start, first = time.perf_counter(), group[0].strategy
        if first is None:
            counts = count_ranking(rank_by_cocitation(seen), seen.matched, threads=1)
            self._keep(seen, group[0], counts, start)
            return
        with merge_bags(seen, first, self.folder, threads=1) as merged:
            for strategy, contenders in _by_strategy(group).items():
                bags = merged.collection(strategy)
                for contender in contenders:
                    counts = count_bags(bags, seen.matched, 1, contender.similarity)
                    self._keep(seen, contender, counts, start)
                    start = time.perf_counter()

    def _keep(self, seen: Survey, contender: Contender, counts: Counts, start: float) -> None:
        seconds = time.perf_counter() - start
        self.journal.add(Result.of(contender, counts, seen.matched, seconds))


def _groups(contenders: Iterable[Contender]) -> list[list[Contender]]:
    """Contenders that share a merge, the large groups first so that no thread waits at the end."""
    groups: dict[Hashable, list[Contender]] = {}
    for contender in contenders:
        key = merge_key(contender.strategy) if contender.strategy else None
        groups.setdefault(key, []).append(contender)
    return sorted(groups.values(), key=len, reverse=True)


def _by_strategy(group: Iterable[Contender]) -> dict[Any, list[Contender]]:
    found: dict[Any, list[Contender]] = {}
    for contender in group:
        found.setdefault(contender.strategy, []).append(contender)
    return found


def _subject(sources: Sequence[Source], directory: Directory, settings: Settings) -> dict[str, Any]:
    """What the results depend on besides the strategies."""
    given = settings.limits
    limits = [each for each in (given.record, given.body, given.as_of) if each is not None]
    return {
        "crawl": [[source.path, source.base_url, source.size] for source in sources],
        "directory": [directory.source, directory.depth, directory.fingerprint],
        "limits": limits,
        "format": 2,
    }


def _clear(folder: Path) -> None:
    """Remove the partial work of a killed sweep."""
    for beginning in (".merge-", ".survey-"):
        remove_drafts(folder, beginning)
