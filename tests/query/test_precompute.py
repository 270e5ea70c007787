"""The table of all answers, against single queries."""

import importlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin import Filters, _core
from pagekin.query.filters import ExclusionLists
from pagekin.query.precompute import exclusions_by_page
from pagekin.strategy import presets
from tests.archives import run
from tests.crawls import SCHOOLS, build_pages
from tests.query.indexes import Built, sample

# A shell without job control switches Ctrl-C off for what runs beside it.
LISTENING = """
import signal, sys
from pagekin.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:]))
"""
module = importlib.import_module("pagekin.query.precompute")
Rows = list[tuple[str, int, str, float]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory.mktemp("precompute"))


@pytest.fixture(scope="module")
def sharded(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Built:
    index = tmp_path_factory.mktemp("sharded") / "index"
    settings = pagekin.Settings(shard_urls=20)
    pagekin.build(built.path.parent / "sample.warc.gz", index, settings=settings)
    return Built(index)


def read(path: Path) -> Rows:
    table = pq.read_table(path).to_pylist()
    return [(row["url"], row["rank"], row["related"], round(row["score"], 5)) for row in table]


def single(built: Built, filters: Filters) -> Rows:
    """The same by one query per page, in order of ids."""
    rows: Rows = []
    for _, url in sorted(built.urls.items()):
        hits = built.index.related(url, filters=filters).hits
        rows += [(url, rank, hit.url, round(hit.score, 5)) for rank, hit in enumerate(hits, 1)]
    return rows


def same(found: Rows, expected: Rows) -> bool:
    """Equal up to the last digit of a 32-bit score."""
    return [row[:3] for row in found] == [row[:3] for row in expected] and all(
        abs(row[3] - other[3]) < 2e-5 for row, other in zip(found, expected, strict=True)
    )


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(k=1),
        Filters(k=40),
        Filters(k=5, min_score=0.1),
        Filters(k=3, group_by_site=True),
        Filters(k=4, exclude_site=True),
        Filters(k=4, exclude_linked=True),
        Filters(k=4, min_agreement=0.1),
        Filters(k=4, exact=True, copy_score=0.5),
    ],
    ids=str,
)
def test_precomputed_answers_match_single_queries(
    built: Built, tmp_path: Path, filters: Filters
) -> None:
    rows = built.index.precompute(tmp_path / "answers.parquet", filters=filters)
    found = read(tmp_path / "answers.parquet")
    assert rows == len(found) > 100
    assert same(found, single(built, filters))


def test_answers_do_not_depend_on_shards_or_threads(
    built: Built, sharded: Built, tmp_path: Path
) -> None:
    assert sharded.index.reader.manifest.shards > 1
    for number, index in enumerate((built.index, sharded.index)):
        for threads in (1, 3):
            index.precompute(tmp_path / f"{number}-{threads}.parquet", threads=threads)
    first, *others = (path.read_bytes() for path in sorted(tmp_path.glob("*-1.parquet")))
    assert read(tmp_path / "0-1.parquet") == read(tmp_path / "1-3.parquet")
    assert first == (tmp_path / "0-3.parquet").read_bytes()
    assert len(others) == 1


