"""`results.parquet` and `best.toml`: written by a sweep, read back by the web service."""

import hashlib
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.errors import InputError
from pagekin.evaluation.measures import (
    ORDERINGS,
    RELATIONS,
    Gamma,
    K,
    Measure,
    Ordering,
    Orthogonality,
    Precision,
    Relation,
)
from pagekin.evaluation.selection.results import JOURNAL, Result
from pagekin.evaluation.truths.matching import band_names
from pagekin.work.files import write_whole

__all__ = [
    "GammaSummary",
    "StrategyResult",
    "SweepRanking",
    "SweepReport",
    "ranking",
    "read_report",
    "write_best",
    "write_results",
]

RESULTS = "results.parquet"
BEST = "best.toml"
OUTCOMES = ("concordant", "discordant", "tied")


def write_best(folder: Path, result: Result, measure: Measure) -> None:
    """The strategy as a file that `pagekin index --strategy` takes."""
    if result.contender.strategy is None:
        return
    low, high = result.interval(measure)
    found = f"{measure} {result.measure(measure):.3f} ({low:.3f} to {high:.3f})"
    write_whole(
        folder / BEST,
        f"# {result.contender.name}: {found}\n\n{result.contender.strategy.to_toml()}",
    )


def write_results(folder: Path, results: Sequence[Result]) -> None:
    """One row per contender: its description, its measures with intervals, its counts."""
    table = pa.Table.from_pylist([_row(result) for result in results])
    path = folder / RESULTS
    draft = path.with_name(f".{path.name}.draft")
    pq.write_table(table, draft)
    draft.replace(path)


def _row(result: Result) -> dict[str, Any]:
    contender, strategy = result.contender, result.contender.strategy
    row: dict[str, Any] = {
        "name": contender.name,
        "preset": contender.preset,
        "similarity": contender.similarity,
        "fingerprint": strategy.fingerprint if strategy else None,
        "strategy": strategy.to_toml() if strategy else None,
    }
    for ordering in ORDERINGS:
        row |= _gamma_row(result, Gamma(ordering))
    for measure in (Orthogonality(), Precision(K)):
        row[str(measure)] = _number(result.measure(measure))
    return row | _band_row(result) | {"seconds": result.seconds}


def _band_row(result: Result) -> dict[str, Any]:
    """The measures of the query pages of each band of in-degree."""
    measures: tuple[Measure, ...] = (*map(Gamma, ORDERINGS), Precision(K))
    return {
        f"{measure}:inlinks {band}": _number(float(value))
        for measure in measures
        for band, value in zip(band_names(), result.bands.measure(measure), strict=True)
    }


def _gamma_row(result: Result, gamma: Gamma) -> dict[str, Any]:
    low, high = result.interval(gamma)
    pairs = result.classes.pairs[:, ORDERINGS.index(gamma.relation)].sum(axis=0)
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


@dataclass(frozen=True, slots=True)
class GammaSummary:
    """A gamma with its interval, and the pairs it is computed from; null where there are none."""

    strict: float | None
    low: float | None
    high: float | None
    value: float | None
    concordant: int
    discordant: int
    tied: int


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """One strategy of the sweep and its measures."""

    name: str
    similarity: str
    fingerprint: str | None
    strategy: str | None
    sibling: GammaSummary
    cousin: GammaSummary
    unrelated: GammaSummary
    orthogonality: float | None
    precision_at_10: float | None
    seconds: float

    def gamma(self, relation: Ordering) -> GammaSummary:
        """The Γ over pages of this relation."""
        found: dict[Ordering, GammaSummary] = {
            "sibling": self.sibling,
            "cousin": self.cousin,
            "unrelated": self.unrelated,
        }
        return found[relation]


@dataclass(frozen=True, slots=True)
class SweepReport:
    """The folder of a sweep, read once. `best` is the strategy that it recommends, as TOML;
    `classes` are those of the directory, if the journal of the sweep is still there."""

    folder: str
    strategies: tuple[StrategyResult, ...]
    best: str | None
    classes: int | None
    digest: str

    @property
    def relation(self) -> Relation:
        """What strategies are ranked by: Γ over the nearest classes that the directory compares."""
        measured = (
            relation
            for relation in RELATIONS
            if any(each.gamma(relation).strict is not None for each in self.strategies)
        )
        return next(measured, "sibling")


@dataclass(frozen=True, slots=True)
class SweepRanking:
    """All strategies, the best by sibling-gamma first, and the one to build with. Of a directory
    without siblings the nearest other relation counts."""

    strategies: list[StrategyResult]
    best: str | None
    took_ms: float


def ranking(report: SweepReport) -> SweepRanking:
    """The report as an answer."""
    start = time.perf_counter()
    relation = report.relation
    strategies = sorted(report.strategies, key=lambda each: _place(each, relation))
    took = round((time.perf_counter() - start) * 1000, 3)
    return SweepRanking(strategies, report.best, took)


def _place(judged: StrategyResult, relation: Relation) -> tuple[bool, float, str]:
    gamma = judged.gamma(relation).strict
    return gamma is None, -(gamma or 0.0), judged.name


def read_report(folder: str) -> SweepReport:
    """The report of a sweep's folder, or an error that says what is wrong with it."""
    path = Path(folder) / RESULTS
    try:
        content = path.read_bytes()
        rows = pq.read_table(pa.BufferReader(content)).to_pylist()
        strategies = tuple(_read_row(row) for row in rows)
        best = Path(folder) / BEST
        chosen = best.read_text(encoding="utf-8") if best.exists() else None
        classes = _classes(Path(folder) / JOURNAL)
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise InputError(
            f"not the report of a sweep ({error})",
            source=path,
            advice="give the folder that pagekin sweep wrote",
        ) from error
    digest = hashlib.sha256(content + (chosen or "").encode()).hexdigest()[:16]
    return SweepReport(folder, strategies, chosen, classes, digest)


def _classes(journal: Path) -> int | None:
    if not journal.exists():
        return None
    with journal.open(encoding="utf-8") as lines:
        return len(json.loads(lines.readline())["classes"])


def _read_row(row: dict[str, Any]) -> StrategyResult:
    sibling, cousin, unrelated = (_agreement(row, relation) for relation in RELATIONS)
    return StrategyResult(
        name=row["name"],
        similarity=row["similarity"],
        fingerprint=row["fingerprint"],
        strategy=row["strategy"],
        sibling=sibling,
        cousin=cousin,
        unrelated=unrelated,
        orthogonality=row["orthogonality"],
        precision_at_10=row["P@10"],
        seconds=row["seconds"],
    )


def _agreement(row: dict[str, Any], relation: str) -> GammaSummary:
    gamma = f"{relation}-gamma"
    return GammaSummary(
        strict=row[gamma],
        low=row[f"{gamma}:low"],
        high=row[f"{gamma}:high"],
        value=row[f"{gamma}:value"],
        concordant=row[f"{relation}:concordant"],
        discordant=row[f"{relation}:discordant"],
        tied=row[f"{relation}:tied"],
    )
