"""From raw bags to postings: turned over by partition, then merged by range of terms."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.exchange import Inbox, Parcel, packets
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.work.folder import scratch
from pagekin.engines.spark.work.stored import numbers, part_name, read_table, store_table
from pagekin.types import Run

__all__ = ["Numbering", "merge_postings", "turn_over"]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of pages: the first of each partition and the end, and how `ranks` is cut."""

    firsts: tuple[int, ...]
    graph_bits: int

    def sites(self, plan: Plan, partition: int) -> "pa.Array[Any]":
        """The sites of a partition's pages."""
        first, end = self.firsts[partition : partition + 2]
        part, start = (partition, 0) if self.graph_bits else (0, first)
        with read_table(plan.work, "ranks", part) as batches:
            sites = pa.chunked_array([batch.column("site") for batch in batches], pa.uint32())
            return pa.concat_arrays(sites.slice(start, end - first).chunks)


def turn_over(
    plan: Plan, numbering: Numbering, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Packets of the postings of partitions."""
    for partition in numbers(batches):
        with scratch() as folder:
            path, sites = folder / "postings", numbering.sites(plan, partition)
            with plan.work.local(part_name("raw", partition)) as raw:
                run = Run(str(path), _core.pack_postings(raw, sites, plan.term_bits, path))
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_postings(
    plan: Plan, numbering: Numbering, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Merge ranges of postings."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            parts = [(numbering.firsts[partition], part) for partition, part in parcels]
            batch = _core.merge_postings(parts)
            store_table(plan.work, "postings", number, batch)
            yield batch_of([Count("postings", number, batch.num_rows)])
