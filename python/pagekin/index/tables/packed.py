"""Tables whose lists are bit-packed in the files (docs/formats.md)."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.index.tables.mapped import mapped_batches
from pagekin.index.tables.schema import PACKED, table_of

__all__ = ["unpacked", "unpacked_batches"]


def unpacked(table: str, rows: pa.RecordBatch) -> pa.RecordBatch:
    """Rows of a table, their lists unpacked."""
    return _core.unpack(table, rows) if table in PACKED else rows


def unpacked_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of a table's file, one after another, their lists unpacked."""
    table = table_of(path)
    for batch in mapped_batches(path):
        batch.validate(full=True)
        yield unpacked(table, batch)
