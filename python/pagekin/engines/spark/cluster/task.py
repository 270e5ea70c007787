"""A step as Spark runs it."""

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any
from zipimport import zipimporter

import pyarrow as pa

__all__ = ["Task", "forget_archives", "task"]

Task = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def task(work: Callable[..., Iterator[pa.RecordBatch]], *given: Any) -> Task:
    """The work on batches, what else it needs being given."""
    return partial(_run, work, given)


def _run(
    work: Callable[..., Iterator[pa.RecordBatch]],
    given: tuple[Any, ...],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    try:
        yield from work(*given, batches)
    finally:
        _keep_what_is_there()
        forget_archives()


@cache
def _keep_what_is_there() -> None:
    """Take modules and the like, once a first task has imported them, for no garbage.

    Spark looks for garbage after each task, and most of the time for that would go to what is
    always there: 30 ms a task.
    """
    gc.freeze()


def forget_archives() -> None:
    """Let go of the zip files on Python's path.

    Spark clears the caches of imports before each task, and Python before 3.13 then reads the
    list of every zip file that it knows anew: for pyspark.zip a sixth of a second a task.
    """
    for path, finder in [*sys.path_importer_cache.items()]:
        if isinstance(finder, zipimporter):
            del sys.path_importer_cache[path]
