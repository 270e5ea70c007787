"""`pagekin add`, `remove`, `compact` and `merge`, as people use them and misuse them."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import pagekin
from pagekin.index import Manifest
from pagekin.strategy import presets
from pagekin.work.files import hold_lock
from tests.archives import CommandResult, members, page, run

Call = Callable[..., CommandResult]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    return partial(run, capfd)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    crawl = tmp_path / "crawl.warc.gz"
    crawl.write_bytes(members(page("one"), page("two"), page("three")))
    pagekin.build(crawl, tmp_path / "index", strategy=presets()["content"])
    return tmp_path / "index"


def pages(index: Path) -> list[str]:
    with pagekin.open(index) as opened:
        batches = opened.reader.tables["pages"].batches()
        return sorted(str(url) for batch in batches for url in batch.column("url").to_pylist())


def folder(index: Path) -> str:
    return Manifest.read(index).folder


def test_pages_come_and_go(call: Call, index: Path, tmp_path: Path) -> None:
    before = folder(index)
    more = tmp_path / "more.warc.gz"
    more.write_bytes(members(page("four")))
    assert call("add", index, more).code == 0
    assert len(pages(index)) == 4
    assert call("remove", index, "http://four.example/").code == 0
    assert folder(index) == before


def test_adding_known_captures_changes_nothing(call: Call, index: Path, tmp_path: Path) -> None:
    before = folder(index)
    result = call("add", index, tmp_path / "crawl.warc.gz")
    assert result.code == 0 and "nothing has changed" in result.out
    assert folder(index) == before
    result = call("compact", index, "--json")
    assert json.loads(result.out)["changed"] is False


def test_pages_are_removed_by_prefix_site_and_list(call: Call, index: Path, tmp_path: Path) -> None:
    assert call("remove", index, "--prefix", "http://t").code == 0
    assert pages(index) == ["http://one.example/"]
    assert call("add", index, tmp_path / "crawl.warc.gz").code == 0
    assert call("remove", index, "--site", "one.example").code == 0
    assert pages(index) == ["http://three.example/", "http://two.example/"]
    listed = tmp_path / "list.txt"
    listed.write_text("# gone\nhttp://three.example/\n")
    assert call("remove", index, f"@{listed}").code == 0
    assert pages(index) == ["http://two.example/"]


def test_unknown_pages_are_all_named_and_nothing_is_removed(call: Call, index: Path) -> None:
    before = folder(index)
    words = ["http://one.example/", "http://gone.example/", "http://lost.example/"]
    result = call("remove", index, *words, "--site", "never.example")
    assert result.code == 1
    for word in (*words[1:], "never.example"):
        assert word in result.err
    assert words[0] not in result.err
    assert folder(index) == before


def test_removing_nothing_or_everything_is_refused(call: Call, index: Path) -> None:
    result = call("remove", index)
    assert result.code == 2 and "nothing to remove was named" in result.err
    result = call("remove", index, "--prefix", "http://")
    assert result.code == 2 and "no page was found" in result.err
    assert len(pages(index)) == 3


def test_broken_source_is_named_and_nothing_lost(call: Call, index: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(b"not an archive")
    before = folder(index)
    result = call("add", index, broken)
    assert result.code == 2 and str(broken) in result.err
    assert folder(index) == before


def test_damaged_index_is_refused_as_a_source(call: Call, index: Path) -> None:
    path = index / folder(index) / "layouts-00000.arrow"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    before = Manifest.read(index)
    result = call("compact", index)
    assert result.code == 2 and "layouts-00000.arrow" in result.err
    assert Manifest.read(index) == before


def test_merged_indexes_are_that_of_both_crawls(call: Call, index: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.warc.gz"
    more.write_bytes(
        members(page("four"), page("one", "newer words", WARC_Date="2021-01-01T00:00:00Z"))
    )
    other, both, fresh = (tmp_path / name for name in ("other", "both", "fresh"))
    content = ("--strategy", "content")
    assert call("index", more, "-o", other, *content).code == 0
    assert call("merge", index, other, "-o", both).code == 0
    assert call("index", more, tmp_path / "crawl.warc.gz", "-o", fresh, *content).code == 0
    assert folder(both) == folder(fresh)


def test_indexes_of_two_strategies_are_merged_by_the_one_that_is_named(
    call: Call, index: Path, tmp_path: Path
) -> None:
    other, both = tmp_path / "other", tmp_path / "both"
    assert call("index", index, "-o", other, "--strategy", "anchor").code == 0
    result = call("merge", index, other, "-o", both)
    assert result.code == 2 and "--strategy" in result.err
    assert call("merge", index, other, "-o", both, "--strategy", "content").code == 0
    assert folder(both) == folder(index)


def test_second_writer_learns_who_writes(call: Call, index: Path) -> None:
    with hold_lock(index, "build"):
        result = call("compact", index)
    assert result.code == 2
    assert (
        f"another build is writing here; wait until it ends (process {os.getpid()} on "
        in result.err
    )
    assert {path.name for path in index.iterdir()} == {"manifest.json", folder(index)}


def test_folder_without_an_index_is_not_updated(call: Call, tmp_path: Path) -> None:
    for words in (
        ["add", tmp_path, "x.warc"],
        ["remove", tmp_path, "http://a.example/"],
        ["compact", tmp_path],
    ):
        result = call(*words)
        assert result.code == 2 and "contains no index" in result.err


def test_readers_go_on_with_what_they_have_opened(index: Path) -> None:
    with pagekin.open(index) as opened:
        before = [hit.url for hit in opened.related("http://one.example/").hits]
        pagekin.remove(index, "http://two.example/")
        assert [hit.url for hit in opened.related("http://one.example/").hits] == before
        assert "http://two.example/" in before
    assert "http://two.example/" not in pages(index)
