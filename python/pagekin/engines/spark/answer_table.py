"""Every page's related pages, by many machines: a join of the index with itself.

`precompute` writes a folder of Parquet files, in order of the pages' ids by their names.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.crawl import remote
from pagekin.engines.spark.candidates import SLICES, meetings
from pagekin.engines.spark.cluster.jobs import SAME_WORKERS, Jobs, use_settings
from pagekin.engines.spark.cluster.session import open_session
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.frames import Count, batch_of, columns_of
from pagekin.engines.spark.work_folder import Folder, scratch
from pagekin.errors import EngineError
from pagekin.index import IndexReader
from pagekin.query import Filters
from pagekin.query.filters import ExclusionLists
from pagekin.query.precompute import PAGES, SCHEMA, exclusions_by_page
from pagekin.query.selection import selected_rows
from pagekin.work.progress import Progress, SilentProgress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["CANDIDATES", "AnswerJob", "answer", "precompute"]

CANDIDATES = 30
"""Candidates compared for each hit: those with the most agreeing positions."""

List = list[_core.PageRef]
"""A page and its candidates."""


@dataclass(frozen=True, slots=True)
class AnswerJob:
    """The query for every page of an index, and the output folder."""

    index: Path
    filters: Filters
    out: Folder

    def answers(self, index: IndexReader, lists: list[List]) -> pa.RecordBatch:
        """The answers of some pages."""
        excluded = exclusions_by_page(index, self.filters)
        options = self.filters.options(ExclusionLists())
        batch = index.searcher.answers_among(lists, options, excluded)
        return pa.RecordBatch.from_arrays(batch.columns, schema=SCHEMA)


def answer(job: AnswerJob, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Write a file for each part; rows are (part, place, others), by part and place."""
    index = IndexReader(job.index)
    candidates = _Candidates(index, job.filters)
    for part, pages in itertools.groupby(_pages(batches), key=lambda page: page[0]):
        with scratch() as folder:
            path, rows = folder / "part", 0
            lists = (candidates.of(place, others) for _, place, others in pages)
            with pq.ParquetWriter(path, SCHEMA, compression="zstd") as table:
                while some := list(itertools.islice(lists, PAGES)):
                    found = job.answers(index, some)
                    table.write_batch(found)
                    rows += found.num_rows
            job.out.put(path, f"part-{part:012x}.parquet")
        yield batch_of([Count("rows", part, rows)])


def _pages(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int, Numbers]]:
    """Every page with its part and its candidates, each as often as a position agrees."""
    rows = itertools.chain.from_iterable(map(_lists, batches))
    for place, same in itertools.groupby(rows, key=lambda row: row[1]):
        lists = list(same)
        yield lists[0][0], place, np.concatenate([others for _, _, others in lists])


def _lists(batch: pa.RecordBatch) -> Iterator[tuple[int, int, Numbers]]:
    others: Any = batch.column("others")
    places = others.offsets.to_numpy()
    values = others.values.to_numpy()
    parts, pages = (batch.column(name).to_numpy().tolist() for name in ("part", "place"))
    for row, (part, page) in enumerate(zip(parts, pages, strict=True)):
        yield part, page, values[places[row] : places[row + 1]]


class _Candidates:
    """The candidates of pages, as many as answers with these filters need."""

    def __init__(self, index: IndexReader, filters: Filters) -> None:
        self._starts = np.cumsum([0, *index.searcher.rows()])
        self._selected = selected_rows(index, filters.to_core())
        self._most = CANDIDATES * filters.k

    def of(self, place: int, others: Numbers) -> List:
        """The page, then its candidates that may be hits, the most frequent first, ties by id."""
        pages, counts = np.unique(others, return_counts=True)
        best = pages[np.argsort(-counts, kind="stable")]
        best = best[(best != place) & self._selected[self._rows(best)]][: self._most]
        return [_core.PageRef(at >> 32, at & 0xFFFFFFFF) for at in (place, *best.tolist())]

    def _rows(self, places: Numbers) -> Numbers:
        """The rows of pages, counted from 0 through all shards."""
        rows: Numbers = self._starts[places >> 32] + (places & 0xFFFFFFFF)
        return rows


