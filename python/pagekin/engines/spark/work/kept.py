"""DataFrames that are written down: what is made from them later never makes them again."""

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.work.folder import Folder, scratch
from pagekin.engines.spark.work.stored import numbers, part_name
from pagekin.index.mapped import mapped_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["kept", "summed"]

_PART = "part_of_kept"
"""The column that tells a task its number."""


def kept(frame: "DataFrame", work: Folder, name: str) -> "DataFrame":
    """The same rows, read from the work folder; if they are there already, nothing is done."""
    return summed(frame, work, name, [])[0]


def summed(
    frame: "DataFrame", work: Folder, name: str, columns: Sequence[str]
) -> tuple["DataFrame", list[int]]:
    """The same rows, read from the work folder, and the sums of some columns of longs."""
    mark = f"{name}/kept.json"
    if not work.exists(mark):
        told = frame.selectExpr("*", f"spark_partition_id() as {_PART}")
        facts = "part long, sums array<long>"
        rows = told.mapInArrow(task(_write, work, name, columns), facts).collect()
        known = sorted((row.part, list(row.sums)) for row in rows)
        work.write(mark, json.dumps(known).encode())
    facts_of: list[tuple[int, list[int]]] = json.loads(work.read(mark))
    parts = [part for part, _ in facts_of]
    files = frame.sparkSession.range(0, len(parts), 1, max(len(parts), 1))
    sums = [sum(told[place] for _, told in facts_of) for place in range(len(columns))]
    return files.mapInArrow(task(_read, work, name, parts), frame.schema), sums


def _write(
    work: Folder, name: str, columns: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """One file a task. Run again it writes the same rows, if in another order."""
    rows = (batch for batch in batches if batch.num_rows)
    first = next(rows, None)
    if first is None:
        return
    part, sums = int(first.column(_PART)[0].as_py()), [0] * len(columns)
    schema = first.drop_columns([_PART]).schema
    with scratch() as folder:
        path = folder / "part"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as out:
            for batch in itertools.chain([first], rows):
                out.write_batch(batch.drop_columns([_PART]))
                sums = [held + _sum(batch, name) for held, name in zip(sums, columns, strict=True)]
        work.put(path, part_name(name, part))
    facts = [pa.array([part], pa.int64()), pa.array([sums], pa.list_(pa.int64()))]
    yield pa.RecordBatch.from_arrays(facts, names=["part", "sums"])


def _sum(batch: pa.RecordBatch, column: str) -> int:
    return int(pc.sum(batch.column(column)).as_py() or 0)


def _read(
    work: Folder, name: str, parts: list[int], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for number in numbers(batches):
        with work.local(part_name(name, parts[number])) as path:
            yield from mapped_batches(path)
