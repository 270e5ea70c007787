"""Concepts, learnt by one task from a sample whose size the strategy bounds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar, overload

import pyarrow as pa

from pagekin import _core
from pagekin.engines.concepts import RawBags, concept_tables
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.work.stored import numbers, part_name, read_table, store_table

__all__ = ["CONCEPTS", "find_concepts", "learnt"]

CONCEPTS = ("loadings", "concepts")
"""The tables of concepts, each of one part."""
R = TypeVar("R")


def find_concepts(
    plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Learn concepts and store their tables; there are so many bags in all."""
    for _ in numbers(batches):
        with ExitStack() as files:
            frequencies = [*_Files(plan, "frequencies", plan.ranges, files)]
            raw = RawBags(_Files(plan, "raw", plan.partitions, files), plan.bits, frequencies, bags)
            tables = _rows(plan, "pages", plan.partitions), _rows(plan, "lexicon", plan.ranges)
            made = concept_tables(_each, raw, tables, plan.strategy, 1)
        store_table(plan.work, "loadings", 0, made.learnt.loadings)
        store_table(plan.work, "bearings", 0, made.learnt.bearings)
        store_table(plan.work, "concepts", 0, made.concepts)
        found = made.found
        counts = {"found": found.found, "wanted": found.wanted, "pages": found.pages}
        yield batch_of([Count(what, 0, count) for what, count in counts.items()])


def learnt(plan: Plan) -> _core.Concepts | None:
    """The concepts that bags are weighed with, if the strategy has any."""
    if not plan.strategy.kinds.concept:
        return None
    with (
        read_table(plan.work, "loadings", 0) as loadings,
        read_table(plan.work, "bearings", 0) as bearings,
    ):
        return _core.Concepts(loadings, plan.strategy.concept.power, bearings)


class _Files(Sequence[Path]):
    """Files of the work folder, each fetched when it is asked for."""

    def __init__(self, plan: Plan, what: str, count: int, fetched: ExitStack) -> None:
        self._plan = plan
        self._what = what
        self._count = count
        self._fetched = fetched

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, part: int) -> Path: ...
    @overload
    def __getitem__(self, part: slice) -> Sequence[Path]: ...
    def __getitem__(self, part: int | slice) -> Path | Sequence[Path]:
        if isinstance(part, slice):
            return [self[number] for number in range(*part.indices(self._count))]
        if part >= self._count:
            raise IndexError(part)
        return self._fetched.enter_context(self._plan.work.local(part_name(self._what, part)))


def _rows(plan: Plan, table: str, parts: int) -> Iterator[pa.RecordBatch]:
    for part in range(parts):
        with read_table(plan.work, table, part) as batches:
            yield from batches


def _each(work: Callable[[int], R], parts: range, /) -> Iterator[R]:
    return map(work, parts)
