"""From H to I, a shard at a time: `inverse` names the pages by the values of their sketches.

Pages without terms, and those with fewer inlinks than the strategy asks for, are left out.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.index.table import list_column, mapped
from pagekin.index.tables import file_name
from pagekin.strategy import Sketch

__all__ = ["ShardInverse", "position_steps"]

STEP = 16
"""Positions sorted together: the values of sixteen lie side by side in one line of the cache."""


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions, a few at a time: first and end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInverse:
    """The inverse of one shard, made of the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._folder = folder
        self._shard = shard
        self._rows = pa.array(self._candidates(sketch.min_inlinks), pa.uint32())

    def batches(self, positions: tuple[int, int]) -> list[pa.RecordBatch]:
        """The batches of some positions."""
        path = self._path("sketches")
        return _core.invert((path.name, mapped(path)), self._rows, positions)

    def _candidates(self, min_inlinks: int) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
        """The rows of pages that a sketch may name."""
        named = [np.diff(list_column(batch, "terms").offsets) > 0 for batch in self._read("bags")]
        if min_inlinks:
            pages = self._read("pages")
            linked = [batch.column("inlinks").to_numpy() >= min_inlinks for batch in pages]
            return np.flatnonzero(_joined(named) & _joined(linked))
        return np.flatnonzero(_joined(named))

    def _read(self, table: str) -> Iterator[pa.RecordBatch]:
        reader = pa.ipc.open_file(pa.memory_map(str(self._path(table))))
        return (reader.get_batch(number) for number in range(reader.num_record_batches))

    def _path(self, table: str) -> Path:
        return self._folder / file_name(table, self._shard)


def _joined(
    parts: "list[np.ndarray[tuple[int], np.dtype[np.bool_]]]",
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.concatenate([np.zeros(0, np.bool_), *parts])
