"""Results of a sweep: counts and measures of each strategy, kept as they come.

`journal.jsonl` has one line per result, synced to the disk, so that a killed sweep can resume.
`sweep.json` names the crawl and the directory of the folder; a sweep of others is rejected.
"""

import json
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np

from pagekin.errors import EngineError
from pagekin.evaluation.counts import WIDTH, Counts, PooledCounts, bootstrap, percentiles
from pagekin.evaluation.measures import ORDERINGS, RELATIONS, Gamma, K, Measure
from pagekin.evaluation.selection.grid import Contender
from pagekin.evaluation.selection.page_store import ParsedPages, Survey
from pagekin.evaluation.truths.matching import MatchedPages, within_bands
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.files import lock, write_whole
from pagekin.work.outcome import Failure

__all__ = [
    "Journal",
    "Result",
    "Sweep",
    "best",
    "difference",
    "rank_results",
]


@dataclass(frozen=True, slots=True)
class Result:
    """What was counted for a contender, and how long that took."""

    contender: Contender
    classes: PooledCounts
    bands: PooledCounts
    seconds: float

    @classmethod
    def of(
        cls, contender: Contender, counts: Counts, matched: MatchedPages, seconds: float
    ) -> "Result":
        """The result that these counts are."""
        bands = np.array([within for _, within in within_bands(matched)], dtype=np.float64)
        return cls(contender, counts.by_class(), counts.pages.summed(bands), round(seconds, 3))

    def measure(self, measure: Measure) -> float:
        """A measure of all query pages."""
        return float(self.classes.summed(np.ones((1, len(self.classes.same)))).measure(measure)[0])

    def interval(self, measure: Measure) -> tuple[float, float]:
        """The interval over 95 of 100 resamples of the classes."""
        return percentiles(self._resampled(self.classes.queries > 0).measure(measure))

    def _resampled(self, included: Any) -> PooledCounts:
        return bootstrap(included)(self.classes)

    def to_json(self) -> str:
        """One line."""
        strategy = self.contender.strategy
        return json.dumps(
            {
                "key": self.contender.key,
                "strategy": strategy.to_toml() if strategy else None,
                "similarity": self.contender.similarity,
                "classes": _pack(self.classes),
                "bands": _pack(self.bands),
                "seconds": self.seconds,
            }
        )

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """The result of a line."""
        raw = json.loads(line)
        strategy = Strategy.from_toml(raw["strategy"]) if raw["strategy"] else None
        contender = Contender(strategy, raw["similarity"])
        return cls(contender, _unpack(raw["classes"]), _unpack(raw["bands"]), raw["seconds"])


@dataclass(frozen=True, slots=True)
class Sweep:
    """The results in the order of the grid, and what they are of."""

    results: list[Result]
    survey: Survey
    pages: ParsedPages
    folder: Path

    @property
    def gamma(self) -> Gamma:
        """What strategies are ranked by: Γ over the nearest classes that the directory compares."""
        pairs = self.results[0].classes.pairs.sum(axis=(0, 2))
        return next(
            gamma for gamma in map(Gamma, RELATIONS) if pairs[ORDERINGS.index(gamma.relation)]
        )

    @property
    def notes(self) -> list[str]:
        """What was left out, and what the ranking cannot be trusted for."""
        place = ORDERINGS.index(self.gamma.relation)
        ranked = (
            f"No two classes are siblings, so strategies are ranked by {self.gamma.relation}-Γ."
        )
        decided = any(each.classes.pairs[:, place, :2].any() for each in self.results)
        undecided = "All strategies leave all pairs tied, so nothing can be said of them."
        return [
            *self.survey.notes,
            *([ranked] if place else []),
            *([] if decided else [undecided]),
        ]

    @property
    def best(self) -> Result | None:
        """The best strategy that an index can be built with."""
        return best(self.results, self.gamma)

    @property
    def default(self) -> Result | None:
        """The result of the default, if the grid has it."""
        return next((each for each in self.results if _is_default(each)), None)

    @property
    def failures(self) -> list[Failure]:
        """Files that could not be read, or not to their end."""
        return self.pages.failures

    @property
    def report(self) -> Path:
        """The report, for a browser."""
        return self.folder / "report.html"


