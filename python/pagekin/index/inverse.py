"""From H to I, a shard at a time: `inverse` names the pages by the values of their sketches.

Pages without terms, and those with fewer inlinks than the strategy asks for, are left out.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.index.table import list_column, matrix_column
from pagekin.index.tables import file_name
from pagekin.strategy import Sketch

__all__ = ["ShardInverse", "position_steps"]

STEP = 16
"""Positions taken together: the values of sixteen lie side by side in one line of the cache."""

Named = np.ndarray[tuple[int], np.dtype[np.bool_]]


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions, a few at a time: first and end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInverse:
    """The inverse of one shard, made of the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._folder = folder
        self._shard = shard
        self._named = self._candidates(sketch.min_inlinks)
        self._rows = pa.array(np.flatnonzero(self._named), pa.uint32())

    def batches(self, positions: tuple[int, int]) -> list[pa.RecordBatch]:
        """The batches of some positions."""
        return [_core.invert(pa.array(values), self._rows) for values in self._values(positions)]

    def _values(self, positions: tuple[int, int]) -> "np.ndarray[Any, np.dtype[np.uint32]]":
        """The values of the named rows, a row a position.

        Sketches are read and not mapped: their pages would all stay in memory until the end.
        """
        first, end = positions
        values = np.empty((end - first, len(self._rows)), np.uint32)
        row = place = 0
        with pa.OSFile(str(self._path("sketches")), "rb") as file:
            for batch in _batches(file):
                named = self._named[row : row + batch.num_rows]
                found = matrix_column(batch, "sketch")[named, first:end]
                values[:, place : place + len(found)] = found.T
                row, place = row + batch.num_rows, place + len(found)
        return values

    def _candidates(self, min_inlinks: int) -> Named:
        """Which rows a sketch may name."""
        named = [np.diff(list_column(batch, "terms").offsets) > 0 for batch in self._mapped("bags")]
        if min_inlinks:
            pages = self._mapped("pages")
            linked = [batch.column("inlinks").to_numpy() >= min_inlinks for batch in pages]
            return _joined(named) & _joined(linked)
        return _joined(named)

    def _mapped(self, table: str) -> Iterator[pa.RecordBatch]:
        return _batches(pa.memory_map(str(self._path(table))))

    def _path(self, table: str) -> Path:
        return self._folder / file_name(table, self._shard)


def _batches(file: pa.NativeFile) -> Iterator[pa.RecordBatch]:
    reader = pa.ipc.open_file(file)
    return (reader.get_batch(number) for number in range(reader.num_record_batches))


def _joined(parts: list[Named]) -> Named:
    return np.concatenate([np.zeros(0, np.bool_), *parts])
