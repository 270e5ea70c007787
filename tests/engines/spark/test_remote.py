"""A build whose sources and index are on S3, against a server of that kind on this machine."""

import importlib
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyarrow.fs import FileSystem

import pagekin
from pagekin import files
from pagekin.engines import spark
from pagekin.engines.spark.work.folder import Folder
from pagekin.query import Filters
from tests.crawls import rows
from tests.engines.spark.clusters import driver, needs_java
from tests.pairs.crawl import write_sites
from tests.storage import bucket, listed

__all__ = ["bucket"]

build = importlib.import_module("pagekin.engines.spark.build")
table = importlib.import_module("pagekin.engines.spark.precompute.table")


def fetched(uri: str, folder: Path) -> Path:
    """An index from elsewhere, here."""
    files.download(f"{uri}/manifest.json", _made(folder / "manifest.json"))
    manifest = pagekin.index.Manifest.read(folder)
    for name in manifest.files:
        files.download(f"{uri}/{manifest.folder}/{name}", _made(folder / manifest.folder / name))
    return folder


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@needs_java
@pytest.mark.slow
def test_from_s3_to_s3(bucket: str, tmp_path: Path) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    names = [f"{bucket}/crawl/{number}.warc.gz" for number in range(2)]
    for name in names:
        files.copied(archive, name)
    missing = f"{bucket}/crawl/missing.warc.gz"
    with driver("local[2]") as there:
        summary = there.run(spark.build, [*names, missing], f"{bucket}/index")
        pagekin.build(names, tmp_path / "local")
        first = there.run(spark.precompute, tmp_path / "local", f"{bucket}/answers", Filters(k=3))
        with pytest.raises(OSError, match="No space left"):
            there.run(answers_that_fail, tmp_path / "local", f"{bucket}/answers")
        assert files.exists(f"{bucket}/answers/_SUCCESS")
        answers = there.run(spark.precompute, tmp_path / "local", f"{bucket}/answers", Filters(k=2))
    assert summary.pages == 10
    assert [failure.source for failure in summary.failures] == [missing]
    index = fetched(f"{bucket}/index", tmp_path / "index")
    pagekin.open(index).check()
    for table in pagekin.index.TABLES:
        assert rows(index, table) == rows(tmp_path / "local", table), table
    assert files.exists(f"{bucket}/answers/_SUCCESS")
    assert 5 < answers < first
    system, path = FileSystem.from_uri(f"{bucket}/answers")
    assert pq.read_table(path, filesystem=system).num_rows == answers
    assert "_building" not in listed(f"{bucket}/answers")
    assert len(listed(f"{bucket}/index")) == 2


def answers_that_fail(index: Path, out: str) -> None:
    """A join that ends when its draft has begun."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "_bits", stop)
        spark.precompute(index, out, Filters(k=1))


def index_that_fails(sources: list[str], index: str) -> None:
    """A build that ends when all tables are there and the manifest is not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_publish_there", stop)
        spark.build(sources, index)


def stop(*_: object) -> None:
    raise OSError(28, "No space left on device")


@needs_java
@pytest.mark.slow
def test_an_index_there_stays_whole_until_another_is(bucket: str, tmp_path: Path) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    source, there = f"{bucket}/sites.warc.gz", f"{bucket}/index"
    files.copied(archive, source)
    with driver("local[2]") as started:
        started.run(spark.build, source, there)
        (first,) = listed(there) - {"manifest.json"}
        with pytest.raises(OSError, match="No space left"):
            started.run(index_that_fails, [source], there)
        pagekin.open(fetched(there, tmp_path / "before")).check()
        assert len(listed(there)) == 4
        started.run(spark.build, source, there)
    pagekin.open(fetched(there, tmp_path / "after")).check()
    assert len(listed(there) - {first}) == len(listed(there)) == 2


def test_a_folder_there_is_like_one_here(bucket: str, tmp_path: Path) -> None:
    for folder in (Folder(f"{bucket}/work"), Folder(str(tmp_path / "work"))):
        folder.write("stage/mark.json", b"[1]")
        assert folder.exists("stage/mark.json")
        assert not folder.exists("stage/other")
        assert folder.within("stage").read("mark.json") == b"[1]"
        (tmp_path / "file").write_bytes(b"content")
        folder.put(tmp_path / "file", "parts/00001")
        assert not (tmp_path / "file").exists()
        with folder.local("parts/00001") as path:
            assert path.read_bytes() == b"content"
        folder.remove()
        assert not folder.exists("parts/00001")
