"""Executors that are killed, tasks that die, files that are broken, builds that fail."""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import pagekin
from pagekin.engines import spark as engine
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.tasks import weigh
from pagekin.errors import CrawlError, EngineError
from pagekin.progress import Silent
from tests.engines.spark.clusters import Cluster, cluster, needs_java
from tests.engines.spark.crawl import distributed, local, sample_files, told
from tests.engines.test_random import Cut

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, needs_java]

FINE = Cut(threads=1, run=100_000, bits=4)
REAL_WEIGH = weigh.weigh


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), workers=2) as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def spark(two_workers: Cluster) -> "Iterator[SparkSession]":
    from pyspark import cloudpickle

    # What is defined here reaches workers that know nothing of these tests.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    with engine.opened(two_workers.url) as session:
        yield session
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sample_files(tmp_path_factory.mktemp("files"), 6)


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return local(files, tmp_path_factory.mktemp("expected") / "index")


class Killer(Silent):
    """Kills an executor in the middle of some stages."""

    def __init__(self, victims: Cluster, stages: set[str]) -> None:
        self.victims = victims
        self.waiting = stages
        self.now = ""
        self.killed: list[int] = []

    def stage(self, name: str, total: int | None, unit: str) -> None:
        self.now = name

    def advance(self, amount: int = 1) -> None:
        executors = self.victims.executors()
        if amount and self.now in self.waiting and len(executors) == 2:
            self.waiting.remove(self.now)
            self.killed.append(executors[len(self.killed) % 2])
            os.kill(self.killed[-1], signal.SIGKILL)


def test_two_executors_give_the_same_bytes_even_if_they_are_killed(
    two_workers: Cluster, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert distributed(files, tmp_path / "index", FINE) == expected
    killer = Killer(two_workers, {"read", "merge", "postings"})
    assert distributed(files, tmp_path / "index", FINE, killer) == expected
    assert len(killer.killed) == 3
    assert not set(killer.killed) & set(two_workers.executors())


def dies_once(plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Every third task ends with its worker, and every other third raises, when first tried."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context
    if context.attemptNumber() == 0 and context.partitionId() % 3 == 0:
        os._exit(9)
    yield from REAL_WEIGH(plan, bags, batches)
    if context.attemptNumber() == 0 and context.partitionId() % 3 == 1:
        raise OSError("too late to matter")


def test_a_task_that_dies_is_run_again(
    files: list[Path], expected: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weigh, "weigh", dies_once)
    assert distributed(files, tmp_path / "index", FINE) == expected


def always_dies(
    plan: Plan, bags: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    raise OSError(28, "No space left on device")
    yield from batches


class Stages(Silent):
    """Remembers which stages there were."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def stage(self, name: str, total: int | None, unit: str) -> None:
        self.names.append(name)


def test_a_failed_build_publishes_nothing_and_goes_on_where_it_stopped(
    files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    index = tmp_path / "index"
    before = local(files[:2], index)
    pagekin.build(files[:2], index)
    old = (index / "manifest.json").read_bytes()
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(EngineError, match=r"No space left on device.*finished stages are kept"),
    ):
        patch.setattr(weigh, "weigh", always_dies)
        distributed(files, index, FINE)
    assert (index / "manifest.json").read_bytes() == old
    assert before["folder"] in {path.name for path in index.iterdir()} or old
    stages = Stages()
    assert distributed(files, index, FINE, stages) == expected
    assert stages.names == ["weigh", "shards"]


def test_other_settings_start_anew(files: list[Path], tmp_path: Path) -> None:
    index = tmp_path / "index"
    with pytest.MonkeyPatch.context() as patch, pytest.raises(EngineError):
        patch.setattr(weigh, "weigh", always_dies)
        distributed(files[:1], index, FINE)
    left = {path.name for path in index.iterdir()}
    assert len(left) == 1
    stages = Stages()
    distributed(files[:2], index, FINE, stages)
    assert stages.names[0] == "read"


def test_broken_files_are_counted_as_the_local_engine_counts_them(
    files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "garbage.warc.gz").write_bytes(b"no archive")
    (tmp_path / "cut.warc.gz").write_bytes(files[0].read_bytes()[:-4000])
    broken = bytearray(files[1].read_bytes())
    broken[2000:2100] = bytes(100)
    (tmp_path / "flipped.warc.gz").write_bytes(broken)
    given = [*files[2:], *sorted(tmp_path.glob("*.warc.gz")), tmp_path / "missing.warc.gz"]
    one = pagekin.build(given, tmp_path / "one")
    other = engine.build(given, tmp_path / "other", settings=FINE)
    assert told(other) == told(one)
    assert len(one.failures) >= 2
    assert sum(one.skipped.values()) > 0
    assert (tmp_path / "one/manifest.json").read_bytes() == (
        tmp_path / "other/manifest.json"
    ).read_bytes()


def test_a_crawl_without_pages_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match=r"missing\.warc"):
        engine.build(tmp_path / "missing.warc", tmp_path / "new" / "index")
    assert not (tmp_path / "new").exists()
