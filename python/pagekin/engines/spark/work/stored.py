"""Files of the work folder: what they are called, and how they are written and read.

A table between stages is an Arrow file a part, by the leading bits of its first column, so parts in
order hold rows in order. Segments of a partition are one file, with the places where they end at
its own end.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.engines.spark.work.folder import Folder, scratch
from pagekin.index import schema_of
from pagekin.index.mapped import batches_in
from pagekin.types import Part

__all__ = [
    "content",
    "numbers",
    "part_name",
    "parts_of",
    "read_table",
    "store_nothing",
    "store_parts",
    "store_table",
]

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


def content(part: Part) -> bytes:
    """The bytes of a part of a file of this machine."""
    path, start, end = part
    with Path(path).open("rb") as file:
        file.seek(start)
        return file.read(end - start)


def store_parts(work: Folder, name: str, parts: Sequence[Part]) -> None:
    """Move a file into the work folder with a list of its parts at its end."""
    path = Path(parts[0][0])
    places = [place for _, start, end in parts for place in (start, end)]
    with path.open("ab") as file:
        np.array([*places, len(places)], np.int64).tofile(file)
    work.put(path, name)


def parts_of(path: Path) -> list[Part]:
    """The parts of a file that `store_parts` wrote."""
    with path.open("rb") as file:
        file.seek(-_WIDTH, os.SEEK_END)
        count = int(np.fromfile(file, np.int64)[0])
        file.seek(-_WIDTH * (count + 1), os.SEEK_END)
        places = np.fromfile(file, np.int64, count).reshape(-1, 2).tolist()
    return [(str(path), start, end) for start, end in places]
