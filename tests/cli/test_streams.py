"""Closed standard streams: the work is done, and its exit code stays."""

from pathlib import Path

import pytest

import pagekin
from tests.archives import FEW_PARTS, CommandResult, spawn

GOOD = "http://good.example/"


def with_closed(streams: str, *words: str | Path) -> CommandResult:
    return spawn(*words, under=["sh", "-c", f'exec "$@" {streams}', "sh"])


@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_build_succeeds_with_closed_streams(tmp_path: Path, one_page: Path, streams: str) -> None:
    ran = with_closed(streams, "index", one_page, "-o", tmp_path / "index")
    assert ran.code == 0
    assert pagekin.open(tmp_path / "index").show(GOOD).crawled
    pagekin.open(tmp_path / "index").check()


def test_closed_standard_output_is_reported_on_stderr(tmp_path: Path, one_page: Path) -> None:
    ran = with_closed(">&-", "index", one_page, "-o", tmp_path / "index")
    assert ran.last == (
        "pagekin: standard output is closed, so nothing was printed; "
        "redirect it to a file or /dev/null"
    )
    ran = with_closed("2>&-", "index", one_page, "-o", tmp_path / "index")
    assert ran.out.startswith("1 page ")
    ran = with_closed("2>&-", "index", one_page, tmp_path / "none.warc", "-o", tmp_path / "index")
    assert (ran.code, ran.err) == (2, "")


def test_closed_standard_input_reads_as_empty(tmp_path: Path) -> None:
    ran = with_closed("<&-", "index", "-", "-o", tmp_path / "index", *FEW_PARTS)
    assert ran.code == 2
    assert ran.last == (
        "pagekin: - at offset 0: is empty; fetch or write it again, or leave it out"
    )
