"""The same crawl gives the same bytes, whatever the resources and the order of files.

The crawl is the sample several times over on other hosts, linked across, so that it is cut into
many runs; every file's checksum and the manifest must be equal.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.index import TABLES
from pagekin.strategy import Concept, Fit, Kinds, Strategy
from pagekin.work.settings import Settings
from tests.crawls import SCHOOLS, manifest, read_table, read_warc, spread
from tests.engines.test_random import Cut
from tests.reference import Capture

COPIES = 6
# Fewer pages than there are, so that which ones are taken shows.
ALL_KINDS = Strategy(
    kinds=Kinds(link=1, concept=1, topic=1),
    concept=Concept(components=9, mixed=8, cited=0.5, pages=150),
    fit=Fit(weights=True),
)
WAYS = {
    "one-thread": Settings(threads=1),
    "two-threads": Settings(threads=2),
    "three-threads": Settings(threads=3),
    "one-megabyte": Settings(memory=1_000_000, threads=2),
    "ten-megabytes": Settings(memory=10_000_000, threads=1),
    "one-partition": Cut(threads=2, run=1 << 30, bits=0),
    "many-runs": Cut(threads=3, run=50_000, bits=5),
    "a-run-a-page": Cut(threads=1, run=1, bits=2),
    "many-partitions": Cut(threads=2, run=1 << 20, bits=7),
}


@pytest.fixture(scope="module")
def captures(crawl: Path) -> list[Capture]:
    """Copies of the sample; every second copy's links lead into the sample itself."""
    sample = list(read_warc(crawl))
    return [copied(capture, copy) for copy in range(COPIES) for capture in sample]


def copied(capture: Capture, copy: int) -> Capture:
    host = b".copy%d.example" % copy if copy else b".example"
    body = capture.body.replace(b".example", host) if copy % 2 else capture.body
    url = capture.url.replace(".example", host.decode())
    # A date in three is that of another copy, a URL in fifty is captured twice.
    return capture._replace(url=url, body=body, date=(capture.date or 0) + copy % 3)


def twins(captures: list[Capture]) -> list[Capture]:
    """Some captures at another address."""
    return [each._replace(url=each.url.replace("http:", "https:")) for each in captures[1::15]]


@pytest.fixture(scope="module")
def files(captures: list[Capture], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    again = [capture._replace(date=5, body=b"<p>older") for capture in captures[::50]]
    return spread(tmp_path_factory.mktemp("files"), [*captures, *again, *twins(captures)], 10)


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return built(files, tmp_path_factory.mktemp("expected") / "index", Settings())


def built(files: Sequence[Path], index: Path, settings: Settings) -> dict[str, Any]:
    """The manifest, which has the checksum of every file; the index is gone."""
    pagekin.build(files, index, strategy=ALL_KINDS, settings=settings)
    described = manifest(index)
    shutil.rmtree(index)
    return described


@pytest.mark.parametrize("way", WAYS)
def test_index_does_not_depend_on_threads_memory_or_partitions(
    way: str, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert built(files, tmp_path / "index", WAYS[way]) == expected


@pytest.mark.parametrize("order", [slice(None, None, -1), slice(3, None), slice(None, None, 2)])
def test_index_does_not_depend_on_the_order_of_files(
    order: slice, files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    first = files[order]
    ordered = first + [path for path in files if path not in first]
    settings = Settings(threads=2, memory=1_000_000)
    assert built(ordered, tmp_path / "index", settings) == expected


def test_file_given_twice_does_not_change_the_index(
    files: list[Path], expected: dict[str, Any], tmp_path: Path
) -> None:
    assert built([*files, *files[:3]], tmp_path / "index", Settings(threads=2)) == expected


@pytest.mark.parametrize("parts", [1, 3])
def test_distribution_over_files_changes_only_file_and_offset(
    parts: int, captures: list[Capture], tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    pagekin.build(spread(tmp_path / "one", captures, 10), tmp_path / "a", strategy=ALL_KINDS)
    pagekin.build(spread(tmp_path / "other", captures, parts), tmp_path / "b", strategy=ALL_KINDS)
    for table in set(TABLES) - {"pages", "captures", "sums"}:
        name = f"{table}-00000.arrow"
        assert manifest(tmp_path / "a")["files"][name] == manifest(tmp_path / "b")["files"][name]
    for table in ("pages", "captures"):
        one, other = (
            read_table(tmp_path / index, table).drop_columns(["file", "offset"]) for index in "ab"
        )
        assert one.equals(other)


@pytest.mark.parametrize("shard_urls", [20, 100, 700])
def test_shards_contain_the_same_rows(shard_urls: int, files: list[Path], tmp_path: Path) -> None:
    pagekin.build(files, tmp_path / "one", strategy=ALL_KINDS)
    finer = Settings(threads=2, shard_urls=shard_urls)
    pagekin.build(files, tmp_path / "many", strategy=ALL_KINDS, settings=finer)
    again = replace(finer, threads=1, memory=1_000_000)
    assert built(files, tmp_path / "again", again) == manifest(tmp_path / "many")
    assert manifest(tmp_path / "many")["shards"] > 1
    for table in set(TABLES) - {"inverse", "holders", "sums", "terms"}:
        one, many = (read_table(tmp_path / index, table) for index in ("one", "many"))
        assert one.equals(many)


@pytest.mark.slow
@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz: see docs/data.md")
def test_builds_of_schools_are_identical(tmp_path: Path) -> None:
    captures = list(read_warc(SCHOOLS))[::3]
    files = spread(tmp_path, captures, 10)
    expected = built(files, tmp_path / "index", Settings(threads=1))
    for settings in (
        Settings(threads=2, memory=1_000_000),
        Settings(threads=3),
        Cut(threads=2, run=1 << 20, bits=9),
    ):
        files.reverse()
        assert built(files, tmp_path / "index", settings) == expected
