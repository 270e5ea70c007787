"""The files of one shard as a build and a check read them: rows, masks of rows, ranges of terms."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import flags, numbers
from pagekin.index.tables.mapped import batches_in, mapped_batches
from pagekin.index.tables.packed import unpacked_batches
from pagekin.index.tables.schema import WEIGHED, file_name
from pagekin.index.tables.sorted import list_column

__all__ = ["RowMask", "ShardFiles"]

RowMask = np.ndarray[tuple[int], np.dtype[np.bool_]]
"""For each row, whether the inverted lists contain it."""

RANGE = 1 << 22
"""Approximate number of postings in a range; each takes sixteen bytes while building."""
_FIRST = 8
"""Batches of bags from which the distribution of terms is estimated."""
_BITS = 12
"""Ranges are cut where these leading bits of a term change."""


class ShardFiles:
    """The files of one shard in a folder. While it is built, its bags are not packed yet."""

    def __init__(self, folder: Path, shard: int, *, building: bool = False) -> None:
        self._folder = folder
        self._shard = shard
        self._building = building

    def read(self, table: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table, read one at a time."""
        with pa.OSFile(str(self._path(table)), "rb") as file:
            yield from batches_in(file)

    def mapped(self, table: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table, memory-mapped: better if only few of its bytes are needed."""
        return mapped_batches(self._path(table))

    def bags(self) -> Iterator[pa.RecordBatch]:
        """The bags, as lists of terms and weights."""
        return self.mapped(WEIGHED) if self._building else unpacked_batches(self._path("bags"))

    def listed(self, min_inlinks: int) -> RowMask:
        """The rows that have terms and at least `min_inlinks` inlinks."""
        rows = [_rows_with_terms(batch) for batch in self.bags()]
        if not min_inlinks:
            return _join(rows)
        pages = self.mapped("pages")
        linked = [numbers(batch.column("inlinks")) >= min_inlinks for batch in pages]
        return _join(rows) & _join(linked)

    def crawled(self) -> RowMask:
        """The rows of crawled pages."""
        return _join([flags(batch.column("crawled")) for batch in self.mapped("pages")])

    def term_ranges(self) -> list[tuple[int, int]]:
        """The first and the last term of ranges with about as many entries of bags, in order.

        Bags are in order of hashes, so the first ones are a sample of all.
        """
        counts = np.zeros(1 << _BITS)
        for batch in itertools.islice(self.bags(), _FIRST):
            leading = numbers(list_column(batch, "terms").flatten()) >> np.uint64(64 - _BITS)
            counts += np.bincount(leading.astype(np.int64), minlength=1 << _BITS)
        sizes = [len(list_column(batch, "terms").values) for batch in self.bags()]
        counts *= sum(sizes) / max(counts.sum(), 1)
        number = np.maximum(np.cumsum(counts) - 1, 0) // RANGE
        starts = np.flatnonzero(np.diff(number, prepend=-1))
        ends = [*starts[1:].tolist(), 1 << _BITS]
        shift = 64 - _BITS
        return [
            (first << shift, (end << shift) - 1)
            for first, end in zip(starts.tolist(), ends, strict=True)
        ]

    def terms(self, limits: tuple[int, int]) -> pa.RecordBatch:
        """The rows of the table `terms` in a range."""
        collector = _core.TermCollector(*limits)
        for batch in self.bags():
            collector.add(batch)
        return pa.RecordBatch.from_arrays([collector.terms()], names=["term"])

    def _path(self, table: str) -> Path:
        return self._folder / file_name(table, self._shard)


def _rows_with_terms(bags: pa.RecordBatch) -> RowMask:
    filled: RowMask = np.diff(numbers(list_column(bags, "terms").offsets)) > 0
    return filled


def _join(parts: list[RowMask]) -> RowMask:
    return np.concatenate([np.zeros(0, np.bool_), *parts])
