"""Checksums of the files of an index, computed beside the writing of others.

A file that is complete is sent on its way to the disk at the same time, so that publishing, which
sees to it that all of them are there, does not wait long. The table `sums` of a shard has a
checksum for each block of 4,096 bytes of each other file: with them damage is met where it is read,
and an index opens without reading it.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import lists
from pagekin.files import synced
from pagekin.index.mapped import corrupt, mapped, table_reader, unreadable
from pagekin.index.schema import CHECKSUMMED, SUMS

__all__ = ["ChecksumPool", "checksum_pool", "read_sums", "sums_batch"]


def sums_batch(sums: Mapping[str, pa.UInt32Array]) -> pa.RecordBatch:
    """The one row of the table."""
    columns = [lists(np.array([0, len(sums[table])]), sums[table]) for table in CHECKSUMMED]
    return pa.RecordBatch.from_arrays(columns, schema=SUMS)


def read_sums(path: Path) -> dict[str, pa.UInt32Array]:
    """The checksums of a shard's files, by table."""
    try:
        reader = table_reader(mapped(path))
        if reader.schema != SUMS or reader.num_record_batches != 1:
            raise corrupt(path, "the table has other columns than its format says")
        batch = reader.get_batch(0)
        batch.validate(full=True)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise unreadable(path, "the table cannot be opened", error) from error
    if batch.num_rows != 1:
        raise corrupt(path, "the table has more than one row, or none")
    return {name: _first(batch.column(name)) for name in CHECKSUMMED}


def _first(column: "pa.Array[Any]") -> pa.UInt32Array:
    return cast("pa.UInt32Array", cast("pa.LargeListArray[Any]", column).flatten())


class ChecksumPool:
    """Files that are complete, on their way."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._begun: dict[Path, Future[_core.FileChecksums]] = {}

    def begin(self, path: Path) -> None:
        """Begin with a file that nobody writes to any more."""
        self._begun[path] = self._pool.submit(_checksums, path)

    def wait(self) -> None:
        """Wait for all files that were begun with."""
        for sums in self._begun.values():
            sums.result()

    def sums(self, path: Path) -> _core.FileChecksums:
        """The checksums of a file that was begun with."""
        return self._begun[path].result()


@contextmanager
def checksum_pool(threads: int) -> Iterator[ChecksumPool]:
    """Compute checksums in this many threads; nothing is read after the block is left."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield ChecksumPool(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _checksums(path: Path) -> _core.FileChecksums:
    sums = _core.checksums(path)
    synced(path)
    return sums
