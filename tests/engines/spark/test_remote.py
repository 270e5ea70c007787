"""Builds with sources and index on S3, against a local S3 server."""

import importlib
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyarrow.fs import FileSystem

import pagekin
from pagekin.crawl import Source, remote
from pagekin.engines import spark
from pagekin.engines.spark.plan import source_states
from pagekin.engines.spark.work_folder import Folder
from pagekin.errors import EngineError
from pagekin.query import Filters
from pagekin.strategy import Strategy
from tests.crawls import rows
from tests.engines.spark.clusters import Driver, needs_java
from tests.engines.test_random import Cut
from tests.pairs.crawl import write_sites
from tests.storage import Storage, listed

build = importlib.import_module("pagekin.engines.spark.build")
table = importlib.import_module("pagekin.engines.spark.answer_table")
COARSE = Cut(threads=1, bits=1)


def fetched(uri: str, folder: Path) -> Path:
    """Download a remote index."""
    remote.download(f"{uri}/manifest.json", _made(folder / "manifest.json"))
    manifest = pagekin.index.Manifest.read(folder)
    for name in manifest.files:
        remote.download(f"{uri}/{manifest.folder}/{name}", _made(folder / manifest.folder / name))
    return folder


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@needs_java
@pytest.mark.slow
def test_build_from_s3_to_s3_equals_a_local_build(
    bucket: str, two_cores: Driver, tmp_path: Path
) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    names = [f"{bucket}/crawl/{number}.warc.gz" for number in range(2)]
    for name in names:
        remote.upload(archive, name)
    missing = f"{bucket}/crawl/missing.warc.gz"
    sources, there = [*names, missing], f"{bucket}/index"
    summary = two_cores.run(spark.build, sources, there, settings=COARSE)
    assert summary.pages == 10
    assert [failure.source for failure in summary.failures] == [missing]
    assert len(listed(there)) == 2
    pagekin.build(names, tmp_path / "local")
    assert_same(fetched(there, tmp_path / "index"), tmp_path / "local")


def assert_same(index: Path, expected: Path) -> None:
    """Two sound indexes with the same rows."""
    pagekin.open(index).check()
    for table in pagekin.index.TABLES:
        assert rows(index, table) == rows(expected, table), table


@needs_java
@pytest.mark.slow
def test_remote_answers_stay_until_new_ones_are_complete(
    bucket: str, two_cores: Driver, tmp_path: Path
) -> None:
    index, there = tmp_path / "index", f"{bucket}/answers"
    pagekin.build(write_sites(tmp_path / "sites.warc.gz"), index)
    first = two_cores.run(spark.precompute, index, there, Filters(k=3))
    with pytest.raises(OSError, match="No space left"):
        two_cores.run(answers_that_fail, index, there)
    assert remote.exists(f"{there}/_SUCCESS")
    answers = two_cores.run(spark.precompute, index, there, Filters(k=2))
    assert remote.exists(f"{there}/_SUCCESS")
    assert 5 < answers < first
    system, path = FileSystem.from_uri(there)
    assert pq.read_table(path, filesystem=system).num_rows == answers
    assert "_building" not in listed(there)


def answers_that_fail(index: Path, out: str) -> None:
    """A join that fails after its draft was started."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "_bits", stop)
        spark.precompute(index, out, Filters(k=1))


def index_that_fails(sources: list[str], index: str) -> None:
    """A build that stops after the tables and before the manifest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_publish_there", stop)
        spark.build(sources, index, settings=COARSE)


def stop(*_: object) -> None:
    raise OSError(28, "No space left on device")


@needs_java
@pytest.mark.slow
def test_remote_index_stays_sound_until_a_new_one_is_published(
    bucket: str, two_cores: Driver, tmp_path: Path
) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    source, there = f"{bucket}/sites.warc.gz", f"{bucket}/index"
    remote.upload(archive, source)
    two_cores.run(spark.build, source, there, settings=COARSE)
    (first,) = listed(there) - {"manifest.json"}
    with pytest.raises(OSError, match="No space left"):
        two_cores.run(index_that_fails, [source], there)
    pagekin.open(fetched(there, tmp_path / "before")).check()
    assert len(listed(there)) == 4
    two_cores.run(spark.build, source, there, settings=COARSE)
    pagekin.open(fetched(there, tmp_path / "after")).check()
    assert len(listed(there) - {first}) == len(listed(there)) == 2


@needs_java
@pytest.mark.slow
def test_interrupted_download_fails_the_build_and_a_rerun_succeeds(
    storage: Storage, bucket: str, two_cores: Driver, tmp_path: Path
) -> None:
    archive, index = write_sites(tmp_path / "sites.warc.gz"), tmp_path / "index"
    names = [f"{bucket}/{name}.warc.gz" for name in ("whole", "torn")]
    for name in names:
        remote.upload(archive, name)
    storage.torn.add("torn.warc.gz")
    message = r"torn\.warc\.gz at offset \d+: cannot be reached .*finished stages are kept"
    try:
        with pytest.raises(EngineError, match=message):
            two_cores.run(spark.build, names, index, settings=COARSE)
    finally:
        storage.torn.clear()
    assert not (index / "manifest.json").exists()
    two_cores.run(spark.build, names, index, settings=COARSE)
    pagekin.build(names, tmp_path / "local")
    assert_same(index, tmp_path / "local")


def test_replaced_remote_file_changes_the_fingerprint(bucket: str, tmp_path: Path) -> None:
    source = f"{bucket}/sites.warc.gz"
    archive = write_sites(tmp_path / "sites.warc.gz")
    remote.upload(archive, source)
    (before,) = source_states([Source(source)])
    assert before.is_as_it_was()
    assert source_states([Source(source)]) == [before]
    archive.write_bytes(archive.read_bytes() + b" ")
    remote.upload(archive, source)
    assert not before.is_as_it_was()
    (after,) = source_states([Source(source)])
    strategy = Strategy()
    marks = {build._fingerprint([one], (strategy, None), COARSE, 1) for one in (before, after)}
    assert len(marks) == 2
    assert build._fingerprint([before], (strategy, None), COARSE, 1) in marks


def test_remote_work_folder_behaves_like_a_local_one(bucket: str, tmp_path: Path) -> None:
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
