"""Site graphs whose links fit the memory of one task, and postings by the sites of pages.

Raw bags are transposed by partition, then merged by range of terms.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pagekin import _core
from pagekin.engines.site_graphs import site_graphs
from pagekin.engines.spark.facts import Count, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.work import numbers, part_name, read_table, scratch, store_table
from pagekin.partitions import PartitionedFile

__all__ = ["Numbering", "merge_postings", "small_graphs", "turn_over"]


def small_graphs(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Make all graphs at once; each table of them is one part."""
    for _ in numbers(batches):
        with ExitStack() as files:
            graphs = site_graphs(_all(plan, "pages", files), _all(plan, "links", files))
        for table, rows in graphs.tables().items():
            store_table(plan.work, table, 0, rows)
        yield batch_of([Count("sites", 0, graphs.sites.num_rows)])


def _all(plan: Plan, table: str, files: ExitStack) -> Iterator[pa.RecordBatch]:
    for partition in range(plan.partitions):
        yield from files.enter_context(read_table(plan.work, table, partition))


@dataclass(frozen=True, slots=True)
class Numbering:
    """The first page number of each partition and the end, and the bits of `ranks`."""

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
                run = PartitionedFile(
                    str(path), _core.pack_postings(raw, sites, plan.term_bits, path)
                )
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_postings(
    plan: Plan, numbering: Numbering, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Merge ranges of postings."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            firsts = [numbering.firsts[partition] for partition, _ in parcels]
            batch = _core.merge_postings([part for _, part in parcels], firsts)
            store_table(plan.work, "postings", number, batch)
            yield batch_of([Count("postings", number, batch.num_rows)])
