"""The work folder: files that every task of a cluster can reach, and what lies in them.

A file appears in it whole or not at all, so a task that dies leaves nothing that another reads, and
one that runs twice writes the same file twice. A table between stages is one Arrow file per part,
by the leading bits of its first column, so the rows of parts in order are in order. The blocks of a
partition are one file, with the list of their ends at its end.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.crawl import remote
from pagekin.index import schema_of
from pagekin.index.tables.mapped import batches_in
from pagekin.work.partitions import FilePart

__all__ = [
    "Folder",
    "content",
    "numbers",
    "part_name",
    "parts_of",
    "read_table",
    "scratch",
    "store_nothing",
    "store_parts",
    "store_table",
]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on a shared disk, by its path, or a remote one, by its URI."""

    url: str

    def __post_init__(self) -> None:
        remote.refuse_secrets(self.url)

    @property
    def is_remote(self) -> bool:
        """Whether files must be copied before kernels can read them."""
        return remote.is_remote(self.url)

    def within(self, name: str) -> "Folder":
        """A folder in this one."""
        return Folder(self._place(name))

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """A file of the folder, as one that kernels can read."""
        if not self.is_remote:
            yield Path(self._place(name))
            return
        with scratch() as folder:
            path = folder / "copy"
            remote.download(self._place(name), path)
            yield path

    def put(self, path: Path, name: str) -> None:
        """Move a finished file of this machine into the folder."""
        if self.is_remote:
            remote.upload(path, self._place(name))
            path.unlink()
            return
        target = Path(self._place(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
        try:
            shutil.move(path, beside)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    def read(self, name: str) -> bytes:
        """The bytes of a small file."""
        with self.local(name) as path:
            return path.read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Put a small file there."""
        with scratch() as folder:
            path = folder / "content"
            path.write_bytes(content)
            self.put(path, name)

    def exists(self, name: str) -> bool:
        """Whether the folder has the file."""
        place = self._place(name)
        return remote.exists(place) if self.is_remote else Path(place).exists()

    def names(self) -> list[str]:
        """The files of a remote folder, in order; none if it does not exist."""
        return remote.list_files(self.url)

    def remove(self, name: str | None = None) -> None:
        """Remove the folder with its content, or one of its files, if it exists."""
        if self.is_remote:
            remote.remove(self.url if name is None else self._place(name))
        elif name is None:
            shutil.rmtree(self.url, ignore_errors=True)
        else:
            Path(self._place(name)).unlink(missing_ok=True)

    def _place(self, name: str) -> str:
        return f"{self.url}/{name}"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder of this machine for the time of a task, on the disks that Spark was given."""
    disks = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    disk = disks[os.getpid() % len(disks)] or None
    with tempfile.TemporaryDirectory(
        prefix="pagekin-", dir=disk, ignore_cleanup_errors=True
    ) as path:
        yield Path(path)


_WIDTH = 8
"""Bytes of a place in a list of parts."""


def part_name(what: str, part: int) -> str:
    """The file of a part."""
    return f"{what}/{part:05}"


def numbers(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    """The numbers of the parts that a task works on."""
    for batch in batches:
        yield from batch.column(0).to_numpy().tolist()


def store_table(work: Folder, table: str, part: int, batch: pa.RecordBatch) -> None:
    """Write a part of a table."""
    with scratch() as folder:
        path = folder / table
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as out:
            out.write_batch(batch)
        work.put(path, part_name(table, part))


def store_nothing(work: Folder, table: str, part: int) -> None:
    """Write a part of a table that has no rows."""
    store_table(work, table, part, pa.RecordBatch.from_pylist([], schema_of(table, 0)))


@contextmanager
def read_table(work: Folder, table: str, part: int) -> Iterator[list[pa.RecordBatch]]:
    """The batches of a part of a table, mapped."""
    with work.local(part_name(table, part)) as path, pa.memory_map(str(path)) as file:
        yield [*batches_in(file)]


def content(part: FilePart[str]) -> bytes:
    """The bytes of a part of a file of this machine."""
    with Path(part.place).open("rb") as file:
        file.seek(part.start)
        return file.read(part.size)


def store_parts(work: Folder, name: str, parts: Sequence[FilePart[str]]) -> None:
    """Move a file into the work folder with a list of its parts at its end."""
    path = Path(parts[0].place)
    places = [place for part in parts for place in (part.start, part.end)]
    with path.open("ab") as file:
        np.array([*places, len(places)], np.int64).tofile(file)
    work.put(path, name)


def parts_of(path: Path) -> list[FilePart[str]]:
    """The parts of a file that `store_parts` wrote."""
    with path.open("rb") as file:
        file.seek(-_WIDTH, os.SEEK_END)
        count = int(np.fromfile(file, np.int64)[0])
        file.seek(-_WIDTH * (count + 1), os.SEEK_END)
        places = np.fromfile(file, np.int64, count).reshape(-1, 2).tolist()
    return [FilePart(str(path), start, end) for start, end in places]
