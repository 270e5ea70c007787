"""`precompute` on Spark: a folder of Parquet files, in order of the pages' ids by their names."""

import re
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin import files
from pagekin.engines.spark.cluster.job import Jobs
from pagekin.engines.spark.cluster.session import opened
from pagekin.engines.spark.cluster.settings import SAME_WORKERS, configured
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.precompute.answer import Question, answer
from pagekin.engines.spark.precompute.meet import SLICES, meetings
from pagekin.engines.spark.rows import Count
from pagekin.engines.spark.work.columns import columns_of
from pagekin.engines.spark.work.folder import Folder
from pagekin.errors import EngineError
from pagekin.index import IndexReader
from pagekin.progress import Progress, Silent
from pagekin.query import Filters

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["precompute"]

OURS = "_pagekin"
"""The empty file that says that the folder is for answers, and may be replaced."""
DONE = "_SUCCESS"
"""The empty file that is written last, as Spark's own writers do."""
_FILE_BITS = (10, 17)
"""A file has the answers of 1,024 to 131,072 pages."""
_AT_ONCE = 32
"""So many files elsewhere are moved at once."""
_PART = re.compile(r"part-[0-9a-f]{12,}\.parquet")
"""The name of a file of answers: nothing else elsewhere is ever removed."""
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
    """Write the table (url, rank, related, score) as a folder; returns how many rows it has.

    The index must be where every executor reaches it by this path; `out` may be a URI.
    """
    if filters.exact or filters.alpha:
        raise EngineError(
            "Spark compares the pages that meet, no others",
            where="exact, alpha",
            advice="leave them out, or use the local engine",
        )
    path = Path(index).absolute()
    rows = IndexReader(path).searcher.rows()
    draft = _Draft(out)
    with opened() as spark, configured(spark, _SETTINGS):
        draft.begin()
        question = Question(path, filters, draft.folder)
        jobs = Jobs(spark, progress or Silent(), "start again")
        bits = _bits(sum(rows), spark.sparkContext.defaultParallelism)
        parts = sum((count >> bits) + 1 for count in rows)
        tasks = len(rows) * SLICES + 2 * parts
        (counts,) = jobs.run(
            "precompute", tasks, lambda: _job(spark, question, bits, parts).collect()
        )
    draft.publish()
    return sum(int(row["count"]) for row in counts)


def _job(spark: "SparkSession", question: Question, bits: int, parts: int) -> "DataFrame":
    shards = len(IndexReader(question.index).searcher.rows())
    met = meetings(spark, question.index, shards, parts)
    cut = met.selectExpr(f"shiftright(place, {bits}) as part", "place", "others")
    sorted_ = cut.repartition(parts, "part").sortWithinPartitions("part", "place")
    return sorted_.mapInArrow(task(answer, question), columns_of(Count.SCHEMA))


def _bits(pages: int, cores: int) -> int:
    """Files small enough that every core has a few of them."""
    low, high = _FILE_BITS
    return min(max((pages // (4 * cores)).bit_length() - 1, low), high)


class _Draft:
    """The folder in the making: hidden beside its place, or within it where nothing is renamed.

    Answers that were there before stay until all new ones are there.
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
        # Readers of Parquet pass over names that begin like this.
        self.folder = self._out.within("_building") if self._out.is_remote else beside

    def begin(self) -> None:
        """Make room for the draft."""
        self.folder.remove()
        if self._out.is_remote:
            self._out.write(OURS, b"")

    def publish(self) -> None:
        """Put the answers in the place of those before, and say that all are there."""
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
        """File by file; meanwhile there is no mark that all are there."""
        self._out.remove(DONE)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(self._out.remove, filter(_PART.fullmatch, self._out.names())))
            list(pool.map(self._settle, self.folder.names()))
        self.folder.remove()
        self._out.write(DONE, b"")

    def _settle(self, name: str) -> None:
        files.move(f"{self.folder.url}/{name}", f"{self._out.url}/{name}")
