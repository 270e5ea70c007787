"""Sources on S3, against a local S3 server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin
from pagekin.crawl import Source, changes_of, open_feed, remote, resolve_sources
from pagekin.crawl.feed import NamedSource
from pagekin.errors import CrawlError, InputError
from pagekin.work.settings import Settings
from tests.crawls import rows
from tests.pairs.crawl import write_sites
from tests.storage import bucket, storage

__all__ = ["bucket", "storage"]


def test_crawl_on_s3_gives_the_same_index_as_local_files(tmp_path: Path, bucket: str) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    names = [f"{bucket}/crawl/{number}.warc.gz" for number in range(5)]
    for name in names:
        remote.upload(archive, name)
    (tmp_path / "list").write_text("\n".join(names))
    remote.upload(tmp_path / "list", f"{bucket}/warc.paths")
    summary = pagekin.build(f"@{bucket}/warc.paths", tmp_path / "there", settings=Settings())
    here = [tmp_path / f"{number}.warc.gz" for number in range(5)]
    for path in here:
        path.write_bytes(archive.read_bytes())
    expected = pagekin.build(here, tmp_path / "here")
    assert (summary.pages, summary.superseded) == (expected.pages, expected.superseded)
    assert summary.bytes_read == expected.bytes_read == 5 * archive.stat().st_size
    places = [
        {(row["url"], row["offset"], Path(row["file"] or "").name) for row in rows(index, "pages")}
        for index in (tmp_path / "there", tmp_path / "here")
    ]
    assert places[0] == places[1]
    assert {row["file"] for row in rows(tmp_path / "there", "pages")} <= {*names, None}
    for table in ("bags", "sketches", "ranks", "arcs", "postings"):
        assert rows(tmp_path / "there", table) == rows(tmp_path / "here", table)


def test_missing_object_is_reported_and_the_rest_is_indexed(tmp_path: Path, bucket: str) -> None:
    remote.upload(write_sites(tmp_path / "sites.warc.gz"), f"{bucket}/sites.warc.gz")
    missing, nowhere = f"{bucket}/missing.warc.gz", "nothing://at/all"
    summary = pagekin.build([missing, f"{bucket}/sites.warc.gz", nowhere], tmp_path / "index")
    assert summary.pages == 10
    assert [failure.source for failure in summary.failures] == [nowhere, missing]
    assert all("cannot be reached" in failure.reason for failure in summary.failures)
    with pytest.raises(CrawlError, match=r"missing\.warc\.gz"):
        pagekin.build(missing, tmp_path / "none")
    with pytest.raises(CrawlError, match="the list cannot be read"):
        resolve_sources([f"@{missing}"])


def test_interrupted_download_fails_the_build(
    tmp_path: Path, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    remote.upload(archive, f"{bucket}/sites.warc.gz")
    monkeypatch.setattr(remote, "CHUNK", 1000)
    whole = remote.chunks

    def broken(uri: str) -> Iterator[bytes]:
        yield next(whole(uri))
        raise InputError("connection reset", source=uri, advice="")

    monkeypatch.setattr(remote, "chunks", broken)
    sources = [str(archive), *[f"{bucket}/sites.warc.gz"] * 5]
    with pytest.raises(InputError, match=r"sites\.warc\.gz at offset 1000: connection reset"):
        pagekin.build(sources, tmp_path / "index")
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("cause", "missing"),
    [
        (FileNotFoundError(2, "no such key"), True),
        (PermissionError(13, "not for you"), True),
        (OSError("AWS Error ACCESS_DENIED during HeadObject operation"), True),
        (OSError("AWS Error UNKNOWN (HTTP status 403) during HeadObject operation"), True),
        (OSError("AWS Error UNKNOWN (HTTP status 503) during GetObject operation"), False),
        (OSError("AWS Error NETWORK_CONNECTION during GetObject operation"), False),
    ],
)
def test_missing_objects_are_distinguished_from_temporary_failures(
    cause: Exception, missing: bool
) -> None:
    error = InputError("cannot be reached", source="s3://a/b", advice="")
    error.__cause__ = cause
    assert remote.is_missing(error) == missing


def test_unreachable_server_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    archive = write_sites(tmp_path / "sites.warc.gz")
    with pytest.raises(
        InputError, match=r"s3://gone/sites\.warc\.gz at offset 0: cannot be reached"
    ):
        pagekin.build([archive, "s3://gone/sites.warc.gz"], tmp_path / "index")


def test_remote_folders_are_listed_moved_and_removed(tmp_path: Path, bucket: str) -> None:
    (tmp_path / "file").write_bytes(b"content")
    for base in (bucket, tmp_path.as_uri()):
        remote.upload(tmp_path / "file", f"{base}/folder/name")
        assert remote.exists(f"{base}/folder/name")
        assert remote.sizes([f"{base}/folder/name", f"{base}/none"]) == [7, 0]
        remote.move(f"{base}/folder/name", f"{base}/folder/other")
        assert remote.list_files(f"{base}/folder") == ["other"]
        assert remote.list_files(f"{base}/none") == []
        remote.move(f"{base}/folder/other", f"{base}/folder/name")
        remote.download(f"{base}/folder/name", tmp_path / "back")
        assert (tmp_path / "back").read_bytes() == b"content"
        remote.remove(f"{base}/folder")
        remote.remove(f"{base}/folder")
        assert not remote.exists(f"{base}/folder/name")


def test_replaced_file_has_a_new_modification_time(tmp_path: Path, bucket: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    remote.upload(path, f"{bucket}/file")
    sources = [Source(name) for name in (f"{bucket}/file", path.as_uri(), str(path), "none")]
    before = changes_of(sources)
    os.utime(path, (1, 1))
    after = changes_of(sources)
    assert before[0] == after[0] > 0
    assert before[1] == before[2] > after[1] == after[2] == 10**9
    assert before[3] == after[3] == 0


def test_unopened_pipes_are_removed(tmp_path: Path) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    sources = [Source(archive.as_uri())] * 5
    with open_feed([*sources, Source(str(archive))], threads=2) as feed:
        pipes = [Path(source.path) for source in feed.sources if source.name]
        assert len(pipes) == 5
        assert all(pipe.is_fifo() for pipe in pipes)
        assert feed.sources[-1] == NamedSource(str(archive))
    assert not any(pipe.exists() for pipe in pipes)
    assert feed.all_failures([]) == []


def test_same_uri_may_be_given_twice(tmp_path: Path) -> None:
    archive = write_sites(tmp_path / "sites.warc.gz")
    summary = pagekin.build([archive.as_uri(), archive.as_uri()], tmp_path / "index")
    assert (summary.pages, summary.superseded) == (10, 10)
