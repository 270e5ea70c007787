"""Inverted lists of a shard: sketches by position and value, weighed bags by term.

From H to I: the table `inverse` names the pages by the values of their sketches. From bags to
weighted postings: the table `holders`, which a small index has, names for each term the pages whose
bags hold it. Pages without terms, and those with fewer inlinks than the strategy asks for, are left
out. Terms are taken range by range, so that memory is bounded; where they are cut does not show in
the table.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import array, numbers
from pagekin.index.mapped import batches_in, mapped_batches
from pagekin.index.schema import file_name
from pagekin.index.table import list_column, matrix_column
from pagekin.strategy import Sketch

__all__ = [
    "Named",
    "ShardFiles",
    "ShardInvertedSketches",
    "ShardWeightedPostings",
    "position_steps",
]

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


STEP = 16
"""Positions taken together: the values of sixteen lie side by side in one line of the cache."""


def position_steps(positions: int) -> list[tuple[int, int]]:
    """All positions, a few at a time: first and end."""
    return [(first, min(first + STEP, positions)) for first in range(0, positions, STEP)]


class ShardInvertedSketches:
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


RANGE = 1 << 22
"""A range has about this many holders, of sixteen bytes each while they are gathered."""
_FIRST = 8
"""So many batches of bags tell how terms lie."""
_BITS = 12
"""Ranges are cut where so many leading bits of a term change."""


class ShardWeightedPostings:
    """The holders of the terms of one shard, made of the tables in a folder."""

    def __init__(self, folder: Path, shard: int, sketch: Sketch) -> None:
        self._files = ShardFiles(folder, shard)
        self._named = self._files.named(sketch.min_inlinks)

    def ranges(self) -> list[tuple[int, int]]:
        """The first and the last term of each range, in order.

        Bags are in order of hashes, so how the terms of the first lie is how those of all do.
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
        builder = _core.WeightedPostingsBuilder(*terms)
        row = 0
        for batch in self._files.read("bags"):
            builder.add(batch, self._named[row : row + batch.num_rows].tolist())
            row += batch.num_rows
        return builder.batch()
