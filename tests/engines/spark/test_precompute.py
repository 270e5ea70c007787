"""All answers by a Spark join, against single queries."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin.engines import spark
from pagekin.errors import EngineError
from pagekin.query import Filters
from pagekin.sample.pack import write_sample
from pagekin.work.settings import Settings
from tests.engines.spark.clusters import Driver, needs_java

FILTERS = Filters(k=5, min_score=0.05)
Rows = list[dict[str, object]]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample in several shards."""
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder / "sample.warc.gz")
    pagekin.build(folder / "sample.warc.gz", folder / "index", settings=Settings(shard_urls=50))
    return folder / "index"


def answers(path: Path) -> pa.Table:
    return pq.read_table(path)


@needs_java
@pytest.mark.slow
def test_answers_nearly_match_the_local_engine(
    two_cores: Driver, index: Path, tmp_path: Path
) -> None:
    pagekin.open(index).precompute(tmp_path / "local.parquet", filters=FILTERS)
    rows = two_cores.run(spark.precompute, index, str(tmp_path / "spark.parquet"), FILTERS)
    expected, found = answers(tmp_path / "local.parquet"), answers(tmp_path / "spark.parquet")
    assert found.schema.equals(expected.schema)
    assert found.num_rows == rows
    wanted = {(row["url"], row["related"]): row["score"] for row in expected.to_pylist()}
    given = {(row["url"], row["related"]): row["score"] for row in found.to_pylist()}
    assert all(wanted[pair] == given[pair] for pair in wanted.keys() & given.keys())
    # A pair of similarity J agrees nowhere in m positions once in (1 - J)^-m times: e^-4 here.
    assert len(wanted.keys() & given.keys()) > 0.98 * len(wanted)
    strong = {pair for pair, score in wanted.items() if float(str(score)) > 0.15}
    assert len(strong) > 100
    assert strong <= given.keys()
    # In order of ids, and ranks from 1 on.
    urls = list(dict.fromkeys(found.column("url").to_pylist()))
    known = list(dict.fromkeys(expected.column("url").to_pylist()))
    assert urls == [url for url in known if url in set(urls)]
    assert [row["rank"] for row in found.to_pylist()[:2]] == [1, 2]


@needs_java
@pytest.mark.slow
def test_only_complete_old_answers_are_replaced(
    two_cores: Driver, index: Path, tmp_path: Path
) -> None:
    out = tmp_path / "answers"
    first = two_cores.run(spark.precompute, index, str(out), Filters(k=3))
    assert two_cores.run(spark.precompute, index, str(out), Filters(k=1)) < first
    assert answers(out).column("rank").unique().to_pylist() == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["answers"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "_SUCCESS").touch()
    with pytest.raises(EngineError, match="holds something else"):
        two_cores.run(spark.precompute, index, str(tmp_path / "other"), FILTERS)


def test_unsupported_filters_are_rejected(index: Path, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="no others"):
        spark.precompute(index, str(tmp_path / "out"), Filters(exact=True))
