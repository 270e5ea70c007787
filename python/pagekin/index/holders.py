"""From bags to holders, a shard at a time: for each term the pages whose bags hold it.

A small index has them. They name the pages that `inverse` names. Terms are taken range by range,
so that memory is bounded; where they are cut does not show in the table.
"""

import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import numbers
from pagekin.index.shards import ShardFiles
from pagekin.index.table import list_column
from pagekin.strategy import Sketch

__all__ = ["ShardHolders"]

RANGE = 1 << 22
"""A range has about this many holders, of sixteen bytes each while they are gathered."""
_FIRST = 8
"""So many batches of bags tell how terms lie."""
_BITS = 12
"""Ranges are cut where so many leading bits of a term change."""


class ShardHolders:
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
        holders = _core.Holders(*terms)
        row = 0
        for batch in self._files.read("bags"):
            holders.add(batch, self._named[row : row + batch.num_rows].tolist())
            row += batch.num_rows
        return holders.batch()
