"""Checksums of the files of a draft, computed beside the writing of others.

A file that is complete is sent on its way to the disk at the same time, so that publishing, which
sees to it that all of them are there, does not wait long.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.files import synced

__all__ = ["Sealing", "sealing"]

Sums = tuple[str, pa.UInt32Array]
"""The checksum of a file, and those of its sectors."""


class Sealing:
    """Files that are complete, on their way."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._begun: dict[Path, Future[Sums]] = {}

    def begin(self, path: Path) -> None:
        """Begin with a file that nobody writes to any more."""
        self._begun[path] = self._pool.submit(_sealed, path)

    def wait(self) -> None:
        """Wait for all files that were begun with."""
        for sums in self._begun.values():
            sums.result()

    def sums(self, path: Path) -> Sums:
        """The checksums of a file that was begun with."""
        return self._begun[path].result()


@contextmanager
def sealing(threads: int) -> Iterator[Sealing]:
    """Sealing by so many threads; nothing is read any more when the block is left."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Sealing(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _sealed(path: Path) -> Sums:
    sums = _core.checksums(path)
    synced(path)
    return sums
