"""Dying tasks, a progress that kills executors, and builds with them in a driver."""

import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark import TaskContext, cloudpickle

from pagekin.crawl import remote
from pagekin.engines.spark.tasks import read, weigh
from pagekin.errors import InputError
from pagekin.index import Manifest
from pagekin.work.progress import SilentProgress
from pagekin.work.settings import Settings
from tests.engines.spark.clusters import executors
from tests.engines.spark.crawl import distributed

build = importlib.import_module("pagekin.engines.spark.build")
"""The module, whose name is also that of its function."""
Work = Callable[..., Iterator[pa.RecordBatch]]


def dies_once(*given: Any) -> Iterator[pa.RecordBatch]:
    """On the first attempt, a third of the tasks kill their worker and a third raise."""
    context = TaskContext.get()
    assert context
    first, kind = context.attemptNumber() == 0, context.partitionId() % 3
    if first and kind == 0:
        os._exit(9)
    yield from _WEIGH(*given)
    if first and kind == 1:
        raise OSError("too late to matter")


def always_dies(*given: Any) -> Iterator[pa.RecordBatch]:
    """Every task fails."""
    if given:
        raise OSError(28, "No space left on device")
    yield from ()


def breaks_off_once(*given: Any) -> Iterator[pa.RecordBatch]:
    """The first download of each source breaks off half-way."""
    context = TaskContext.get()
    assert context
    with pytest.MonkeyPatch.context() as patch:
        if context.attemptNumber() == 0:
            patch.setattr(remote, "chunks", torn)
        yield from _EXTRACT(*given)


def torn(uri: str) -> Iterator[bytes]:
    """Half of the content; a file next to it marks that it was torn."""
    content = b"".join(_CHUNKS(uri))
    Path(f"{uri.removeprefix('file://')}.torn").touch()
    yield content[: len(content) // 2]
    raise InputError("connection reset", source=uri, advice="")


_WEIGH, _EXTRACT, _CHUNKS = weigh.weigh, read.extract, remote.chunks
WAYS: dict[str, tuple[object, str, Work]] = {
    "once": (weigh, "weigh", dies_once),
    "always": (weigh, "weigh", always_dies),
    "on the way": (read, "extract", breaks_off_once),
}


@contextmanager
def dying(way: str) -> Iterator[None]:
    """How tasks die; sent to the workers, which cannot import these tests."""
    pickling: Any = cloudpickle
    pickling.register_pickle_by_value(sys.modules[__name__])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*WAYS[way])
        yield
    pickling.unregister_pickle_by_value(sys.modules[__name__])


def while_dying(
    way: str, sources: Sequence[Path | str], index: Path, settings: Settings
) -> dict[str, Any]:
    """The manifest of a build whose tasks die in a way."""
    with dying(way):
        return distributed(sources, index, settings)


def while_stopped(after: str, files: Sequence[Path], index: Path, settings: Settings) -> None:
    """A build that stops while publishing, after its tables or after its manifest."""

    def stop(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        if after == "tables":
            patch.setattr(Manifest, "write", stop)
        else:
            patch.setattr(build, "_remove_work", stop)
        distributed(files, index, settings)


class Killer(SilentProgress):
    """Kills an executor in the middle of some stages."""

    def __init__(self, workers: Sequence[int], stages: set[str]) -> None:
        self.workers = workers
        self.waiting = stages
        self.now = ""
        self.left = 0
        self.killed: list[int] = []

    def stage(self, name: str, total: int | None, unit: str) -> None:
        del unit
        self.now, self.left = name, total or 0

    def advance(self, amount: int = 1) -> None:
        found = executors(self.workers)
        self.left -= amount
        if amount and self.left and self.now in self.waiting and len(found) == 2:
            self.waiting.remove(self.now)
            self.killed.append(found[len(self.killed) % 2])
            os.kill(self.killed[-1], signal.SIGKILL)


def while_killed(
    killer: Killer, files: Sequence[Path], index: Path, settings: Settings
) -> tuple[dict[str, Any], list[int]]:
    """The manifest of a build with killed executors, and their process ids."""
    return distributed(files, index, settings, killer), killer.killed


class Stages(SilentProgress):
    """Records the stages."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def stage(self, name: str, *_: object) -> None:
        self.names.append(name)


def watched(
    files: Sequence[Path], index: Path, settings: Settings
) -> tuple[dict[str, Any], list[str]]:
    """The manifest of a build, and the stages that it had."""
    stages = Stages()
    return distributed(files, index, settings, stages), stages.names
