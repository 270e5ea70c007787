"""From raw bags to weighed ones and their sketches.

A partition needs the frequencies of its own terms. A small lexicon is read whole by every task
(`weigh`). Of a large one each partition asks for what it needs:

    terms of a partition ==shuffle==> a range answers ==shuffle==> the partition is weighed
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.exchange import Inbox, Parcel, packets
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.tasks.concepts import learnt
from pagekin.engines.spark.work.folder import scratch
from pagekin.engines.spark.work.stored import content, numbers, part_name, store_table
from pagekin.types import Run

__all__ = ["answer", "ask", "weigh", "weigh_answered"]


def weigh(plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Weigh partitions by the whole lexicon, range by range; there are so many bags in all."""
    for partition in numbers(batches):
        with ExitStack() as files:
            frequencies = [
                files.enter_context(plan.work.local(part_name("frequencies", number)))
                for number in range(plan.ranges)
            ]
            yield _weighed(plan, partition, frequencies, bags)


def ask(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the terms of partitions."""
    for partition in numbers(batches):
        with scratch() as folder:
            path = folder / "terms"
            with plan.work.local(part_name("raw", partition)) as raw:
                run = Run(str(path), _core.pack_terms(raw, plan.term_bits, path))
            asked = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(asked, plan.ranges)


def answer(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the frequencies that partitions asked ranges for."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            path, asked = folder / "answers", [part for _, part in parcels]
            with plan.work.local(part_name("frequencies", number)) as frequencies:
                run = Run(str(path), _core.answer_terms(asked, frequencies, path))
            answers = (
                Parcel(partition, number, run.part(place))
                for place, (partition, _) in enumerate(parcels)
            )
            yield from packets(answers, plan.partitions)


def weigh_answered(
    plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Weigh partitions by what ranges answered them."""
    with scratch() as folder:
        for partition, parcels in Inbox(folder).take(batches):
            frequencies = [folder / f"{number}.frequencies" for number, _ in parcels]
            for path, (_, part) in zip(frequencies, parcels, strict=True):
                path.write_bytes(content(part))
            yield _weighed(plan, partition, frequencies, bags)


def _weighed(plan: Plan, partition: int, frequencies: Sequence[Path], bags: int) -> pa.RecordBatch:
    """Store the bags and sketches of a partition."""
    sketch = plan.strategy.sketch
    with plan.work.local(part_name("raw", partition)) as raw:
        weighed = _core.Weigher(frequencies, bags, plan.core(), learnt(plan)).weigh(raw)
    store_table(plan.work, "bags", partition, weighed)
    sketches = _core.sketch(weighed, sketch.positions, sketch.seed)
    store_table(plan.work, "sketches", partition, sketches)
    return batch_of([Count("weighed", partition, weighed.num_rows)])
