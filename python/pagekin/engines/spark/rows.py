"""Small facts that tasks tell the driver, as rows of Spark and of a stage's mark."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, TypeVar

import pyarrow as pa

__all__ = ["Count", "Fact", "TableFile", "batch_of", "from_json", "to_json"]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something a part has."""

    what: str
    part: int
    count: int
    COLUMNS: ClassVar = "what string, part long, count long"


@dataclass(frozen=True, slots=True)
class TableFile:
    """A finished file of the index."""

    name: str
    bytes: int
    xxh3: str
    COLUMNS: ClassVar = "name string, bytes long, xxh3 string"


Fact = TypeVar("Fact", Count, TableFile)


def batch_of(facts: Sequence[Fact]) -> pa.RecordBatch:
    """The facts, of which there are some, as rows."""
    return pa.RecordBatch.from_pylist([asdict(fact) for fact in facts])


def to_json(facts: Iterable[Fact]) -> bytes:
    """The facts as a mark holds them."""
    return json.dumps([asdict(fact) for fact in facts], indent=0).encode()


def from_json(text: bytes, kind: type[Fact]) -> list[Fact]:
    """The facts of a mark."""
    return [kind(**fact) for fact in json.loads(text)]
