"""One table of an index, memory-mapped and sorted by its first column."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.errors import IndexCorrupt

__all__ = ["SortedTable"]


class SortedTable:
    """The shards of a table as one sequence of batches, in order of the first column."""

    def __init__(self, paths: list[Path]) -> None:
        self._files: list[pa.ipc.RecordBatchFileReader] = []
        self._starts = [0]
        for path in paths:
            try:
                reader = pa.ipc.open_file(pa.memory_map(str(path)))
            except (OSError, pa.ArrowInvalid) as error:
                raise IndexCorrupt(
                    f"the table cannot be opened ({error})",
                    path=path,
                    advice="build the index again",
                ) from error
            self._files.append(reader)
            self._starts.append(self._starts[-1] + reader.num_record_batches)

    def find(self, key: int) -> dict[str, Any] | None:
        """The first row with this key, as plain values."""
        batch, row = self._locate(key)
        if batch is None or batch.column(0)[row].as_py() != key:
            return None
        return {name: batch.column(at)[row].as_py() for at, name in enumerate(batch.schema.names)}

    def find_all(self, key: int, most: int) -> list[dict[str, Any]]:
        """The first `most` rows with this key."""
        number, row = self._first_at_least(key)
        rows: list[dict[str, Any]] = []
        while number < self._starts[-1] and len(rows) < most:
            batch = self._batch(number)
            keys = batch.column(0).to_numpy()
            end = int(np.searchsorted(keys, np.uint64(key), side="right"))
            rows += batch.slice(row, min(end, row + most - len(rows)) - row).to_pylist()
            if end < len(keys):
                break
            number, row = number + 1, 0
        return rows

    def _locate(self, key: int) -> tuple[pa.RecordBatch | None, int]:
        number, row = self._first_at_least(key)
        return (self._batch(number), row) if number < self._starts[-1] else (None, 0)

    def _first_at_least(self, key: int) -> tuple[int, int]:
        """Batch and row of the first key that is not below this one."""
        low, high = 0, self._starts[-1]
        while low < high:
            middle = (low + high) // 2
            keys = self._batch(middle).column(0)
            if keys[len(keys) - 1].as_py() < key:
                low = middle + 1
            else:
                high = middle
        if low == self._starts[-1]:
            return low, 0
        found = np.searchsorted(self._batch(low).column(0).to_numpy(), np.uint64(key))
        return low, int(found)

    def _batch(self, number: int) -> pa.RecordBatch:
        file = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self._files[file].get_batch(number - self._starts[file])
