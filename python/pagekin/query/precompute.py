"""Every page's related pages, as one Parquet table."""

import os
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.errors import EngineError
from pagekin.index import IndexReader
from pagekin.progress import Progress, Silent
from pagekin.query.filters import Filters, LeftOut

__all__ = ["precompute"]

PAGES = 256
"""Pages answered at a time: their answers are what is held in memory."""
_COLUMNS: list["pa.Field[Any]"] = [
    pa.field("url", pa.string(), nullable=False),
    pa.field("rank", pa.uint32(), nullable=False),
    pa.field("related", pa.string(), nullable=False),
    pa.field("score", pa.float32(), nullable=False),
]
SCHEMA = pa.schema(_COLUMNS)


def precompute(
    index: IndexReader,
    path: Path,
    filters: Filters,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the table (url, rank, related, score); returns how many rows it has.

    Pages come in order of their ids, by the same rules as single questions. The file appears when
    it is complete.
    """
    progress = progress or Silent()
    rows = 0
    try:
        with index.blaming(), _table(path) as table:
            progress.stage("precompute", sum(index.searcher.rows()), "pages")
            for batch, pages in _answers(index, filters, threads or os.cpu_count() or 1):
                table.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=SCHEMA))
                rows += batch.num_rows
                progress.advance(pages)
    except OSError as error:
        raise EngineError(
            f"the answers cannot be written ({error})",
            where=str(path),
            advice="choose a place with room where you may write",
        ) from error
    finally:
        progress.done()
    return rows


@contextmanager
def _table(path: Path) -> Iterator[pq.ParquetWriter]:
    """A Parquet file beside `path` that takes its name when all is written."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        with pq.ParquetWriter(name, SCHEMA, compression="zstd") as table:
            yield table
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _answers(
    index: IndexReader, filters: Filters, threads: int
) -> Iterator[tuple[pa.RecordBatch, int]]:
    """The answers of all pages, in order, few of them waiting; and of how many pages each is."""
    options = filters.to_core(LeftOut())
    excluded = (filters.exclude_site, filters.exclude_linked)
    running: deque[tuple[Future[pa.RecordBatch], int]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for shard, (start, end) in _parts(index.searcher.rows()):
                rows = (start, end)
                work = pool.submit(index.searcher.answers, shard, rows, options, excluded)
                running.append((work, end - start))
                if len(running) > 2 * threads:
                    future, pages = running.popleft()
                    yield future.result(), pages
            while running:
                future, pages = running.popleft()
                yield future.result(), pages
        finally:
            for future, _ in running:
                future.cancel()


def _parts(rows: list[int]) -> Iterator[tuple[int, tuple[int, int]]]:
    for shard, end in enumerate(rows):
        for start in range(0, end, PAGES):
            yield shard, (start, min(start + PAGES, end))
