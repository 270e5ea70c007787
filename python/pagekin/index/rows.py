"""Access to a table by row number, for columns of numbers and of lists of numbers.

Only the requested batches are mapped, and only the result is copied.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.index.table import SortedTable

__all__ = ["Numbers", "TableRows", "spans"]

Numbers = np.ndarray[Any, np.dtype[Any]]


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
        numbers = self._batch_of(rows)
        for number in np.unique(numbers).tolist():
            where = numbers == number
            yield number, rows[where].astype(np.int64) - self._starts[number], where

    def _batch_of(self, rows: Numbers) -> Numbers:
        numbers: Numbers = np.searchsorted(self._starts, rows, side="right") - 1
        return numbers

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
    numbers: Numbers = np.arange(int(sizes.sum())) + shifts
    return numbers
