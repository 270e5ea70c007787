"""What a sweep leaves behind for people and programs: `results.parquet` and `best.toml`."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.evaluation.measures import RELATIONS, Gamma, Measure, Orthogonality, Precision
from pagekin.evaluation.summary import K
from pagekin.evaluation.sweep.result import Result
from pagekin.files import write_whole

__all__ = ["best", "ranked", "write_best", "write_results"]

OUTCOMES = ("concordant", "discordant", "tied")


def ranked(results: Sequence[Result], measure: Measure) -> list[Result]:
    """Best first; of equals the first of the grid. What cannot be measured comes last."""
    sign = 1 if isinstance(measure, Orthogonality) else -1

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
    for name, measure in (("orthogonality", Orthogonality()), (f"P@{K}", Precision(K))):
        row[name] = _known(result.measure(measure))
    return row | {"seconds": result.seconds}


def _gamma_row(result: Result, gamma: Gamma) -> dict[str, Any]:
    low, high = result.interval(gamma)
    pairs = result.classes.pairs[:, RELATIONS.index(gamma.relation)].sum(axis=0)
    return {
        str(gamma): _known(result.measure(gamma)),
        f"{gamma}:low": _known(low),
        f"{gamma}:high": _known(high),
        f"{gamma}:value": _known(result.measure(Gamma(gamma.relation, "value"))),
        **{
            f"{gamma.relation}:{outcome}": int(count)
            for outcome, count in zip(OUTCOMES, pairs, strict=True)
        },
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
