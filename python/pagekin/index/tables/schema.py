"""The tables of an index: their columns, and the number of rows in a batch.

The batch size is part of the format, so the same crawl gives the same bytes however the build was
partitioned.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa

from pagekin import _core

__all__ = [
    "BATCH_ROWS",
    "CHECKSUMMED",
    "COMPRESSED",
    "PACKED",
    "STORED",
    "SUMS",
    "TABLES",
    "WEIGHED",
    "file_name",
    "schema_of",
    "stored_schema_of",
    "table_of",
]


def _schema(*fields: tuple[str, pa.DataType, bool]) -> pa.Schema:
    """A schema of (name, type, whether it may be null)."""
    made: list[pa.Field[Any]] = [pa.field(name, kind, nullable=null) for name, kind, null in fields]
    return pa.schema(made)


def _list_of(kind: pa.DataType) -> pa.DataType:
    return pa.large_list(pa.field("item", kind, nullable=False))


_LAYOUT = (
    ("since", pa.timestamp("s", tz="UTC"), True),
    ("body", pa.uint64(), False),
    ("canonical", pa.string(), False),
    ("title_words", pa.large_string(), False),
    ("links", pa.large_string(), False),
    ("anchors", pa.large_binary(), False),
    ("breaks", pa.large_binary(), False),
)
"""What pages are made again from, besides what other tables say of them."""

_SCHEMAS: dict[str, pa.Schema] = {
    "pages": _schema(
        ("id", pa.uint64(), False),
        ("url", pa.string(), False),
        ("site", pa.string(), False),
        ("title", pa.string(), True),
        ("crawled", pa.bool_(), False),
        ("inlinks", pa.uint32(), False),
        ("file", pa.string(), True),
        ("offset", pa.uint64(), True),
        ("date", pa.timestamp("s", tz="UTC"), True),
        ("length", pa.uint32(), False),
        ("variants", _list_of(pa.string()), False),
        ("language", pa.string(), True),
        ("digest", pa.uint64(), False),
    ),
    "aliases": _schema(("id", pa.uint64(), False), ("page", pa.uint64(), False)),
    "texts": _schema(
        ("id", pa.uint64(), False),
        ("text", pa.large_string(), False),
        ("templates", _list_of(pa.uint32()), False),
    ),
    "layouts": _schema(("id", pa.uint64(), False), *_LAYOUT),
    "standby": _schema(
        ("id", pa.uint64(), False),
        ("url", pa.string(), False),
        ("redirect", pa.bool_(), False),
        ("title", pa.string(), False),
        ("text", pa.large_string(), False),
        ("file", pa.string(), False),
        ("offset", pa.uint64(), False),
        ("date", pa.timestamp("s", tz="UTC"), True),
        ("language", pa.string(), True),
        *_LAYOUT,
    ),
    "links": _schema(
        ("target", pa.uint64(), False),
        ("source", pa.uint64(), False),
        ("from", pa.uint32(), False),
        ("first", pa.uint32(), False),
        ("last", pa.uint32(), False),
        ("to", pa.uint32(), False),
        ("template", pa.uint8(), False),
    ),
    "captures": _schema(
        ("id", pa.uint64(), False),
        ("url", pa.string(), False),
        ("date", pa.timestamp("s", tz="UTC"), True),
        ("kind", pa.string(), False),
        ("status", pa.uint16(), True),
        ("media", pa.string(), True),
        ("digest", pa.string(), True),
        ("length", pa.uint64(), True),
        ("file", pa.string(), False),
        ("offset", pa.uint64(), False),
    ),
    "bags": _schema(
        ("id", pa.uint64(), False),
        ("terms", _list_of(pa.uint64()), False),
        ("weights", _list_of(pa.uint16()), False),
    ),
    "terms": _schema(("term", pa.uint64(), False)),
    "lexicon": _schema(
        ("term", pa.uint64(), False),
        ("word", pa.string(), False),
        ("frequency", pa.uint32(), False),
    ),
    "holders": _schema(
        ("term", pa.uint64(), False),
        ("crawled", _list_of(pa.uint32()), False),
        ("crawled_weights", _list_of(pa.uint16()), False),
        ("uncrawled", _list_of(pa.uint32()), False),
        ("uncrawled_weights", _list_of(pa.uint16()), False),
    ),
    "loadings": _schema(
        ("term", pa.uint64(), False),
        ("loadings", _list_of(pa.int16()), False),
        ("topics", _list_of(pa.int16()), False),
    ),
    "concepts": _schema(
        ("term", pa.uint64(), False),
        ("concept", pa.uint32(), False),
        ("words", _list_of(pa.string()), False),
    ),
    "inverse": _schema(("value", pa.uint32(), False), ("row", pa.uint32(), False)),
    "ranks": _schema(
        ("id", pa.uint64(), False),
        ("site", pa.uint32(), False),
        ("rank", pa.float64(), False),
    ),
    "arcs": _schema(("id", pa.uint64(), False), ("targets", _list_of(pa.uint32()), False)),
    "sites": _schema(
        ("id", pa.uint64(), False),
        ("site", pa.string(), False),
        ("pages", pa.uint32(), False),
        ("urls", pa.uint32(), False),
        ("root", pa.uint64(), True),
        ("rank", pa.float64(), False),
    ),
    "postings": _schema(
        ("term", pa.uint64(), False),
        ("pages", _list_of(pa.uint32()), False),
        ("content", _list_of(pa.uint32()), False),
        ("anchor", _list_of(pa.uint32()), False),
    ),
}

WEIGHED = "weighed"
"""The table of bags while a build still lacks the terms to pack them by."""

PACKED: dict[str, pa.Schema] = {
    "holders": _schema(
        ("term", pa.uint64(), False),
        ("crawled", pa.large_binary(), False),
        ("uncrawled", pa.large_binary(), False),
    ),
    "postings": _schema(("term", pa.uint64(), False), ("postings", pa.large_binary(), False)),
}
"""Tables whose lists are bit-packed in the files row by row, and their columns there."""

STORED = {**PACKED, "bags": _schema(("id", pa.uint64(), False), ("bag", pa.large_binary(), False))}
"""Tables that have other columns in their files: bags are packed by the terms of their shard."""

BATCH_ROWS = {
    "pages": 8192,
    "aliases": 65536,
    "texts": _core.TEXT_ROWS,
    "layouts": 64,
    "standby": 4,
    "links": 65536,
    "captures": 8192,
    "bags": 1024,
    "terms": 65536,
    WEIGHED: 512,
    "lexicon": 65536,
    "loadings": 4096,
    "concepts": 1024,
    "sketches": 8192,
    "ranks": 1 << 20,
    "arcs": 65536,
    "sites": 8192,
    "postings": 1024,
    "holders": 1024,
}
"""Rows per batch. In `inverse` a batch is one position, in `sums` the only row.

