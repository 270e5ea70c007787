"""Spark gives the bytes of the local engine, however the work is cut."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pagekin.engines import spark as engine
from pagekin.engines.settings import Settings
from pagekin.engines.spark import stages
from pagekin.engines.spark.exchange import postcodes
from tests.crawls import SCHOOLS, read_warc, spread
from tests.engines.spark.clusters import needs_java
from tests.engines.spark.crawl import distributed, local, sample_files
from tests.engines.test_random import Cut

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, needs_java]

WAYS = {
    "as-it-comes": None,
    "many-runs": Cut(threads=1, run=50_000, bits=5),
    "one-partition": Cut(threads=1, run=1 << 30, bits=0),
}


@pytest.fixture(scope="module", autouse=True)
def spark() -> "Iterator[SparkSession]":
    with engine.opened("local[2]") as session:
        yield session


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sample_files(tmp_path_factory.mktemp("files"), 5)


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return local(files, tmp_path_factory.mktemp("expected") / "index")


@pytest.mark.parametrize("way", WAYS)
def test_runs_and_partitions_change_nothing(
    way: str, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert distributed(files, tmp_path / "index", WAYS[way]) == expected


@pytest.mark.parametrize(("shard_urls", "bits"), [(100, 4), (20, 2)])
def test_shards_are_the_same(shard_urls: int, bits: int, files: list[Path], tmp_path: Path) -> None:
    expected = local(files, tmp_path / "index", Settings(shard_urls=shard_urls))
    assert expected["shards"] > 1
    settings = Cut(threads=1, bits=bits, shard_urls=shard_urls)
    assert distributed(files[::-1], tmp_path / "index", settings) == expected


def test_what_is_decided_by_size_changes_nothing(
    files: list[Path], expected: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "SMALL_LEXICON", 0)
    monkeypatch.setattr(stages, "SMALL_GRAPH", 0)
    assert distributed(files, tmp_path / "index", Cut(threads=1, bits=4)) == expected


@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz in ../shared/data")
def test_a_part_of_schools_is_the_same(tmp_path: Path) -> None:
    files = spread(tmp_path, list(read_warc(SCHOOLS))[::8], 4)
    expected = local(files, tmp_path / "index")
    assert distributed(files, tmp_path / "index") == expected
    finer = Cut(threads=1, run=1 << 20, bits=6)
    assert distributed(files, tmp_path / "index", finer) == expected


def test_spark_sends_postcodes_where_we_think(spark: "SparkSession") -> None:
    codes = spark.createDataFrame([(code,) for code in postcodes(37)], "code int")
    rows = codes.selectExpr("pmod(hash(code), 37) as task").collect()
    assert [row.task for row in rows] == list(range(37))


def test_a_session_that_was_there_is_left_as_it_was(
    spark: "SparkSession", files: list[Path], tmp_path: Path
) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "1234")
    distributed(files[:1], tmp_path / "index")
    assert spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "1234"
    assert spark.range(3).count() == 3
