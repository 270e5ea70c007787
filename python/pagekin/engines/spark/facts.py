"""Facts that tasks report to the driver, as Spark rows and in a stage's completion mark.

Spark has no unsigned numbers: ids travel as longs in the same order.
"""

import importlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from pagekin.engines.spark.cluster.task import Task
from pagekin.engines.spark.shuffle import SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = [
    "Count",
    "Fact",
    "IndexFile",
    "batch_of",
    "columns_of",
    "from_json",
    "send",
    "signed",
    "tell",
    "to_json",
    "unsigned",
]

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


def tell(frame: "DataFrame", task: Task, kind: type[Fact]) -> "DataFrame":
    """The facts that a task reports."""
    return frame.mapInArrow(task, columns_of(kind.SCHEMA))