def test_answers_are_written_incrementally(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGES", 10)
    seen: list[int] = []

    class Watched(Progress):
        def advance(self, amount: int = 1) -> None:
            seen.append(amount)

    rows = built.index.precompute(tmp_path / "answers.parquet", threads=2, progress=Watched())
    table = pq.ParquetFile(tmp_path / "answers.parquet")
    assert (table.num_row_groups, table.metadata.num_rows) == (15, rows)
    assert seen == [10] * 14 + [2]


class Progress:
    """Progress that does nothing."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        pass

    def advance(self, amount: int = 1) -> None:
        pass

    def done(self) -> None:
        pass


def test_columns_match_the_documentation(built: Built, tmp_path: Path) -> None:
    built.index.precompute(tmp_path / "answers.parquet")
    schema = pq.read_schema(tmp_path / "answers.parquet")
    assert [(field.name, str(field.type), field.nullable) for field in schema] == [
        ("url", "string", False),
        ("rank", "uint32", False),
        ("related", "string", False),
        ("score", "float", False),
    ]


def test_pages_without_related_pages_have_no_row(tmp_path: Path) -> None:
    pages = {"a": "garden roses", "b": "garden", "c": "lightning", "d": "the of"}
    index = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    assert index.precompute(tmp_path / "answers.parquet") == 2
    assert {row[0] for row in read(tmp_path / "answers.parquet")} == {
        "http://t.example/a.html",
        "http://t.example/b.html",
    }


def test_index_without_related_pages_gives_an_empty_table(tmp_path: Path) -> None:
    index = pagekin.open(build_pages(tmp_path, {"a": "garden"}, presets()["content"]))
    assert index.precompute(tmp_path / "answers.parquet") == 0
    assert pq.read_table(tmp_path / "answers.parquet").schema.names == [
        *("url", "rank", "related", "score")
    ]


def test_precompute_command_writes_answers_and_reports_rows(
    built: Built, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.parquet"
    path.write_text("what was there before")
    ran = run(capfd, "precompute", built.path, "-o", path, "-k", "2", "--min-score", "0.05")
    found = read(path)
    assert (ran.code, ran.out) == (0, f"{len(found):,} rows in {path}\n")
    assert same(found, single(built, Filters(k=2, min_score=0.05)))
    assert [entry.name for entry in tmp_path.iterdir()] == ["answers.parquet"]
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("flag", ["--exclude-site", "--exclude-linked", "--group-by-site"])
def test_precompute_command_applies_filter_flags(
    built: Built, tmp_path: Path, capfd: pytest.CaptureFixture[str], flag: str
) -> None:
    path = tmp_path / "answers.parquet"
    assert run(capfd, "precompute", built.path, "-o", path, "-k", "2", flag).code == 0
    name = flag.removeprefix("--").replace("-", "_")
    filters: dict[str, Any] = {name: True}
    assert same(read(path), single(built, replace(Filters(k=2), **filters)))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("nowhere/answers.parquet", "create the folder first, or choose another place"),
        (".", "(it is a folder); name a file"),
        ("file/answers.parquet", "choose another place: what should be a folder is a file"),
    ],
)
def test_unwritable_output_is_reported(
    built: Built, tmp_path: Path, capfd: pytest.CaptureFixture[str], place: str, said: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    ran = run(capfd, "precompute", built.path, "-o", tmp_path / place)
    assert (ran.code, ran.out) == (2, "")
    assert f"{tmp_path / place}: the answers cannot be written (" in ran.last
    assert ran.last.endswith(said)
    assert "pages" not in ran.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("words", [("-k", "0"), ("-k", "x"), ("--threads", "0"), ()])
def test_bad_arguments_are_rejected(
    built: Built, tmp_path: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    output = ("-o", str(tmp_path / "answers.parquet")) if words else ()
    ran = run(capfd, "precompute", built.path, *output, *words)
    assert ran.code == 2
    assert not list(tmp_path.iterdir())


def test_failure_keeps_the_old_file(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGES", 10)
    path = tmp_path / "answers.parquet"
    path.write_text("what was there before")

    class Failing(Progress):
        def advance(self, amount: int = 1) -> None:
            raise KeyboardInterrupt(amount)

    with pytest.raises(KeyboardInterrupt):
        built.index.precompute(path, progress=Failing())
    assert path.read_text() == "what was there before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["answers.parquet"]


@pytest.mark.slow
@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz: see docs/data.md")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_killed_process_leaves_no_partial_file(tmp_path: Path, end: signal.Signals) -> None:
    pagekin.build(SCHOOLS, tmp_path / "index")
    path = tmp_path / "answers.parquet"
    child = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "precompute", str(tmp_path / "index"), "-o", str(path)],
        stderr=subprocess.PIPE,
        text=True,
    )
    while child.poll() is None and not [*tmp_path.glob(".answers.parquet.*")]:
        time.sleep(0.01)
    child.send_signal(end)
    _, told = child.communicate(timeout=60)
    assert child.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    assert not path.exists()
    assert "Traceback" not in told
    if end == signal.SIGINT:
        assert not [*tmp_path.glob(".answers.parquet.*")]


def test_best_of_given_candidates_are_returned(sharded: Built) -> None:
    searcher = sharded.index.reader.searcher
    shards = enumerate(searcher.rows())
    every = [_core.PageRef(shard, row) for shard, rows in shards for row in range(rows)]
    for filters in (Filters(k=3), Filters(k=2, exclude_site=True), Filters(k=1, min_score=0.3)):
        options = replace(filters, exact=True).options(ExclusionLists())
        excluded = exclusions_by_page(sharded.index.reader, filters)
        page = every[7]
        wanted = searcher.answers(page.shard, page.row, page.row + 1, options, excluded)
        among = searcher.answers_among([[page, *every]], options, excluded)
        assert among.equals(wanted)
        few = searcher.answers_among([[page, *every[:5]], [every[8]], []], options, excluded)
        allowed = {searcher.page_meta(place).url for place in every[:5]}
        assert {*few.column("related").to_pylist()} <= allowed
