"""Small facts that tasks tell the driver, as rows of Spark and of a stage's mark."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Count", "TableFile", "batch_of", "collected", "columns_of", "from_json", "to_json"]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something a part has."""

    what: str
    part: int
    count: int


@dataclass(frozen=True, slots=True)
class TableFile:
    """A finished file of the index."""

    name: str
    bytes: int
    xxh3: str


Fact = TypeVar("Fact", Count, TableFile)
_KINDS = {int: ("long", pa.int64()), str: ("string", pa.string())}


def columns_of(kind: type[Fact]) -> str:
    """The columns of such facts, as Spark writes them."""
    return ", ".join(f"{field.name} {_KINDS[field.type][0]}" for field in fields(kind))


def batch_of(facts: Sequence[Fact], kind: type[Fact]) -> pa.RecordBatch:
    """The facts as rows."""
    names = [field.name for field in fields(kind)]
    columns = [
        pa.array([getattr(fact, field.name) for fact in facts], _KINDS[field.type][1])
        for field in fields(kind)
    ]
    return pa.RecordBatch.from_arrays(columns, names=names)


def collected(frame: "DataFrame", kind: type[Fact]) -> list[Fact]:
    """All facts; there are a few for each part."""
    return [kind(**row.asDict()) for row in frame.collect()]


def to_json(facts: Iterable[Fact]) -> bytes:
    """The facts as a mark holds them."""
    return json.dumps([asdict(fact) for fact in facts], indent=0).encode()


def from_json(text: bytes, kind: type[Fact]) -> list[Fact]:
    """The facts of a mark."""
    return [kind(**fact) for fact in json.loads(text)]
