"""Checksums of the files of an index, computed in the background while others are written.

A complete file is also synced to the disk in the background, so that publishing, which syncs all
files, does not wait long. The table `sums` of a shard has a checksum for each block of 4,096 bytes
of each other file: damage is detected where it is read, and an index opens without being read.
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
from pagekin.index.tables.mapped import corrupt, mapped, open_regular, table_reader, unreadable
from pagekin.index.tables.schema import CHECKSUMMED, SUMS
from pagekin.work.files import sync_file

__all__ = ["ChecksumPool", "checksum_of", "checksum_pool", "read_sums", "sums_batch"]


def sums_batch(sums: Mapping[str, pa.UInt32Array]) -> pa.RecordBatch:
    """The one row of the table."""
    columns = [lists(np.array([0, len(sums[table])]), sums[table]) for table in CHECKSUMMED]
    return pa.RecordBatch.from_arrays(columns, schema=SUMS)


def read_sums(path: Path) -> dict[str, pa.UInt32Array]:
    """The checksums of a shard's files, by table."""
    try:
        content = mapped(path)
        _core.VerifiedTable(_core.VerifiedFile(path.name, content, None)).verify_all()
        reader = table_reader(content)
        if reader.schema != SUMS or reader.num_record_batches != 1:
            raise corrupt(path, "the table has unexpected columns")
        batch = reader.get_batch(0)
        batch.validate(full=True)
    except (OSError, ValueError, pa.ArrowException, _core.CoreError) as error:
        raise unreadable(path, "the table cannot be opened", error) from error
    if batch.num_rows != 1:
        raise corrupt(path, "the table has more than one row, or none")
    return {name: _first(batch.column(name)) for name in CHECKSUMMED}


def _first(column: "pa.Array[Any]") -> pa.UInt32Array:
    return cast("pa.UInt32Array", cast("pa.LargeListArray[Any]", column).flatten())


class ChecksumPool:
    """Computes the checksums of complete files in the background."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._begun: dict[Path, Future[_core.FileChecksums]] = {}

    def begin(self, path: Path) -> None:
        """Start on a file that is complete."""
        self._begun[path] = self._pool.submit(_checksums, path)

    def wait(self) -> None:
        """Wait for all files that were started."""
        for sums in self._begun.values():
            sums.result()

    def sums(self, path: Path) -> _core.FileChecksums:
        """The checksums of a file that was started."""
        return self._begun[path].result()


@contextmanager
def checksum_pool(threads: int) -> Iterator[ChecksumPool]:
    """Compute checksums in this many threads; nothing is read after the block is left."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield ChecksumPool(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def checksum_of(path: Path) -> str:
    """The checksum of a whole regular file."""
    open_regular(path).close()
    return _core.checksums(path).whole


def _checksums(path: Path) -> _core.FileChecksums:
    sums = _core.checksums(path)
    sync_file(path)
    return sums