OURS = "_pagekin"
"""The empty file that marks a folder of answers, which may be replaced."""
DONE = "_SUCCESS"
"""The empty file that is written last, as Spark's own writers do."""
_FILE_BITS = (10, 17)
"""A file has the answers of 1,024 to 131,072 pages."""
_AT_ONCE = 32
"""Number of remote files moved at once."""
_PART = re.compile(r"part-[0-9a-f]{12,}\.parquet")
"""The name of a file of answers. No other remote file is ever removed."""
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    "spark.sql.adaptive.enabled": "false",
    **SAME_WORKERS,
}


def precompute(
    index: str | PathLike[str],
    out: str,
    filters: Filters,
    *,
    progress: Progress | None = None,
) -> int:
    """Write the table (url, rank, related, score) as a folder; returns its number of rows.

    The index must be where every executor reaches it by this path; `out` may be a URI.
    """
    if filters.exact or filters.min_agreement:
        raise EngineError(
            "Spark compares the pages that meet, no others",
            where="exact, min_agreement",
            advice="leave them out, or use the local engine",
        )
    path = Path(index).absolute()
    rows = IndexReader(path).searcher.rows()
    draft = _AnswerDraft(out)
    with open_session() as spark, use_settings(spark, _SETTINGS):
        draft.begin()
        job = AnswerJob(path, filters, draft.folder)
        jobs = Jobs(spark, progress or SilentProgress(), "start again")
        bits = _bits(sum(rows), spark.sparkContext.defaultParallelism)
        parts = sum((count >> bits) + 1 for count in rows)
        tasks = len(rows) * SLICES + 2 * parts
        (counts,) = jobs.run("precompute", tasks, lambda: _job(spark, job, bits, parts).collect())
    draft.publish()
    return sum(int(row["count"]) for row in counts)


def _job(spark: "SparkSession", job: AnswerJob, bits: int, parts: int) -> "DataFrame":
    shards = len(IndexReader(job.index).searcher.rows())
    pairs = meetings(spark, job.index, shards, parts)
    cut = pairs.selectExpr(f"shiftright(place, {bits}) as part", "place", "others")
    sorted_ = cut.repartition(parts, "part").sortWithinPartitions("part", "place")
    return sorted_.mapInArrow(task(answer, job), columns_of(Count.SCHEMA))


def _bits(pages: int, cores: int) -> int:
    """Files small enough that every core has a few of them."""
    low, high = _FILE_BITS
    return min(max((pages // (4 * cores)).bit_length() - 1, low), high)


class _AnswerDraft:
    """The draft folder: hidden next to the output, or inside it where renaming is not possible.

    Old answers stay until all new ones are complete.
    """

    def __init__(self, out: str) -> None:
        self._out = Folder(out.rstrip("/"))
        if self._out.exists("") and not self._out.exists(OURS):
            raise EngineError(
                "is there and holds something else than answers",
                where=out,
                advice="remove it, or choose another name for the folder of answers",
            )
        path = Path(out).absolute()
        beside = Folder(str(path.with_name(f".{path.name}.building")))
        # Readers of Parquet skip names with this prefix.
        self.folder = self._out.within("_building") if self._out.is_remote else beside

    def begin(self) -> None:
        """Make room for the draft."""
        self.folder.remove()
        if self._out.is_remote:
            self._out.write(OURS, b"")

    def publish(self) -> None:
        """Replace the old answers, and mark the new ones as complete."""
        if self._out.is_remote:
            self._move()
            return
        for mark in (OURS, DONE):
            self.folder.write(mark, b"")
        before = Folder(f"{self.folder.url}.before")
        before.remove()
        if self._out.exists(""):
            Path(self._out.url).rename(before.url)
        Path(self.folder.url).rename(self._out.url)
        before.remove()

    def _move(self) -> None:
        """Move file by file; meanwhile the folder is not marked as complete."""
        self._out.remove(DONE)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(self._out.remove, filter(_PART.fullmatch, self._out.names())))
            list(pool.map(self._settle, self.folder.names()))
        self.folder.remove()
        self._out.write(DONE, b"")

    def _settle(self, name: str) -> None:
        remote.move(f"{self.folder.url}/{name}", f"{self._out.url}/{name}")
