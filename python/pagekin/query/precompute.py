"""Every page's related pages, as one Parquet table."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.query.languages import main_languages
from pagekin.query.selection import AUTO
from pagekin.work.files import draft_file, refuse_folder, write_errors
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.threads import map_by_threads

__all__ = ["exclusions_by_page", "precompute"]

PAGES = 256
"""Pages answered at a time; their answers are held in memory."""
_COLUMNS: list["pa.Field[Any]"] = [
    pa.field("url", pa.string(), nullable=False),
    pa.field("rank", pa.uint32(), nullable=False),
    pa.field("related", pa.string(), nullable=False),
    pa.field("score", pa.float32(), nullable=False),
]
SCHEMA = pa.schema(_COLUMNS)
_Part = tuple[int, int, int]
"""Rows of a shard: shard number, first row and end."""


def precompute(
    index: IndexReader,
    path: Path,
    filters: Filters,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the table (url, rank, related, score); returns its number of rows.

    Pages are in order of their ids, and answers equal those of single queries. The file appears
    when it is complete.
    """
    refuse_folder("the answers", path)
    progress = progress or SilentProgress()
    rows = 0
    try:
        with write_errors("the answers", path), index.blaming(), _table(path) as table:
            progress.stage("precompute", sum(index.searcher.rows()), "pages")
            for batch, pages in _answers(index, filters, threads or os.cpu_count() or 1):
                table.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=SCHEMA))
                rows += batch.num_rows
                progress.advance(pages)
    finally:
        progress.done()
    return rows


@contextmanager
def _table(path: Path) -> Iterator[pq.ParquetWriter]:
    """A Parquet file next to `path`, renamed to it when complete."""
    with (
        draft_file(path, "precompute") as draft,
        pq.ParquetWriter(draft, SCHEMA, compression="zstd") as table,
    ):
        yield table


def _answers(
    index: IndexReader, filters: Filters, threads: int
) -> Iterator[tuple[pa.RecordBatch, int]]:
    """The answers of all pages in order, batch by batch, with the number of pages of each batch."""
    options = filters.options(ExclusionLists())
    exclusions = exclusions_by_page(index, filters)

    def answer(part: _Part) -> tuple[pa.RecordBatch, int]:
        shard, start, end = part
        return index.searcher.answers(shard, start, end, options, exclusions), end - start

    return map_by_threads(answer, _parts(index.searcher.rows()), threads)


def exclusions_by_page(index: IndexReader, filters: Filters) -> _core.Exclusions:
    """What each page excludes, for the core."""
    return _core.Exclusions(
        site=filters.exclude_site,
        linked=filters.exclude_linked,
        language=filters.language == AUTO and len(main_languages(index)) > 1,
    )


def _parts(rows: list[int]) -> Iterator[_Part]:
    for shard, end in enumerate(rows):
        for start in range(0, end, PAGES):
            yield shard, start, min(start + PAGES, end)
