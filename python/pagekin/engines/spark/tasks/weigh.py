"""From raw bags to weighed ones and their sketches."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.tasks.stored import numbers, part_name, store_table

__all__ = ["weigh"]


def weigh(plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Weigh partitions by the whole lexicon, range by range; there are so many bags in all."""
    sketch = plan.strategy.sketch
    for partition in numbers(batches):
        with ExitStack() as files:
            frequencies = [
                files.enter_context(plan.work.local(part_name("frequencies", number)))
                for number in range(plan.ranges)
            ]
            raw = files.enter_context(plan.work.local(part_name("raw", partition)))
            weighed = _core.weigh(raw, frequencies, bags, plan.core())
        store_table(plan.work, "bags", partition, weighed)
        sketches = _core.sketch(weighed, sketch.positions, sketch.seed)
        store_table(plan.work, "sketches", partition, sketches)
        yield batch_of([Count("weighed", partition, weighed.num_rows)])
