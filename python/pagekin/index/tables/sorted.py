"""One table of an index, memory-mapped, sorted by its first column, with access by row number.

Only the requested batches are mapped, and only the result is copied.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import Numbers, numbers
from pagekin.errors import IndexCorrupt
from pagekin.index.tables.mapped import MappedTable, corrupt, table_reader, unreadable
from pagekin.index.tables.packed import bag_packer, unpacked
from pagekin.index.tables.schema import COMPRESSED, STORED, table_of

__all__ = ["SortedTable", "TableRows", "list_column", "matrix_column", "spans"]


def list_column(batch: pa.RecordBatch, name: str) -> "pa.LargeListArray[Any]":
    """A column of lists, with its type."""
    return cast("pa.LargeListArray[Any]", batch.column(name))


def matrix_column(batch: pa.RecordBatch, name: str) -> "np.ndarray[Any, np.dtype[Any]]":
    """A column of lists of one length, as a matrix."""
    lists = cast("pa.FixedSizeListArray[Any, Any]", batch.column(name))
    return numbers(lists.flatten()).reshape(len(lists), -1)


class SortedTable:
    """The shards of a table as one sequence of batches, in order of the first column."""

    def __init__(
        self,
        files: Sequence[MappedTable],
        schema: pa.Schema,
        terms: "SortedTable | None" = None,
    ) -> None:
        """The table in these files, shard by shard; bags are packed by the terms of theirs."""
        self._schema = schema
        self._paths = [file.path for file in files]
        self._table = table_of(files[0].path) if files else ""
        self._verified: list[_core.VerifiedTable] = []
        self._files: list[pa.ipc.RecordBatchFileReader] = []
        self._starts = [0]
        self._sound: set[int] = set()
        self._known: dict[int, pa.RecordBatch] = {}
        self._terms = terms
        self._packers: dict[int, _core.BagPacker] = {}
        for file in files:
            verified, reader = _open(file, schema)
            self._verified.append(verified)
            self._files.append(reader)
            self._starts.append(self._starts[-1] + reader.num_record_batches)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Every batch in order, each verified first."""
        yield from map(self.batch, range(self.batch_count))

    def file_batches(self, file: int) -> Iterator[pa.RecordBatch]:
        """The batches of one shard, each verified first."""
        yield from map(self.batch, self.file_range(file))

    def file_range(self, file: int) -> range:
        """The numbers of the batches of one shard."""
        return range(self._starts[file], self._starts[file + 1])

    def find(self, key: int) -> dict[str, Any] | None:
        """The first row with this key, as plain values."""
        found = self.find_all(key, 1)
        return found[0] if found else None

    def find_all(self, key: int, most: int) -> list[dict[str, Any]]:
        """The first `most` rows with this key."""
        number, row = self._first_at_least(key)
        rows: list[dict[str, Any]] = []
        while number < self._starts[-1] and len(rows) < most:
            keys = self._keys(number)
            end = int(np.searchsorted(keys, np.uint64(key), side="right"))
            if end > row:
                rows += self._rows(number, row, min(end, row + most - len(rows)))
            if end < len(keys):
                break
            number, row = number + 1, 0
        return rows

    def scan(self, columns: list[str]) -> pa.Table:
        """These columns of all rows, in order of the first column."""
        batches = [batch.select(columns) for batch in self.batches()]
        kept = [self._schema.field(name) for name in columns]
        return pa.Table.from_batches(batches, schema=pa.schema(kept))

    def select(self, keys: "np.ndarray[Any, np.dtype[np.uint64]]") -> list[pa.RecordBatch]:
        """The rows with these keys, which must be sorted and present."""
        found, start = [], 0
        for number in range(self._starts[-1]):
            known = self._keys(number)
            end = int(np.searchsorted(keys, known[-1], side="right"))
            if end > start:
                rows = np.searchsorted(known, keys[start:end])
                found.append(self._plain(number, self._sound_batch(number).take(rows)))
            start = end
        return found

    def slices(self, key: int) -> Iterator[pa.RecordBatch]:
        """All rows with this key, as parts of batches."""
        number, row = self._first_at_least(key)
        while number < self._starts[-1]:
            keys = self._keys(number)
            end = int(np.searchsorted(keys, np.uint64(key), side="right"))
            if end > row:
                yield self._slice(number, row, end)
            if end < len(keys):
                break
            number, row = number + 1, 0

    def between(self, low: int, high: int) -> Iterator[pa.RecordBatch]:
        """All rows with a key from `low` up to, but not, `high`."""
        number, row = self._first_at_least(low)
        while number < self._starts[-1]:
            keys = self._keys(number)
            end = len(keys) if high > int(keys[-1]) else int(np.searchsorted(keys, np.uint64(high)))
            if end > row:
                yield self._slice(number, row, end)
            if end < len(keys):
                break
            number, row = number + 1, 0

    def batch_sizes(self) -> Iterator[int]:
        """The number of rows of each batch. Within a file, all but the last have the same."""
        for start, end in pairwise(self._starts):
            if end > start:
                yield from [self._sound_batch(start).num_rows] * (end - start - 1)
                yield self._sound_batch(end - 1).num_rows

    @property
    def batch_count(self) -> int:
        """The number of batches."""
        return self._starts[-1]

    def batch(self, number: int) -> pa.RecordBatch:
        """A verified batch. Lists that are packed are unpacked."""
        return self._plain(number, self._sound_batch(number))

    def _slice(self, number: int, start: int, end: int) -> pa.RecordBatch:
        """Some rows of a verified batch."""
        return self._plain(number, self._sound_batch(number).slice(start, end - start))

    def _plain(self, number: int, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Rows of a batch, their lists unpacked."""
        with self._reporting_damage(number):
            return unpacked(self._table, rows, self._packer(self._file(number)))

    def _packer(self, file: int) -> _core.BagPacker | None:
        """What unpacks the bags of a shard; none for other tables."""
        if self._terms is not None and file not in self._packers:
            self._packers[file] = bag_packer(self._terms.file_batches(file))
        return self._packers.get(file)

    def _sound_batch(self, number: int) -> pa.RecordBatch:
        """A verified batch as it is stored.

        Arrow trusts the offsets in a file, and a wrong one would crash the process.
        """
        with self._reporting_damage(number):
            batch = self._batch(number)
            if number not in self._sound:
                batch.validate(full=True)
                if any(map(_has_unexpected_null, batch.schema, batch.columns)):
                    raise corrupt(self._path(number), "a value is missing")
                self._sound.add(number)
            return batch

    def corrupt(self, what: str) -> IndexCorrupt:
        """The error for something wrong in the table's rows."""
        return corrupt(self._paths[0].parent, what)

    def _first_at_least(self, key: int) -> tuple[int, int]:
        """Batch and row of the first key that is at least this one (binary search)."""
        low, high = 0, self._starts[-1]
        while low < high:
            middle = (low + high) // 2
            if int(self._keys(middle)[-1]) < key:
                low = middle + 1
            else:
                high = middle
        if low == self._starts[-1]:
            return low, 0
        return low, int(np.searchsorted(self._keys(low), np.uint64(key)))

    def _keys(self, number: int) -> "np.ndarray[Any, np.dtype[np.uint64]]":
        """The first column of a batch, which must not be empty."""
        with self._reporting_damage(number):
            keys = self._batch(number).column(0)
            keys.validate()
            if keys.null_count or not len(keys):
                raise corrupt(self._path(number), "the table lacks keys")
            return numbers(keys)

    def _rows(self, number: int, start: int, end: int) -> list[dict[str, Any]]:
        """Rows of a batch as plain values."""
        with self._reporting_damage(number):
            return self._slice(number, start, end).to_pylist()

    def _batch(self, number: int) -> pa.RecordBatch:
        """A batch whose bytes match their checksums.

        Locating its columns takes time, so batches are cached.
        """
        if number not in self._known:
            file = self._file(number)
            place = number - self._starts[file]
            self._verified[file].verify(place)
            self._known[number] = self._files[file].get_batch(place)
        return self._known[number]

    def _file(self, number: int) -> int:
        return int(np.searchsorted(self._starts, number, side="right")) - 1

    def _path(self, number: int) -> Path:
        return self._paths[self._file(number)]

    @contextmanager
    def _reporting_damage(self, number: int) -> Iterator[None]:
        """Turn errors of Arrow into errors about the file."""
        try:
            yield
        except (OSError, ValueError, OverflowError, pa.ArrowException, _core.CoreError) as error:
            raise unreadable(self._path(number), "the table cannot be read", error) from error


def _open(
    file: MappedTable, schema: pa.Schema
) -> tuple[_core.VerifiedTable, pa.ipc.RecordBatchFileReader]:
    try:
        table = table_of(file.path)
        verified = _core.VerifiedTable(file.verified, compressed=table in COMPRESSED)
        reader = table_reader(file.content)
    except (OSError, ValueError, pa.ArrowException, _core.CoreError) as error:
        raise unreadable(file.path, "the table cannot be opened", error) from error
    if reader.schema != STORED.get(table, schema):
        raise corrupt(file.path, "the table has unexpected columns")
    return verified, reader


def _has_unexpected_null(field: "pa.Field[Any]", column: Any) -> bool:
    """Whether a value is missing that the columns of the table require, or an item of a list."""
    if column.null_count and not field.nullable:
        return True
    is_list = pa.types.is_large_list(field.type) or pa.types.is_fixed_size_list(field.type)
    return is_list and column.flatten().null_count > 0


class TableRows:
    """The rows of a table, from 0 on, through all its shards."""

    def __init__(self, table: SortedTable) -> None:
        self._table = table
        self._starts = np.cumsum([0, *table.batch_sizes()])
        self._views: dict[tuple[int, str], Numbers] = {}

    def __len__(self) -> int:
        return int(self._starts[-1])

    def row(self, number: int) -> dict[str, Any]:
        """One row as plain values."""
        batch, place, _ = next(self._parts(np.array([number])))
        return self._table.batch(batch).slice(int(place[0]), 1).to_pylist()[0]

    def take(self, column: str, rows: Numbers) -> Numbers:
        """The numbers of a column in these rows."""
        parts = list(self._parts(rows))
        found = [self._values(number, column)[places] for number, places, _ in parts]
        if len(parts) == 1:
            return found[0]
        taken = np.empty(len(rows), found[0].dtype if found else np.uint64)
        for (_, _, where), values in zip(parts, found, strict=True):
            taken[where] = values
        return taken

    def lists(self, column: str, rows: Numbers) -> tuple[Numbers, Numbers]:
        """The numbers of the lists in these rows, and for each number its position in `rows`."""
        owners, values = [np.empty(0, np.int64)], [np.empty(0, np.uint32)]
        for number, places, where in self._parts(rows):
            listed = self._list(number, column)
            offsets = listed.offsets.to_numpy()
            starts, ends = offsets[places], offsets[places + 1]
            owners.append(np.repeat(np.arange(len(rows))[where], ends - starts))
            values.append(listed.values.to_numpy()[spans(starts, ends)])
        return np.concatenate(owners), np.concatenate(values)

    def _parts(self, rows: Numbers) -> Iterator[tuple[int, Numbers, Any]]:
        """The rows by batch: its number, positions in the batch, and a selection of `rows`."""
        if not len(rows):
            return
        if int(rows.max()) >= len(self):
            raise self._table.corrupt("a row number is beyond its table")
        lowest, highest = self._batch_of(np.array([rows.min(), rows.max()])).tolist()
        if lowest == highest:
            yield lowest, rows.astype(np.int64) - self._starts[lowest], slice(None)
            return
        batches = self._batch_of(rows)
        for number in np.unique(batches).tolist():
            where = batches == number
            yield number, rows[where].astype(np.int64) - self._starts[number], where

    def _batch_of(self, rows: Numbers) -> Numbers:
        batches: Numbers = np.searchsorted(self._starts, rows, side="right") - 1
        return batches

    def _values(self, number: int, column: str) -> Numbers:
        if (number, column) not in self._views:
            self._views[number, column] = self._table.batch(number).column(column).to_numpy()
        return self._views[number, column]

    def _list(self, number: int, column: str) -> Any:
        array: pa.Array[Any] = self._table.batch(number).column(column)
        return array


def spans(starts: Numbers, ends: Numbers) -> Numbers:
    """All numbers from each start up to its end, one span after another."""
    sizes = ends - starts
    shifts = np.repeat(starts - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    places: Numbers = np.arange(int(sizes.sum())) + shifts
    return places