Rows from two parts of a build that share a batch are copied, so tables of large rows have small
batches.
"""

COMPRESSED = {"texts": 3, "layouts": 5, "standby": 3}
"""Tables whose batches are compressed, and the level of Zstandard."""

CHECKSUMMED = (*_SCHEMAS, "sketches")
"""Every table whose checksums are in `sums`."""

SUMS = _schema(*((table, _list_of(pa.uint32()), False) for table in CHECKSUMMED))

TABLES = (*CHECKSUMMED, "sums")
"""Every table of an index."""


def file_name(table: str, shard: int) -> str:
    """The file of a shard of a table."""
    return f"{table}-{shard:05}.arrow"


def table_of(path: Path) -> str:
    """The table of a file."""
    return path.stem.partition("-")[0]


def schema_of(table: str, positions: int) -> pa.Schema:
    """The columns of a table, in an index whose sketches have this many positions."""
    if table == "sketches":
        item = pa.field("item", pa.uint32(), nullable=False)
        return _schema(("id", pa.uint64(), False), ("sketch", pa.list_(item, positions), False))
    if table == "sums":
        return SUMS
    return _SCHEMAS["bags" if table == WEIGHED else table]


def stored_schema_of(table: str, positions: int) -> pa.Schema:
    """The columns of a table in its files."""
    return STORED.get(table) or schema_of(table, positions)
