"""From raw bags to concepts, weighed bags and their sketches.

One task learns the concepts, from a sample whose size the strategy bounds. A partition needs the
frequencies of its own terms. Every task reads a small lexicon whole (`weigh`). From a large one
each partition requests what it needs:

    terms of a partition ==shuffle==> a range answers ==shuffle==> the partition is weighed
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar, overload

import pyarrow as pa

from pagekin import _core
from pagekin.engines.kernels import RawBags, bag_tables, concept_tables, concept_tables_of
from pagekin.engines.spark.frames import Count, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.work_folder import (
    content,
    numbers,
    part_name,
    read_table,
    scratch,
    store_table,
)
from pagekin.strategy import Strategy
from pagekin.work.partitions import PartitionedFile

__all__ = [
    "CONCEPTS",
    "answer",
    "ask",
    "find_concepts",
    "fitted",
    "learnt",
    "weigh",
    "weigh_answered",
]

CONCEPTS = ("loadings", "concepts")
"""The tables of concepts, each of one part."""
FITTED = "fitted.toml"
R = TypeVar("R")


def find_concepts(
    plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Learn concepts and store their tables; `bags` is the number of all bags."""
    for _ in numbers(batches):
        with ExitStack() as files:
            frequencies = [*_Files(plan, "frequencies", plan.ranges, files)]
            raw = RawBags(_Files(plan, "raw", plan.partitions, files), plan.bits, frequencies, bags)
            pages = _rows(plan, "pages", plan.partitions)
            if model := plan.shared_model():
                made = concept_tables_of(model, _each, raw, pages)
            else:
                tables = pages, _rows(plan, "lexicon", plan.ranges)
                made = concept_tables(_each, raw, tables, plan.strategy, 1)
        store_table(plan.work, "loadings", 0, made.model.loadings)
        store_table(plan.work, "page_vectors", 0, made.model.page_vectors)
        store_table(plan.work, "concepts", 0, made.concepts)
        plan.work.write(FITTED, made.fitted.to_toml().encode())
        found = made.found
        counts = {"found": found.found, "wanted": found.wanted, "pages": found.pages}
        yield batch_of([Count(what, 0, count) for what, count in counts.items()])


def learnt(plan: Plan) -> _core.Concepts | None:
    """The concepts for weighting bags, if the strategy has any."""
    if not plan.strategy.kinds.concept:
        return None
    with (
        read_table(plan.work, "loadings", 0) as loadings,
        read_table(plan.work, "page_vectors", 0) as page_vectors,
    ):
        return _core.Concepts(loadings, plan.strategy.concept.power, page_vectors)


def fitted(plan: Plan) -> Strategy:
    """The strategy for weighting bags: that of the plan, fitted to the crawl."""
    if not plan.strategy.kinds.concept:
        return plan.strategy
    return Strategy.from_toml(plan.work.read(FITTED).decode())


class _Files(Sequence[Path]):
    """Files of the work folder, each fetched when needed."""

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


def weigh(plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Weight partitions by the whole lexicon, range by range; `bags` is the number of all bags."""
    for partition in numbers(batches):
        with ExitStack() as files:
            frequencies = [
                files.enter_context(plan.work.local(part_name("frequencies", number)))
                for number in range(plan.ranges)
            ]
            yield _weigh(plan, partition, frequencies, bags)


def ask(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the terms of partitions."""
    for partition in numbers(batches):
        with scratch() as folder:
            path = folder / "terms"
            with plan.work.local(part_name("raw", partition)) as raw:
                run = PartitionedFile(str(path), _core.pack_terms(raw, plan.term_bits, path))
            requests = (
                Parcel(number, partition, run.part(number)) for number in range(plan.ranges)
            )
            yield from packets(requests, plan.ranges)


def answer(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the frequencies that partitions requested."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            path, requests = folder / "answers", [part for _, part in parcels]
            with plan.work.local(part_name("frequencies", number)) as frequencies:
                run = PartitionedFile(str(path), _core.answer_terms(requests, frequencies, path))
            answers = (
                Parcel(partition, number, run.part(place))
                for place, (partition, _) in enumerate(parcels)
            )
            yield from packets(answers, plan.partitions)


def weigh_answered(
    plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Weight partitions by the frequencies they requested."""
    with scratch() as folder:
        for partition, parcels in Inbox(folder).take(batches):
            frequencies = [folder / f"{number}.frequencies" for number, _ in parcels]
            for path, (_, part) in zip(frequencies, parcels, strict=True):
                path.write_bytes(content(part))
            yield _weigh(plan, partition, frequencies, bags)


def _weigh(plan: Plan, partition: int, frequencies: Sequence[Path], bags: int) -> pa.RecordBatch:
    """Store the bags and sketches of a partition."""
    core = _core.Strategy(fitted(plan).to_core())
    with plan.work.local(part_name("raw", partition)) as raw:
        weighed = _core.Weigher(frequencies, bags, core, learnt(plan)).weigh(raw)
    for table, rows in bag_tables(weighed, plan.strategy.sketch, bags).items():
        store_table(plan.work, table, partition, rows)
    return batch_of([Count("weighed", partition, weighed.num_rows)])
