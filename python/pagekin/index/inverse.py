"""From H to I, a shard at a time: `inverse` names the pages by the values of their sketches.

Pages without terms, and those with fewer inlinks than the strategy asks for, are left out.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import array
from pagekin.index.shards import ShardFiles
from pagekin.index.table import matrix_column
from pagekin.strategy import Sketch

__all__ = ["ShardInverse", "position_steps"]

STEP = 16
"""Positions taken together: the values of sixteen lie side by side in one line of the cache."""


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions, a few at a time: first and end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInverse:
    """The inverse of one shard, made of the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._files = ShardFiles(folder, shard)
        self._named = self._files.named(sketch.min_inlinks)
        self._rows = array(np.flatnonzero(self._named).astype(np.uint32))

    def batches(self, positions: tuple[int, int]) -> list[pa.RecordBatch]:
        """The batches of some positions."""
        return [_core.invert(array(values), self._rows) for values in self._values(positions)]

    def _values(self, positions: tuple[int, int]) -> "np.ndarray[Any, np.dtype[np.uint32]]":
        """The values of the named rows, a row a position."""
        first, end = positions
        values = np.empty((end - first, len(self._rows)), np.uint32)
        row = place = 0
        for batch in self._files.read("sketches"):
            named = self._named[row : row + batch.num_rows]
            found = matrix_column(batch, "sketch")[named, first:end]
            values[:, place : place + len(found)] = found.T
            row, place = row + batch.num_rows, place + len(found)
        return values
