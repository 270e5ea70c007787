"""Small facts that tasks tell the driver, as rows of Spark and of a stage's mark."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeVar

import pyarrow as pa

__all__ = ["Count", "Fact", "TableFile", "batch_of", "from_json", "to_json"]

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
class TableFile:
    """A finished file of the index."""

    name: str
    bytes: int
    xxh3: str
    SCHEMA: ClassVar = pa.schema(_FILE)


Fact = TypeVar("Fact", Count, TableFile)


def batch_of(facts: Sequence[Fact]) -> pa.RecordBatch:
    """The facts, of which there are some, as rows."""
    return pa.RecordBatch.from_pylist([asdict(fact) for fact in facts], facts[0].SCHEMA)


def to_json(facts: Iterable[Fact]) -> bytes:
    """The facts as a mark holds them."""
    return json.dumps([asdict(fact) for fact in facts], indent=0).encode()


def from_json(text: bytes, kind: type[Fact]) -> list[Fact]:
    """The facts of a mark."""
    return [kind(**fact) for fact in json.loads(text)]
