"""Candidate generation: pages with the same value at the same position of their sketches.

    H -> (position, value) of every page ==shuffle==> lists, in order -> blocks of at most WIDTH

A task never holds a whole list of pages with the same value: it reads the lists in order, `WIDTH`
pages at a time. A longer list is cut into blocks. Its pages are ordered by their values at the next
positions, so pages that agree there too are in the same block; two very similar pages may be
separated in one list, but are together in another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.work_folder import numbers
from pagekin.index import IndexReader
from pagekin.index.tables.mapped import mapped_batches
from pagekin.index.tables.schema import BATCH_ROWS
from pagekin.index.tables.sorted import matrix_column, spans

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["WIDTH", "meetings"]

WIDTH = 128
"""Maximum number of pages of a list that become candidates of each other."""
SLICES = 16
"""Number of tasks that read a shard."""
_KEYS = "key long, rest long, place long, listed boolean"


def meetings(spark: "SparkSession", index: Path, shards: int, parts: int) -> "DataFrame":
    """For every page and position (place, others): the pages of its block, including itself."""
    slices = spark.range(0, shards * SLICES, 1, shards * SLICES)
    keys = slices.mapInArrow(task(_keys, index), _KEYS)
    lists = keys.repartition(parts, "key").sortWithinPartitions("key", "rest", "place")
    return lists.mapInArrow(task(_meet), "place long, others array<long>")


def _keys(index: Path, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A row for each page and position. A place is a shard (the upper half) and a row."""
    opened = IndexReader(index)
    sketch, is_small = opened.strategy.sketch, opened.manifest.has_holders
    name = "bags" if is_small else "sketches"
    table = opened.tables[name]
    for slice_number in numbers(batches):
        shard, piece = divmod(slice_number, SLICES)
        pages = mapped_batches(opened.files["pages"][shard].path)
        inlinks = np.concatenate([batch.column("inlinks").to_numpy() for batch in pages])
        for place, number in [*enumerate(table.file_range(shard))][piece::SLICES]:
            batch = table.batch(number)
            if is_small:
                batch = _core.sketch(batch, sketch.positions, sketch.seed)
            first = place * BATCH_ROWS[name]
            listed = inlinks[first : first + batch.num_rows] >= sketch.min_inlinks
            yield from _rows(matrix_column(batch, "sketch"), shard << 32 | first, listed)


def _rows(sketches: Numbers, first: int, listed: Numbers) -> Iterator[pa.RecordBatch]:
    """The rows of pages that have a bag, a few positions at a time."""
    sketched = np.flatnonzero(sketches.any(axis=1))
    values = sketches[sketched].astype(np.int64)
    positions = values.shape[1]
    for position in range(positions):
        near, far = (values[:, (position + step) % positions] for step in (1, 2))
        columns = [
            pa.array(position << 32 | values[:, position]),
            pa.array(near << 31 ^ far),
            pa.array(first + sketched),
            pa.array(listed[sketched]),
        ]
        yield pa.RecordBatch.from_arrays(columns, names=["key", "rest", "place", "listed"])


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows in order of their keys."""

    key: Numbers
    place: Numbers
    listed: Numbers

    def __getitem__(self, rows: slice) -> "_Block":
        return _Block(self.key[rows], self.place[rows], self.listed[rows])


def _meet(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    empty = np.empty(0, np.int64)
    held = _Block(empty, empty, np.empty(0, np.bool_))
    for batch in batches:
        rows = _join(held, batch)
        starts = _starts(rows.key)
        # The last block may go on in the next batch.
        held = rows[slice(int(starts[-1]), None)]
        yield from _meeting_rows(rows[slice(0, int(starts[-1]))], starts[:-1])
    yield from _meeting_rows(held, np.zeros(min(len(held.key), 1), np.int64))


def _join(held: _Block, batch: pa.RecordBatch) -> _Block:
    columns = [batch.column(name).to_numpy(False) for name in ("key", "place", "listed")]
    before = (held.key, held.place, held.listed)
    return _Block(*(np.concatenate(pair) for pair in zip(before, columns, strict=True)))


def _starts(key: Numbers) -> Numbers:
    """Where blocks begin: at each new key, and in a long list at every `WIDTH` rows."""
    lists = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    within = np.arange(len(key)) - np.repeat(lists, np.diff(np.append(lists, len(key))))
    starts: Numbers = np.flatnonzero(within % WIDTH == 0)
    return starts


def _meeting_rows(rows: _Block, starts: Numbers) -> Iterator[pa.RecordBatch]:
    """The pages of each block, for each of them."""
    ends = np.append(starts[1:], len(rows.key)).astype(np.int64)
    sizes = ends - starts
    members = np.repeat(np.arange(len(starts)), sizes)
    asking = np.flatnonzero(sizes[members] > 1)
    if not len(asking):
        return
    first, end = starts[members[asking]], ends[members[asking]]
    others = spans(first, end)
    kept = rows.listed[others]
    counts = np.add.reduceat(kept, np.concatenate(([0], np.cumsum(end - first)[:-1])))
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    lists = _lists(pa.array(offsets), pa.array(rows.place[others[kept]]))
    columns = [pa.array(rows.place[asking]), lists]
    yield pa.RecordBatch.from_arrays(columns, names=["place", "others"])


def _lists(offsets: Any, values: Any) -> "pa.Array[Any]":
    return pa.ListArray.from_arrays(offsets, values)
