"""Memory-mapped table files, of which only the used parts are read from the disk.

A mapping keeps its file open, and an index of many shards has many files, so each file is mapped
once for all readers. A file that cannot be read is damaged, unless the system refused access. An
index may come from a stranger: what is not a regular file, such as a pipe, is never waited for.
"""

import errno
import mmap
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.errors import IndexCorrupt, IndexFault

__all__ = [
    "Bytes",
    "MappedTable",
    "batches_in",
    "corrupt",
    "mapped",
    "mapped_batches",
    "open_regular",
    "raise_file_limit",
    "table_reader",
    "unreadable",
]


def corrupt(path: Path, what: str) -> IndexCorrupt:
    """The error for a file that is not what a build wrote."""
    return IndexCorrupt(what, path=path, advice="build the index again")


def unreadable(path: Path, what: str, error: Exception) -> IndexFault:
    """The error for a file that could not be read: damage, unless the system refused access."""
    if isinstance(error, PermissionError):
        return IndexFault(
            f"cannot be read ({error.strerror or error})",
            path=path,
            advice="get permission to read it; rebuilding the index would not help",
        )
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return IndexFault(
            "the index has more files than this process may open",
            path=path,
            advice="raise the limit with ulimit -n: an index has 20 files per shard",
        )
    return corrupt(path, f"{what} ({error})")


Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading; anything but a regular file is an `OSError`."""
    # Without waiting: the other end of a pipe may never come.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(number).st_mode):
        return os.fdopen(number, "rb")
    os.close(number)
    raise _irregular(path)


def _irregular(path: Path) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", str(path))


def mapped(path: Path) -> Bytes:
    """The bytes of a file, which must not be empty."""
    with open_regular(path) as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def table_reader(content: Bytes) -> pa.ipc.RecordBatchFileReader:
    """A reader for the batches of a mapped Arrow file."""
    return pa.ipc.open_file(pa.BufferReader(pa.py_buffer(content.data)))


def batches_in(file: pa.NativeFile) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, one after another."""
    reader = pa.ipc.open_file(file)
    return map(reader.get_batch, range(reader.num_record_batches))


def mapped_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of an Arrow file, memory-mapped."""
    return batches_in(pa.memory_map(str(path)))


@dataclass(frozen=True, slots=True)
class MappedTable:
    """A file of a table: its mapped bytes, and the checksums of its blocks."""

    path: Path
    content: Bytes
    sums: pa.UInt32Array
    verified: _core.VerifiedFile

    @classmethod
    def opened(cls, path: Path, size: int, sums: pa.UInt32Array) -> "MappedTable":
        """Open the file; it must have the expected size."""
        try:
            content = mapped(path)
        except (OSError, ValueError) as error:
            raise unreadable(path, "the table cannot be opened", error) from error
        if len(content) != size:
            raise corrupt(path, f"the table has {len(content)} bytes, expected {size}")
        return cls(path, content, sums, _core.VerifiedFile(path.name, content, sums))


def raise_file_limit(files: int) -> None:
    """Raise the limit on open files of this process by `files`, as far as the system allows.

    The usual limit of 1,024 is less than the number of files of an index with 64 shards.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files > soft // 4:
        most = soft + files if hard == resource.RLIM_INFINITY else min(soft + files, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
