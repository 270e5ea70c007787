"""A build whose sources and index are on S3, against a server of that kind on this machine."""

from pathlib import Path

import pytest

import pagekin
from pagekin import files
from pagekin.engines import spark
from pagekin.engines.spark.folder import Folder
from pagekin.query import Filters
from tests.crawls import rows
from tests.engines.spark.clusters import driver, needs_java
from tests.pairs.crawl import write_sites
from tests.storage import bucket, listed

__all__ = ["bucket"]


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
        answers = there.run(spark.precompute, tmp_path / "local", f"{bucket}/answers", Filters(k=2))
    assert summary.pages == 10
    assert [failure.source for failure in summary.failures] == [missing]
    index = fetched(f"{bucket}/index", tmp_path / "index")
    pagekin.open(index).check()
    for table in pagekin.index.TABLES:
        assert rows(index, table) == rows(tmp_path / "local", table), table
    assert files.exists(f"{bucket}/answers/_SUCCESS")
    assert answers > 5
    assert len(listed(f"{bucket}/index")) == 2


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
