"""Tables of the work folder as DataFrames, and DataFrames as tables of the work folder."""

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.work.columns import columns_of, signed, unsigned
from pagekin.engines.spark.work.folder import Folder
from pagekin.engines.spark.work.stored import numbers, read_table, store_table
from pagekin.index import schema_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["MANY_ROWS", "stored", "table_frame"]

ROWS = 10_000
"""Rows of a batch between Spark and a worker."""
MANY_ROWS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(ROWS),
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
}
"""Settings for joins of many small rows."""
_KINDS = {pa.uint64(): "long", pa.string(): "string", pa.bool_(): "boolean"}


def table_frame(spark: "SparkSession", plan: Plan, table: str, columns: list[str]) -> "DataFrame":
    """Columns of a table that has a part a partition; ids are longs."""
    schema = schema_of(table, 0)
    kinds = ", ".join(f"{name} {_KINDS[schema.field(name).type]}" for name in columns)
    parts = spark.range(0, plan.partitions, 1, plan.partitions)
    return parts.mapInArrow(task(_rows, plan.work, table, columns), kinds)


def _rows(
    work: Folder, table: str, columns: list[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for part in numbers(batches):
        with read_table(work, table, part) as found:
            for batch in found:
                for start in range(0, batch.num_rows, ROWS):
                    yield _to_spark(batch.slice(start, ROWS).select(columns))


def _to_spark(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns: list[Any] = [
        signed(column) if column.type == pa.uint64() else column for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def stored(frame: "DataFrame", plan: Plan, table: str) -> "DataFrame":
    """Store a table, whose first column is an id, in a part a partition; tells of the parts."""
    half = plan.partitions // 2
    part = f"shiftright(id, {64 - plan.bits}) + {half}"
    cut = frame.selectExpr(*schema_of(table, 0).names, f"{part} as part")
    ordered = cut.repartition(plan.partitions, "part").sortWithinPartitions("id")
    return ordered.mapInArrow(task(_store, plan, table), columns_of(Count.SCHEMA))


def _store(plan: Plan, table: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows come in order of their ids, so those of a part come together."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        for rows in _by_part(batch):
            if held and held[0].column("part")[0] != rows.column("part")[0]:
                yield _finish(plan, table, held)
                held = []
            held.append(rows)
    if held:
        yield _finish(plan, table, held)


def _by_part(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    parts = batch.column("part").to_numpy()
    cuts = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), batch.num_rows]
    for start, end in itertools.pairwise(cuts):
        if end > start:
            yield batch.slice(start, end - start)


def _finish(plan: Plan, table: str, held: list[pa.RecordBatch]) -> pa.RecordBatch:
    part = int(held[0].column("part")[0].as_py())
    rows = pa.Table.from_batches(held).combine_chunks().to_batches()[0]
    schema = schema_of(table, 0)
    columns = [_of_kind(rows.column(field.name), field.type) for field in schema]
    batch = pa.RecordBatch.from_arrays(columns, schema=schema)
    store_table(plan.work, table, part, batch)
    return batch_of([Count(table, part, batch.num_rows)])


def _of_kind(column: "pa.Array[Any]", kind: pa.DataType) -> "pa.Array[Any]":
    if kind == pa.uint64():
        return unsigned(column)
    return column.cast(kind)
