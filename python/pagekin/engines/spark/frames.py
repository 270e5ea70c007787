"""DataFrames: facts that tasks report to the driver, and tables of the work folder.

A DataFrame that was materialised is never computed again.
"""

import importlib
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.engines.spark.cluster.task import Task, task
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import SCHEMA
from pagekin.engines.spark.work_folder import (
    Folder,
    numbers,
    part_name,
    read_table,
    scratch,
    store_table,
)
from pagekin.index import schema_of
from pagekin.index.tables.mapped import mapped_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = [
    "MANY_ROWS",
    "Count",
    "Fact",
    "IndexFile",
    "batch_of",
    "columns_of",
    "from_json",
    "materialise",
    "materialise_sums",
    "report_facts",
    "send",
    "signed",
    "store_frame",
    "table_frame",
    "to_json",
    "unsigned",
]

ROWS = 10_000
"""Rows of a batch between Spark and a worker."""
MANY_ROWS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(ROWS),
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
}
"""Settings for joins of many small rows."""
_KINDS = {pa.uint64(): "long", pa.string(): "string", pa.bool_(): "boolean"}


_COUNT: "list[pa.Field[Any]]" = [
    pa.field("what", pa.string()),
    pa.field("part", pa.int64()),
    pa.field("count", pa.int64()),
]
_FILE: "list[pa.Field[Any]]" = [
    pa.field("name", pa.string()),
    pa.field("bytes", pa.int64()),
    pa.field("xxh3", pa.string()),
]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something a part has."""

    what: str
    part: int
    count: int
    SCHEMA: ClassVar = pa.schema(_COUNT)


@dataclass(frozen=True, slots=True)
class IndexFile:
    """A finished file of the index."""

    name: str
    bytes: int
    xxh3: str
    SCHEMA: ClassVar = pa.schema(_FILE)


Fact = TypeVar("Fact", Count, IndexFile)


def batch_of(facts: Sequence[Fact]) -> pa.RecordBatch:
    """The facts, at least one, as rows."""
    return pa.RecordBatch.from_pylist([asdict(fact) for fact in facts], facts[0].SCHEMA)


def to_json(facts: Iterable[Fact]) -> bytes:
    """The facts as stored in a mark."""
    return json.dumps([asdict(fact) for fact in facts], indent=0).encode()


def from_json(text: bytes, kind: type[Fact]) -> list[Fact]:
    """The facts of a mark."""
    return [kind(**fact) for fact in json.loads(text)]


_HIGHEST = np.uint64(1 << 63)


def signed(ids: "pa.Array[Any]") -> "pa.Array[Any]":
    """Ids (uint64) as longs."""
    return pa.array((ids.to_numpy() ^ _HIGHEST).view(np.int64), pa.int64())


def unsigned(longs: "pa.Array[Any]") -> "pa.Array[Any]":
    """Longs as ids (uint64); missing ones stay null, with zero bits."""
    missing = longs.is_null().to_numpy(zero_copy_only=False)
    known = longs.fill_null(0).to_numpy().view(np.uint64) ^ _HIGHEST
    return pa.array(np.where(missing, np.uint64(0), known), pa.uint64(), mask=missing)


def columns_of(schema: pa.Schema) -> "StructType":
    """The columns of a DataFrame with such rows; as text they would need Spark's parser."""
    found: StructType = importlib.import_module("pyspark.sql.pandas.types").from_arrow_schema(
        schema
    )
    return found


def send(frame: "DataFrame", task: Task, destinations: int) -> "DataFrame":
    """The packets of a task, each where its destination is."""
    return frame.mapInArrow(task, columns_of(SCHEMA)).repartition(destinations, "postcode")


def report_facts(frame: "DataFrame", task: Task, kind: type[Fact]) -> "DataFrame":
    """The facts that a task reports."""
    return frame.mapInArrow(task, columns_of(kind.SCHEMA))


def table_frame(spark: "SparkSession", plan: Plan, table: str, columns: list[str]) -> "DataFrame":
    """Columns of a table with one part per partition; ids are longs."""
    schema = schema_of(table, 0)
    kinds = ", ".join(f"{name} {_KINDS[schema.field(name).type]}" for name in columns)
    parts = spark.range(0, plan.partitions, 1, plan.partitions)
    return parts.mapInArrow(task(_table_rows, plan.work, table, columns), kinds)


def _table_rows(
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


def store_frame(frame: "DataFrame", plan: Plan, table: str) -> "DataFrame":
    """Store a table, whose first column is an id, in one part per partition; facts on the parts."""
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


_PART = "part_of_kept"
"""The column with the number of the task."""


def materialise(frame: "DataFrame", work: Folder, name: str) -> "DataFrame":
    """The same rows, read from the work folder; existing ones are not computed again."""
    return materialise_sums(frame, work, name, [])[0]


def materialise_sums(
    frame: "DataFrame", work: Folder, name: str, columns: Sequence[str]
) -> tuple["DataFrame", list[int]]:
    """The same rows, read from the work folder, and the sums of some columns of longs."""
    mark = f"{name}/kept.json"
    if not work.exists(mark):
        marked = frame.selectExpr("*", f"spark_partition_id() as {_PART}")
        facts = "part long, sums array<long>"
        rows = marked.mapInArrow(task(_write, work, name, columns), facts).collect()
        known = sorted((row.part, list(row.sums)) for row in rows)
        work.write(mark, json.dumps(known).encode())
    facts_of: list[tuple[int, list[int]]] = json.loads(work.read(mark))
    parts = [part for part, _ in facts_of]
    files = frame.sparkSession.range(0, len(parts), 1, max(len(parts), 1))
    sums = [sum(marked[place] for _, marked in facts_of) for place in range(len(columns))]
    return files.mapInArrow(task(_read, work, name, parts), frame.schema), sums


def _write(
    work: Folder, name: str, columns: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """One file per task. A second attempt writes the same rows, perhaps in another order."""
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
