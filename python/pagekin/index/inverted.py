"""Inverted lists of a shard: sketches by position and value, weighted bags by term.

The table `inverse` lists pages by the values of their sketches (H and I in the paper). The table
`holders`, which only a small index has, lists for each term the pages whose bags contain it, with
their weights: crawled pages and others apart. Pages without terms, and pages with fewer inlinks
than the strategy requires, are left out. Terms are processed in ranges to bound memory; the table
does not depend on the ranges.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import array, flags, numbers
from pagekin.index.tables.mapped import batches_in, mapped_batches
from pagekin.index.tables.schema import file_name
from pagekin.index.tables.sorted import list_column, matrix_column
from pagekin.strategy import Sketch

__all__ = [
    "RowMask",
    "ShardFiles",
    "ShardInvertedSketches",
    "ShardWeightedPostings",
    "position_steps",
]

RowMask = np.ndarray[tuple[int], np.dtype[np.bool_]]
"""For each row, whether the inverted lists contain it."""


class ShardFiles:
    """The files of one shard in a folder."""

    def __init__(self, folder: Path, shard: int) -> None:
        self._folder = folder
        self._shard = shard

    def read(self, table: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table, read one at a time."""
        with pa.OSFile(str(self._path(table)), "rb") as file:
            yield from batches_in(file)

    def mapped(self, table: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table, memory-mapped: better if only few of its bytes are needed."""
        return mapped_batches(self._path(table))

    def named(self, min_inlinks: int) -> RowMask:
        """The rows that have terms and at least `min_inlinks` inlinks."""
        rows = [_rows_with_terms(batch) for batch in self.mapped("bags")]
        if not min_inlinks:
            return _join(rows)
        pages = self.mapped("pages")
        linked = [numbers(batch.column("inlinks")) >= min_inlinks for batch in pages]
        return _join(rows) & _join(linked)

    def crawled(self) -> RowMask:
        """The rows of crawled pages."""
        return _join([flags(batch.column("crawled")) for batch in self.mapped("pages")])

    def _path(self, table: str) -> Path:
        return self._folder / file_name(table, self._shard)


def _rows_with_terms(bags: pa.RecordBatch) -> RowMask:
    filled: RowMask = np.diff(numbers(list_column(bags, "terms").offsets)) > 0
    return filled


def _join(parts: list[RowMask]) -> RowMask:
    return np.concatenate([np.zeros(0, np.bool_), *parts])


STEP = 16
"""Positions processed together: sixteen values share a cache line."""


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions in steps, each given by its first position and its end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInvertedSketches:
    """The inverted sketches of one shard, from the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._files = ShardFiles(folder, shard)
        self._named = self._files.named(sketch.min_inlinks)
        self._rows = array(np.flatnonzero(self._named).astype(np.uint32))

    def batches(self, positions: tuple[int, int]) -> list[pa.RecordBatch]:
        """The batches of some positions."""
        return [_core.invert(array(values), self._rows) for values in self._values(positions)]

    def _values(self, positions: tuple[int, int]) -> "np.ndarray[Any, np.dtype[np.uint32]]":
        """The values of the listed rows, one row per position."""
        first, end = positions
        values = np.empty((end - first, len(self._rows)), np.uint32)
        row = place = 0
        for batch in self._files.read("sketches"):
            named = self._named[row : row + batch.num_rows]
            found = matrix_column(batch, "sketch")[named, first:end]
            values[:, place : place + len(found)] = found.T
            row, place = row + batch.num_rows, place + len(found)
        return values


RANGE = 1 << 22
"""Approximate number of postings in a range; each takes sixteen bytes while building."""
_FIRST = 8
"""Batches of bags from which the distribution of terms is estimated."""
_BITS = 12
"""Ranges are cut where these leading bits of a term change."""


class ShardWeightedPostings:
    """The weighted postings of one shard, from the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._files = ShardFiles(folder, shard)
        self._named = self._files.named(sketch.min_inlinks)
        self._crawled = self._files.crawled()

    def ranges(self) -> list[tuple[int, int]]:
        """The first and the last term of each range, in order.

        Bags are in order of hashes, so the first ones are a sample of all.
        """
        counts = np.zeros(1 << _BITS)
        for batch in itertools.islice(self._files.mapped("bags"), _FIRST):
            leading = numbers(list_column(batch, "terms").flatten()) >> np.uint64(64 - _BITS)
            counts += np.bincount(leading.astype(np.int64), minlength=1 << _BITS)
        sizes = [len(list_column(batch, "terms").values) for batch in self._files.mapped("bags")]
        counts *= sum(sizes) / max(counts.sum(), 1)
        number = np.maximum(np.cumsum(counts) - 1, 0) // RANGE
        starts = np.flatnonzero(np.diff(number, prepend=-1))
        ends = [*starts[1:].tolist(), 1 << _BITS]
        shift = 64 - _BITS
        return [
            (first << shift, (end << shift) - 1)
            for first, end in zip(starts.tolist(), ends, strict=True)
        ]

    def batch(self, terms: tuple[int, int]) -> pa.RecordBatch:
        """The rows of the table for the terms of a range."""
        crawled = int(self._crawled.sum())
        builder = _core.WeightedPostingsBuilder(*terms, crawled, len(self._crawled) - crawled)
        row = 0
        for batch in self._files.read("bags"):
            end = row + batch.num_rows
            builder.add(batch, self._crawled[row:end].tolist(), self._named[row:end].tolist())
            row = end
        return builder.batch()
