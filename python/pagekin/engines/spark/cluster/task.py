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
    """The work on batches, with its other arguments bound."""
    return partial(_run, work, given)


def _run(
    work: Callable[..., Iterator[pa.RecordBatch]],
    given: tuple[Any, ...],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    try:
        yield from work(*given, batches)
    finally:
        _keep_loaded_modules()
        forget_archives()


@cache
def _keep_loaded_modules() -> None:
    """Exclude modules and the like from garbage collection, once a first task has imported them.

    Spark collects garbage after each task, and would spend most of that time on permanent objects:
    30 ms per task.
    """
    gc.freeze()


def forget_archives() -> None:
    """Remove the zip files from Python's path.

    Spark clears the import caches before each task, and Python before 3.13 then reads the directory
    of every known zip file again: for pyspark.zip a sixth of a second per task.
    """
    for path, finder in [*sys.path_importer_cache.items()]:
        if isinstance(finder, zipimporter):
            del sys.path_importer_cache[path]
