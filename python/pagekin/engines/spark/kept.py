"""DataFrames that are written down: what is made from them later never makes them again."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from pagekin.engines.spark.folder import Folder, scratch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["kept"]


def kept(frame: "DataFrame", work: Folder, name: str) -> "DataFrame":
    """The same rows, read from the work folder; if they are there already, nothing is done."""
    mark = f"{name}/kept.json"
    if not work.exists(mark):
        rows = frame.mapInArrow(partial(_write, work, name), "part int").collect()
        work.write(mark, json.dumps(sorted(row.part for row in rows)).encode())
    parts = json.loads(work.read(mark))
    files = frame.sparkSession.range(0, len(parts), 1, max(len(parts), 1))
    return files.mapInArrow(partial(_read, work, name, parts), frame.schema)


def _write(work: Folder, name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """One file a task. Run again it writes the same rows, if in another order."""
    from pyspark import TaskContext

    context = TaskContext.get()
    part = context.partitionId() if context else 0
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return
    with scratch() as folder:
        path = folder / "part.arrow"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, first.schema) as out:
            out.write_batch(first)
            for batch in batches:
                out.write_batch(batch)
        work.put(path, _file(name, part))
    yield pa.RecordBatch.from_arrays([pa.array([part], pa.int32())], names=["part"])


def _read(
    work: Folder, name: str, parts: list[int], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            with work.local(_file(name, parts[number])) as path:
                reader = pa.ipc.open_file(pa.memory_map(str(path)))
                yield from map(reader.get_batch, range(reader.num_record_batches))


def _file(name: str, part: int) -> str:
    return f"{name}/{part:05}.arrow"
