"""From raw bags to postings: turned over by partition, then merged by range of terms."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from pagekin import _core
from pagekin.engines.runs import Run
from pagekin.engines.spark.exchange import Inbox, Parcel, packets
from pagekin.engines.spark.folder import scratch
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.tasks.stored import numbers, part_name, read_table, store_table

__all__ = ["merge_postings", "turn_over"]


def turn_over(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the postings of partitions."""
    for partition in numbers(batches):
        with scratch() as folder:
            path = folder / "postings"
            with plan.work.local(part_name("raw", partition)) as raw:
                run = Run(str(path), _core.pack_postings(raw, plan.term_bits, path))
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_postings(
    plan: Plan, firsts: Sequence[int], graph_parts: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Merge ranges; `firsts` are the numbers of the partitions' first pages."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            parts = [(firsts[partition], part) for partition, part in parcels]
            batch = _core.merge_postings(parts, _site_of(plan, graph_parts))
            store_table(plan.work, "postings", number, batch)
            yield batch_of([Count("postings", number, batch.num_rows)])


def _site_of(plan: Plan, graph_parts: int) -> "pa.Array[Any]":
    """The site of every page, in order of their numbers."""
    found = []
    for part in range(graph_parts):
        with read_table(plan.work, "ranks", part) as batches:
            found += [batch.column("site") for batch in batches]
    return pa.concat_arrays(found)