def difference(one: Result, other: Result, measure: Measure) -> tuple[float, float, float]:
    """How much better the one is, and the interval of that over the same resamples."""
    included = one.classes.queries > 0
    found = one._resampled(included).measure(measure) - other._resampled(included).measure(measure)
    return one.measure(measure) - other.measure(measure), *percentiles(found)


def _pack(pooled: PooledCounts) -> list[list[float]]:
    flat = pooled.pairs.reshape(-1, WIDTH)
    columns = [pooled.same, pooled.orthogonal, pooled.hits[K], pooled.queries]
    table = np.column_stack([flat, *columns])
    return [[int(cell) if cell.is_integer() else cell for cell in row] for row in table.tolist()]


def _unpack(rows: list[list[float]]) -> PooledCounts:
    table = np.array(rows, dtype=np.float64).reshape(-1, WIDTH + 4)
    columns = (np.ascontiguousarray(table[:, WIDTH + at]) for at in range(4))
    same, orthogonal, hits, queries = columns
    pairs = table[:, :WIDTH].reshape(-1, len(ORDERINGS), 3)
    return PooledCounts(pairs, same, orthogonal, {K: hits}, queries)


SUBJECT = "sweep.json"
JOURNAL = "journal.jsonl"


class Journal:
    """The results of a folder, those of earlier times included."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = Lock()
        self.results: dict[str, Result] = {}
        whole = 0
        for line in file:
            result = _parse_line(line)
            if result is None:
                break
            self.results[result.contender.key] = result
            whole += len(line)
        # What was being written when the sweep was killed is done again.
        file.truncate(whole)
        file.seek(whole)

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, subject: dict[str, Any]) -> Iterator["Journal"]:
        """The journal of a folder, for one process at a time."""
        with (folder / JOURNAL).open("a+b") as file:
            lock(file, folder, "sweep")
            _check(folder, subject)
            file.seek(0)
            yield cls(file)

    def add(self, result: Result) -> None:
        """Append a result; it is on disk when this returns."""
        with self._lock:
            self._file.write(result.to_json().encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self.results[result.contender.key] = result


def _parse_line(line: bytes) -> Result | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return Result.from_json(line.decode())
    except (ValueError, KeyError, TypeError):
        return None


def _check(folder: Path, subject: dict[str, Any]) -> None:
    """Reject mixing the results of two crawls or directories."""
    path = folder / SUBJECT
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        write_whole(path, json.dumps(subject, indent=1))
        return
    for name, value in subject.items():
        if known.get(name) != value:
            raise EngineError(
                f"the folder holds a sweep with another {name}",
                where=str(folder),
                advice="give the same one to resume, or choose another folder",
            )


def rank_results(results: Sequence[Result], measure: Measure) -> list[Result]:
    """Best first; of equals the first of the grid. What cannot be measured comes last."""
    sign = 1 if measure.less_is_better else -1

    def place(result: Result) -> float:
        found = result.measure(measure)
        return math.inf if math.isnan(found) else sign * found

    return sorted(results, key=place)


def best(results: Sequence[Result], measure: Measure) -> Result | None:
    """The best strategy that an index can be built with: related pages are found by Jaccard. Of
    equals it is the default, if that is one of them."""
    usable = [
        result
        for result in results
        if result.contender.strategy is not None and result.contender.similarity == "jaccard"
    ]
    if not usable:
        return None
    first = rank_results(usable, measure)[0]
    equals = (each for each in usable if each.measure(measure) == first.measure(measure))
    return next(filter(_is_default, equals), first)


def _is_default(result: Result) -> bool:
    return result.contender == Contender(presets()[DEFAULT], "jaccard")
