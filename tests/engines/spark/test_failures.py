"""Killed executors, dead tasks, damaged files, failed builds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.engines import spark
from pagekin.errors import CrawlError, EngineError
from tests.engines.spark.clusters import (
    SHORT_LIVED,
    Cluster,
    Driver,
    cluster,
    driver,
    executors,
    needs_java,
)
from tests.engines.spark.crawl import distributed, local, sample_files, summary_without_times
from tests.engines.spark.dying import Killer, watched, while_dying, while_killed, while_stopped
from tests.engines.test_random import Cut

pytestmark = [pytest.mark.slow, needs_java]

FINE = Cut(threads=1, run=100_000, bits=4)
"""Enough tasks that an executor can die between two of them."""
COARSE = Cut(threads=1, bits=2)
EXECUTORS = f"--conf spark.executor.defaultJavaOptions={SHORT_LIVED} pyspark-shell"


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), workers=2) as started:
        yield started


@pytest.fixture(scope="module")
def far(two_workers: Cluster) -> Iterator[Driver]:
    with driver(two_workers.url, {"PYSPARK_SUBMIT_ARGS": EXECUTORS}) as started:
        yield started


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sample_files(tmp_path_factory.mktemp("files"), 6)


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return local(files, tmp_path_factory.mktemp("expected") / "index")


def test_killed_executors_do_not_change_the_index(
    two_workers: Cluster, far: Driver, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    index, workers = tmp_path / "index", two_workers.workers
    assert far.run(distributed, files, index, FINE) == expected
    killer = Killer(workers, {"read", "merge", "sites, postings, concepts, weigh"})
    found, killed = far.run(while_killed, killer, files, index, FINE)
    assert found == expected
    assert len(killed) == 3
    assert not set(killed) & set(executors(workers))


def test_dead_task_is_run_again(
    far: Driver, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert far.run(while_dying, "once", files, tmp_path / "index", COARSE) == expected


def test_interrupted_source_is_read_again(far: Driver, files: list[Path], tmp_path: Path) -> None:
    sources = [path.as_uri() for path in files]
    found = far.run(while_dying, "on the way", sources, tmp_path / "index", COARSE)
    assert len([*files[0].parent.glob("*.torn")]) == len(files)
    assert found == local(sources, tmp_path / "index")


def test_failed_build_publishes_nothing_and_resumes(
    far: Driver, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    index = tmp_path / "index"
    pagekin.build(files[:2], index)
    old = (index / "manifest.json").read_bytes()
    with pytest.raises(EngineError, match=r"No space left on device.*finished stages are kept"):
        far.run(while_dying, "always", files, index, COARSE)
    assert (index / "manifest.json").read_bytes() == old
    found, (left, *last) = far.run(watched, files, index, COARSE)
    assert (found, last) == (expected, ["shards"])
    assert {"weigh"} <= {*left.split(", ")} <= {"sites", "postings", "weigh"}


@pytest.mark.parametrize("after", ["tables", "manifest"])
def test_build_interrupted_while_publishing_resumes(
    after: str, far: Driver, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    index = tmp_path / "index"
    with pytest.raises(OSError, match="No space left"):
        far.run(while_stopped, after, files, index, COARSE)
    assert far.run(watched, files, index, COARSE) == (expected, ["shards"])


def test_other_sources_start_a_new_build(far: Driver, files: list[Path], tmp_path: Path) -> None:
    index = tmp_path / "index"
    with pytest.raises(EngineError):
        far.run(while_dying, "always", files[:1], index, COARSE)
    assert len(list(index.iterdir())) == 1
    assert far.run(watched, files[:2], index, COARSE)[1][0] == "read"


def test_damaged_files_are_counted_like_in_the_local_engine(
    far: Driver, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "garbage.warc.gz").write_bytes(b"no archive")
    (tmp_path / "cut.warc.gz").write_bytes(files[0].read_bytes()[:-4000])
    broken = bytearray(files[1].read_bytes())
    broken[2000:2100] = bytes(100)
    (tmp_path / "flipped.warc.gz").write_bytes(broken)
    given = [*files[2:], *sorted(tmp_path.glob("*.warc.gz")), tmp_path / "missing.warc.gz"]
    one = pagekin.build(given, tmp_path / "one")
    other = far.run(spark.build, given, tmp_path / "other", settings=COARSE)
    assert summary_without_times(other) == summary_without_times(one)
    assert len(one.failures) >= 2
    assert sum(one.skipped.values()) > 0
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("one", "other")]
    assert manifests[0] == manifests[1]


def test_crawl_without_pages_is_reported_and_leaves_nothing(far: Driver, tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match=r"missing\.warc"):
        far.run(spark.build, tmp_path / "missing.warc", tmp_path / "new" / "index")
    assert not (tmp_path / "new").exists()
