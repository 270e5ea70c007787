"""The results that a sweep wrote to its folder, read back for the web service."""

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.errors import InputError
from pagekin.evaluation.measures import RELATIONS

__all__ = [
    "GammaSummary",
    "StrategyResult",
    "SweepRanking",
    "SweepReport",
    "ranking",
    "read_report",
]

RESULTS = "results.parquet"
JOURNAL = "journal.jsonl"


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
    """One strategy of the sweep and what was measured of it."""

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


@dataclass(frozen=True, slots=True)
class SweepReport:
    """The folder of a sweep, read once. `best` is the strategy that it recommends, as TOML;
    `classes` are those of the directory, if the journal of the sweep is still there."""

    folder: str
    strategies: tuple[StrategyResult, ...]
    best: str | None
    classes: int | None
    digest: str


@dataclass(frozen=True, slots=True)
class SweepRanking:
    """All strategies, best sibling-gamma first, and the one to build with."""

    strategies: list[StrategyResult]
    best: str | None
    took_ms: float


def ranking(report: SweepReport) -> SweepRanking:
    """The report as an answer."""
    start = time.perf_counter()
    strategies = sorted(report.strategies, key=_place)
    took = round((time.perf_counter() - start) * 1000, 3)
    return SweepRanking(strategies, report.best, took)


def _place(judged: StrategyResult) -> tuple[bool, float, str]:
    gamma = judged.sibling.strict
    return gamma is None, -(gamma or 0.0), judged.name


def read_report(folder: str) -> SweepReport:
    """The report of a sweep's folder, or an error that says what is wrong with it."""
    path = Path(folder) / RESULTS
    try:
        content = path.read_bytes()
        rows = pq.read_table(pa.BufferReader(content)).to_pylist()
        strategies = tuple(_judged(row) for row in rows)
        best = Path(folder) / "best.toml"
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


def _judged(row: dict[str, Any]) -> StrategyResult:
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
