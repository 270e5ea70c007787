"""The site graphs of a crawl whose links fit the memory of one task."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import pyarrow as pa

from pagekin.engines.sites import site_graphs
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.work.stored import numbers, read_table, store_table

__all__ = ["small_graphs"]


def small_graphs(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Make all graphs at once; each table of them is one part."""
    for _ in numbers(batches):
        with ExitStack() as files:
            graphs = site_graphs(_all(plan, "pages", files), _all(plan, "links", files))
        for table in ("ranks", "arcs", "sites"):
            store_table(plan.work, table, 0, getattr(graphs, table))
        yield batch_of([Count("sites", 0, graphs.sites.num_rows)])


def _all(plan: Plan, table: str, files: ExitStack) -> Iterator[pa.RecordBatch]:
    for partition in range(plan.partitions):
        yield from files.enter_context(read_table(plan.work, table, partition))
