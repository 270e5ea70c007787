"""Results of a sweep: counts and measures of each strategy, kept as they come.

`journal.jsonl` has one line a result, written through to the disk, so that a sweep that was killed
goes on where it was; `sweep.json` says what the folder is a sweep of, and a sweep of something else
is refused. `results.parquet` and `best.toml` are for people and programs.
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
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.errors import EngineError
from pagekin.evaluation.counts import Counts, PooledCounts, bootstrap, percentiles
from pagekin.evaluation.matching import MatchedPages
from pagekin.evaluation.measures import RELATIONS, Gamma, K, Measure, Orthogonality, Precision
from pagekin.evaluation.parsed import ParsedPages, Survey
from pagekin.evaluation.summary import within_bands
from pagekin.evaluation.sweeps.grid import Contender
from pagekin.files import lock, write_whole
from pagekin.outcome import Failure
from pagekin.strategy import Strategy

__all__ = [
    "Journal",
    "Result",
    "Sweep",
    "best",
    "difference",
    "ranked",
    "write_best",
    "write_results",
]

_WIDTH = 13


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
        """Where it lies for 95 of 100 resamples of the classes."""
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
                "classes": _packed(self.classes),
                "bands": _packed(self.bands),
                "seconds": self.seconds,
            }
        )

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """The result of a line."""
        raw = json.loads(line)
        strategy = Strategy.from_toml(raw["strategy"]) if raw["strategy"] else None
        contender = Contender(strategy, raw["similarity"])
        return cls(contender, _unpacked(raw["classes"]), _unpacked(raw["bands"]), raw["seconds"])


@dataclass(frozen=True, slots=True)
class Sweep:
    """The results in the order of the grid, and what they are of."""

    results: list[Result]
    survey: Survey
    pages: ParsedPages
    folder: Path

    @property
    def best(self) -> Result | None:
        """The best strategy that an index can be built with, by sibling-gamma."""
        return best(self.results, Gamma())

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


def _packed(pooled: PooledCounts) -> list[list[float]]:
    flat = pooled.pairs.reshape(-1, 9)
    columns = [pooled.same, pooled.orthogonal, pooled.hits[K], pooled.queries]
    table = np.column_stack([flat, *columns])
    return [[int(cell) if cell.is_integer() else cell for cell in row] for row in table.tolist()]


def _unpacked(rows: list[list[float]]) -> PooledCounts:
    table = np.array(rows, dtype=np.float64).reshape(-1, _WIDTH)
    same, orthogonal, hits, queries = (np.ascontiguousarray(table[:, 9 + at]) for at in range(4))
    return PooledCounts(table[:, :9].reshape(-1, 3, 3), same, orthogonal, {K: hits}, queries)


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
            result = _parsed(line)
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
        """Keep a result; once this returns it is safe."""
        with self._lock:
            self._file.write(result.to_json().encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self.results[result.contender.key] = result


def _parsed(line: bytes) -> Result | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return Result.from_json(line.decode())
    except (ValueError, KeyError, TypeError):
        return None


def _check(folder: Path, subject: dict[str, Any]) -> None:
    """Refuse to mix the results of two crawls or directories."""
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
                advice="give the same one to go on with it, or choose another folder",
            )


OUTCOMES = ("concordant", "discordant", "tied")


def ranked(results: Sequence[Result], measure: Measure) -> list[Result]:
    """Best first; of equals the first of the grid. What cannot be measured comes last."""
    sign = 1 if measure.less_is_better else -1

    def place(result: Result) -> float:
        found = result.measure(measure)
        return math.inf if math.isnan(found) else sign * found

    return sorted(results, key=place)


def best(results: Sequence[Result], measure: Measure) -> Result | None:
    """The best strategy that an index can be built with: related pages are found by Jaccard."""
    usable = [
        each
        for each in results
        if each.contender.strategy is not None and each.contender.similarity == "jaccard"
    ]
    return ranked(usable, measure)[0] if usable else None


def write_best(path: Path, result: Result, measure: Measure) -> None:
    """The strategy as a file that `pagekin index --strategy` takes."""
    if result.contender.strategy is None:
        return
    low, high = result.interval(measure)
    found = f"{measure} {result.measure(measure):.3f} ({low:.3f} to {high:.3f})"
    write_whole(
        path, f"# {result.contender.name}: {found}\n\n{result.contender.strategy.to_toml()}"
    )


def write_results(path: Path, results: Sequence[Result]) -> None:
    """One row a contender: what it is, its measures with intervals, its counts."""
    table = pa.Table.from_pylist([_row(result) for result in results])
    draft = path.with_name(f".{path.name}.draft")
    pq.write_table(table, draft)
    draft.replace(path)


def _row(result: Result) -> dict[str, Any]:
    contender, strategy = result.contender, result.contender.strategy
    row: dict[str, Any] = {
        "name": contender.name,
        "similarity": contender.similarity,
        "fingerprint": strategy.fingerprint if strategy else None,
        "strategy": strategy.to_toml() if strategy else None,
    }
    for relation in RELATIONS:
        row |= _gamma_row(result, Gamma(relation))
    for measure in (Orthogonality(), Precision(K)):
        row[str(measure)] = _number(result.measure(measure))
    return row | {"seconds": result.seconds}


def _gamma_row(result: Result, gamma: Gamma) -> dict[str, Any]:
    low, high = result.interval(gamma)
    pairs = result.classes.pairs[:, RELATIONS.index(gamma.relation)].sum(axis=0)
    return {
        str(gamma): _number(result.measure(gamma)),
        f"{gamma}:low": _number(low),
        f"{gamma}:high": _number(high),
        f"{gamma}:value": _number(result.measure(Gamma(gamma.relation, "value"))),
        **{
            f"{gamma.relation}:{outcome}": int(count)
            for outcome, count in zip(OUTCOMES, pairs, strict=True)
        },
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
