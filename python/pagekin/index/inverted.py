"""Inverted lists of a shard: sketches by position and value, weighted bags by term.

The table `inverse` lists pages by the values of their sketches (H and I in the paper). The table
`holders`, which only a small index has, lists for each term the pages whose bags contain it, with
their weights: crawled pages and others apart. Pages without terms, and pages with fewer inlinks
than the strategy requires, are left out. Terms are processed in ranges to bound memory; the table
does not depend on the ranges.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import array
from pagekin.index.tables.shard import ShardFiles
from pagekin.index.tables.sorted import matrix_column
from pagekin.strategy import Sketch

__all__ = [
    "ShardInvertedSketches",
    "ShardWeightedPostings",
    "position_steps",
]

STEP = 16
"""Positions processed together: sixteen values share a cache line."""


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions in steps, each given by its first position and its end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInvertedSketches:
    """The inverted sketches of one shard."""

    def __init__(self, files: ShardFiles, sketch: Sketch) -> None:
        self._files = files
        self._listed = self._files.listed(sketch.min_inlinks)
        self._rows = array(np.flatnonzero(self._listed).astype(np.uint32))

    def batches(self, positions: tuple[int, int]) -> list[pa.RecordBatch]:
        """The batches of some positions."""
        return [_core.invert(array(values), self._rows) for values in self._values(positions)]

    def _values(self, positions: tuple[int, int]) -> "np.ndarray[Any, np.dtype[np.uint32]]":
        """The values of the listed rows, one row per position."""
        first, end = positions
        values = np.empty((end - first, len(self._rows)), np.uint32)
        row = place = 0
        for batch in self._files.read("sketches"):
            named = self._listed[row : row + batch.num_rows]
            found = matrix_column(batch, "sketch")[named, first:end]
            values[:, place : place + len(found)] = found.T
            row, place = row + batch.num_rows, place + len(found)
        return values


class ShardWeightedPostings:
    """The weighted postings of one shard."""

    def __init__(self, files: ShardFiles, sketch: Sketch) -> None:
        self._files = files
        self._listed = self._files.listed(sketch.min_inlinks)
        self._crawled = self._files.crawled()

    def ranges(self) -> list[tuple[int, int]]:
        """The first and the last term of each range, in order."""
        return self._files.term_ranges()

    def batch(self, terms: tuple[int, int]) -> pa.RecordBatch:
        """The rows of the table for the terms of a range."""
        crawled = int(self._crawled.sum())
        builder = _core.WeightedPostingsBuilder(*terms, crawled, len(self._crawled) - crawled)
        row = 0
        for batch in self._files.bags():
            end = row + batch.num_rows
            builder.add(batch, self._crawled[row:end].tolist(), self._listed[row:end].tolist())
            row = end
        return builder.batch()
