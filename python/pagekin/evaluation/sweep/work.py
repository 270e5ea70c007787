"""Many strategies on one crawl: parsed once, merged once a group, judged by one directory."""

import time
from collections.abc import Hashable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagekin import _core
from pagekin.crawl import Source
from pagekin.errors import EngineError
from pagekin.evaluation.counts import Tally, counted
from pagekin.evaluation.directory import Directory
from pagekin.evaluation.kept.cocitation import cocitation
from pagekin.evaluation.kept.merged import MergedBags, merge_key
from pagekin.evaluation.kept.pages import Kept, keep
from pagekin.evaluation.kept.resources import Resources
from pagekin.evaluation.kept.survey import Survey, survey
from pagekin.evaluation.summary import K
from pagekin.evaluation.sweep.grid import Contender, Grid
from pagekin.evaluation.sweep.journal import Journal
from pagekin.evaluation.sweep.result import Result
from pagekin.files import remove_drafts
from pagekin.progress import Progress

__all__ = ["Swept", "sweep"]


@dataclass(frozen=True, slots=True)
class Swept:
    """The results in the order of the grid, and what they are of."""

    results: list[Result]
    survey: Survey
    kept: Kept
    folder: Path


def sweep(
    sources: Sequence[Source],
    directory: Directory,
    grid: Grid,
    folder: Path,
    workshop: tuple[Resources, Progress],
) -> Swept:
    """Judge every contender of the grid, those of an earlier time in this folder excepted."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Journal.opened(folder, _subject(sources, directory, workshop[0])) as journal:
            _clear(folder)
            return _Sweep(folder, journal, *workshop).run(sources, directory, grid)
    except OSError as error:
        raise EngineError(
            f"the sweep cannot go on ({error})",
            where=str(folder),
            advice="see to the cause and give the same command again: what is done is kept",
        ) from error
    except _core.CoreError as error:
        raise EngineError(
            f"what was written for the sweep does not read back ({error})",
            where=str(folder),
            advice=f"remove {folder / 'pages.json'} and give the same command again",
        ) from error


@dataclass(frozen=True, slots=True)
class _Sweep:
    folder: Path
    journal: Journal
    resources: Resources
    progress: Progress

    def run(self, sources: Sequence[Source], directory: Directory, grid: Grid) -> Swept:
        kept = keep(sources, self.folder, self.resources, self.progress)
        self.progress.stage("survey", None, "parts")
        seen = survey(kept, self.folder, directory, self.resources.threads)
        self.progress.done()
        known = self.journal.results
        missing = [each for each in grid.contenders if each.key not in known]
        self.progress.stage("sweep", len(missing), "strategies")
        self._work_off(seen, _groups(missing))
        self.progress.done()
        results = [known[each.key] for each in grid.contenders]
        return Swept(results, seen, kept, self.folder)

    def _work_off(self, seen: Survey, groups: list[list[Contender]]) -> None:
        """A group a thread; results are counted from this thread alone."""
        with ThreadPoolExecutor(self.resources.threads) as pool:
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
            self._keep(seen, group[0], _tally_of_ranking(cocitation(seen), seen), start)
            return
        with MergedBags(seen, first, self.folder, threads=1) as merged:
            for strategy, contenders in _by_strategy(group).items():
                bags = merged.collection(strategy)
                for contender in contenders:
                    self._keep(seen, contender, _tally(bags, seen, contender.similarity), start)
                    start = time.perf_counter()

    def _keep(self, seen: Survey, contender: Contender, tally: Tally, start: float) -> None:
        matched = seen.matched
        counts = counted(tally, matched.first_class, len(matched.classes), [K], 1)
        seconds = time.perf_counter() - start
        self.journal.add(Result.of(contender, counts, matched, seconds))


def _tally(bags: _core.Collection, seen: Survey, similarity: str) -> Tally:
    family = seen.matched.family
    return lambda ks, first, last: bags.tally(family, similarity, ks, first, last)


def _tally_of_ranking(ranking: _core.Ranking, seen: Survey) -> Tally:
    family = seen.matched.family
    return lambda ks, first, last: ranking.tally(family, ks, first, last)


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


def _subject(
    sources: Sequence[Source], directory: Directory, resources: Resources
) -> dict[str, Any]:
    """What the results depend on besides the strategies."""
    limits = [resources.limits.record, resources.limits.body]
    return {
        "crawl": [[source.path, source.base_url, source.size] for source in sources],
        "directory": [directory.source, directory.depth, directory.fingerprint],
        "limits": limits,
        "format": 1,
    }


def _clear(folder: Path) -> None:
    """Remove what a sweep that was killed left in the middle of its work."""
    for beginning in (".merge-", ".survey-"):
        remove_drafts(folder, beginning)
