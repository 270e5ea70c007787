"""Checksums are computed in the background, and their failures are reported."""

from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.engines.local import LocalBuild
from pagekin.errors import EngineError
from pagekin.index import IndexWriter
from pagekin.index.tables.checksums import ChecksumPool, checksum_pool


def test_checksums_of_the_pool_are_those_of_the_files(tmp_path: Path) -> None:
    paths = [tmp_path / str(size) for size in (0, 1, 4096, 10_000)]
    with checksum_pool(2) as begun:
        for path in paths:
            path.write_bytes(b"oak " * int(path.name))
            begun.begin(path)
        for path in paths:
            found, expected = begun.sums(path), _core.checksums(path)
            assert (found.whole, found.blocks) == (expected.whole, expected.blocks)


def test_missing_file_is_reported_when_its_checksums_are_requested(tmp_path: Path) -> None:
    with checksum_pool(1) as begun:
        begun.begin(tmp_path / "missing")
        with pytest.raises(FileNotFoundError):
            begun.sums(tmp_path / "missing")


def test_checksums_of_texts_start_before_sites_are_built(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    seen: list[list[str]] = []
    begin, sites = ChecksumPool.begin, LocalBuild._sites
    monkeypatch.setattr(ChecksumPool, "begin", lambda self, path: begin(self, _noted(path, begun)))

    def noted_sites(build: LocalBuild, writer: IndexWriter) -> object:
        seen.append([*begun])
        return sites(build, writer)

    monkeypatch.setattr(LocalBuild, "_sites", noted_sites)
    pagekin.build(crawl, tmp_path / "index")
    tables = ("pages", "texts", "layouts", "standby", "links", "captures", "aliases")
    assert seen == [[f"{table}-00000.arrow" for table in tables]]
    assert len(begun) == len({*begun})


def test_failed_sync_fails_the_build_and_keeps_the_old_index(
    crawl: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (index / "manifest.json").read_bytes()

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("pagekin.index.tables.checksums.sync_file", full)
    with pytest.raises(EngineError, match="No space left"):
        pagekin.build(crawl, index)
    assert (index / "manifest.json").read_bytes() == before
    assert not list(index.glob(".building-*"))


def _noted(path: Path, begun: list[str]) -> Path:
    begun.append(path.name)
    return path
