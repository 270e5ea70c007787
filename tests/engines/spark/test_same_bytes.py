"""Spark gives the same bytes as the local engine, however the work is partitioned."""

from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.engines import spark
from pagekin.engines.spark.cluster.jobs import use_settings
from pagekin.engines.spark.shuffle import postcodes
from pagekin.work.settings import Settings
from tests.crawls import SCHOOLS, manifest, read_warc, spread, write_warc
from tests.engines.spark.clusters import Driver, needs_java
from tests.engines.spark.crawl import (
    as_if_large,
    distributed,
    distributed_with_model,
    local,
    local_with_model,
    sample_files,
)
from tests.engines.test_identical import ALL_KINDS
from tests.engines.test_random import Cut
from tests.reference import Capture

pytestmark = [pytest.mark.slow, needs_java]

WAYS = {
    "as-it-comes": None,
    "many-runs": Cut(threads=1, run=50_000, bits=5),
    "one-partition": Cut(threads=1, run=1 << 30, bits=0),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sample_files(tmp_path_factory.mktemp("files"), 5)


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return local(files, tmp_path_factory.mktemp("expected") / "index")


@pytest.mark.parametrize("way", WAYS)
def test_index_does_not_depend_on_runs_and_partitions(
    way: str, two_cores: Driver, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert two_cores.run(distributed, files, tmp_path / "index", WAYS[way]) == expected


def test_index_with_a_model_equals_that_of_the_local_engine(
    two_cores: Driver, files: list[Path], tmp_path: Path
) -> None:
    pagekin.build(files[:4], tmp_path / "model", strategy=ALL_KINDS)
    expected = local_with_model(files[3:], tmp_path / "index", tmp_path / "model")
    assert expected["model"] == manifest(tmp_path / "model")["model"]
    found = two_cores.run(distributed_with_model, files[3:], tmp_path / "index", tmp_path / "model")
    assert found == expected


@pytest.mark.parametrize(("shard_urls", "bits"), [(100, 4), (20, 2)])
def test_shards_equal_those_of_the_local_engine(
    shard_urls: int, bits: int, two_cores: Driver, files: list[Path], tmp_path: Path
) -> None:
    index = tmp_path / "index"
    expected = local(files, index, Settings(shard_urls=shard_urls))
    assert expected["shards"] > 1
    settings = Cut(threads=1, bits=bits, shard_urls=shard_urls)
    assert two_cores.run(distributed, files[::-1], index, settings) == expected


def test_size_thresholds_do_not_change_the_index(two_cores: Driver, tmp_path: Path) -> None:
    # Few links and no cycles, so that ranks settle after few rounds, each of which is a job.
    pages = {"a": "b c", "b": "c d", "c": "", "d": "e"}
    captures = [
        Capture(
            f"http://{name}.example/",
            f"<title>{name}</title>".encode()
            + b"".join(
                b"<a href='http://%s.example/'>to it</a>" % to.encode() for to in targets.split()
            ),
        )
        for name, targets in pages.items()
    ]
    write_warc(tmp_path / "chain.warc.gz", captures)
    files, index = [tmp_path / "chain.warc.gz"], tmp_path / "index"
    settings = Cut(threads=1, bits=1)
    assert two_cores.run(as_if_large, files, index, settings) == local(files, index)


@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz: see docs/data.md")
def test_part_of_schools_equals_a_local_build(two_cores: Driver, tmp_path: Path) -> None:
    # One file, of which two tasks read every other record.
    files = spread(tmp_path, list(read_warc(SCHOOLS))[::8], 1)
    expected = local(files, tmp_path / "index")
    assert two_cores.run(distributed, files, tmp_path / "index") == expected
    finer = Cut(threads=1, run=1 << 20, bits=6)
    assert two_cores.run(distributed, files, tmp_path / "index", finer) == expected


def spark_tasks(codes: list[int]) -> list[int]:
    """The tasks to which Spark sends these numbers."""
    with spark.open_session() as session:
        frame = session.createDataFrame([(code,) for code in codes], "code int")
        rows = frame.selectExpr(f"pmod(hash(code), {len(codes)}) as task").collect()
    return [row.task for row in rows]


def test_spark_sends_postcodes_to_the_expected_tasks(two_cores: Driver) -> None:
    assert two_cores.run(spark_tasks, postcodes(37)) == list(range(37))


def setting_after_a_build(files: list[Path], index: Path) -> str | None:
    """A setting of a session after a build."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    with spark.open_session() as session, use_settings(session, {name: "1234"}):
        distributed(files, index, WAYS["one-partition"])
        return session.conf.get(name) if session.range(3).count() == 3 else None


def test_settings_of_an_existing_session_are_restored(
    two_cores: Driver, files: list[Path], tmp_path: Path
) -> None:
    assert two_cores.run(setting_after_a_build, files[:1], tmp_path / "index") == "1234"
