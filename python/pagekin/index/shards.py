"""Tables of a shard that is being made, read batch by batch."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.arrays import numbers
from pagekin.index.mapped import batches_in, mapped_batches
from pagekin.index.table import list_column
from pagekin.index.tables import file_name

__all__ = ["Named", "ShardFiles"]

Named = np.ndarray[tuple[int], np.dtype[np.bool_]]
"""Of each row whether it is named."""


class ShardFiles:
    """The files of one shard in a folder."""

    def __init__(self, folder: Path, shard: int) -> None:
        self._folder = folder
        self._shard = shard

    def read(self, table: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table, each in memory as long as it is used."""
        with pa.OSFile(str(self._path(table)), "rb") as file:
            yield from batches_in(file)

    def mapped(self, table: str) -> Iterator[pa.RecordBatch]:
        """The same, for whoever looks at little: what is looked at stays in memory."""
        return mapped_batches(self._path(table))

    def named(self, min_inlinks: int) -> Named:
        """The rows that can be found: those with terms and so many inlinks."""
        rows = [_filled(batch) for batch in self.mapped("bags")]
        if not min_inlinks:
            return _joined(rows)
        pages = self.mapped("pages")
        linked = [numbers(batch.column("inlinks")) >= min_inlinks for batch in pages]
        return _joined(rows) & _joined(linked)

    def _path(self, table: str) -> Path:
        return self._folder / file_name(table, self._shard)


def _filled(bags: pa.RecordBatch) -> Named:
    filled: Named = np.diff(numbers(list_column(bags, "terms").offsets)) > 0
    return filled


def _joined(parts: list[Named]) -> Named:
    return np.concatenate([np.zeros(0, np.bool_), *parts])
