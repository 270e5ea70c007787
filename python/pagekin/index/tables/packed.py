"""Tables whose lists are bit-packed in the files (docs/formats.md)."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.index.tables.mapped import mapped_batches
from pagekin.index.tables.schema import PACKED, table_of

__all__ = ["bag_packer", "packer_beside", "unpacked", "unpacked_batches"]


def bag_packer(terms: Iterator[pa.RecordBatch]) -> _core.BagPacker:
    """What packs and unpacks the bags of a shard with these rows of the table `terms`."""
    columns = [batch.column("term") for batch in terms]
    return _core.BagPacker(pa.concat_arrays(columns) if columns else pa.array([], pa.uint64()))


def packer_beside(path: Path) -> _core.BagPacker | None:
    """What packs and unpacks the bags in a file; none if its table has no bags."""
    if table_of(path) != "bags":
        return None
    return bag_packer(unpacked_batches(path.with_name(path.name.replace("bags", "terms"))))


def unpacked(
    table: str, rows: pa.RecordBatch, packer: _core.BagPacker | None = None
) -> pa.RecordBatch:
    """Rows of a table, their lists unpacked. Bags need the packer of their shard."""
    if packer is not None:
        return packer.unpack(rows)
    return _core.unpack(table, rows) if table in PACKED else rows


def unpacked_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of a table's file, one after another, their lists unpacked."""
    table, packer = table_of(path), packer_beside(path)
    for batch in mapped_batches(path):
        batch.validate(full=True)
        yield unpacked(table, batch, packer)
