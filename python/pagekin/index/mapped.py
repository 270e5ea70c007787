"""Files of tables, mapped: read from the disk only where they are looked at.

A mapping holds its file open, and an index of many shards has many files, so each is mapped once
for all who read it.
"""

import mmap
import resource
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.index.faults import corrupt, unreadable

__all__ = [
    "Bytes",
    "TableFile",
    "batches_in",
    "let_open",
    "mapped",
    "mapped_batches",
    "table_reader",
]

Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]


def mapped(path: Path) -> Bytes:
    """The bytes of a file, which has at least one."""
    with path.open("rb") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def table_reader(content: Bytes) -> pa.ipc.RecordBatchFileReader:
    """The batches of a mapped Arrow file by their numbers."""
    return pa.ipc.open_file(pa.BufferReader(pa.py_buffer(content.data)))


def batches_in(file: pa.NativeFile) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, one after another."""
    reader = pa.ipc.open_file(file)
    return map(reader.get_batch, range(reader.num_record_batches))


def mapped_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The same of a file that is mapped: what is looked at stays in memory."""
    return batches_in(pa.memory_map(str(path)))


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of a table: its bytes, mapped, and the checksums of its sectors."""

    path: Path
    content: Bytes
    sums: pa.UInt32Array

    @classmethod
    def opened(cls, path: Path, size: int, sums: pa.UInt32Array) -> "TableFile":
        """The file, if it has as many bytes as it should."""
        try:
            content = mapped(path)
        except (OSError, ValueError) as error:
            raise unreadable(path, "the table cannot be opened", error) from error
        if len(content) != size:
            raise corrupt(path, f"the table has {len(content)} bytes, expected {size}")
        return cls(path, content, sums)

    def to_core(self) -> tuple[str, Bytes, pa.UInt32Array]:
        """The file as the core takes it."""
        return self.path.name, self.content, self.sums


def let_open(files: int) -> None:
    """Let this process open so many files more, as far as the system leaves that to us.

    The usual limit of 1,024 is less than an index of 64 shards has files.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files > soft // 4:
        most = soft + files if hard == resource.RLIM_INFINITY else min(soft + files, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
