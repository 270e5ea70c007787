"""The sample crawl, read back by warcio."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from pagekin.sample import sample_directory, sample_sites
from pagekin.sample.pack import write_sample

Captures = dict[str, tuple[str, bytes]]


@pytest.fixture(scope="module")
def captures(crawl: Path) -> Captures:
    """Content type and body by URL, in the order of the file; digests are checked on the way."""
    found = {}
    with crawl.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response" and record.http_headers:
                url = record.rec_headers.get_header("WARC-Target-URI") or ""
                found[url] = (record.http_headers.get_header("Content-Type") or "", body)
    return found


def file_of(url: str) -> Path:
    path = sample_sites() / url.removeprefix("http://")
    return path / "index.html" if url.endswith("/") else path


def test_pages_are_packed_byte_for_byte(captures: Captures, tmp_path: Path) -> None:
    assert len(captures) == write_sample(tmp_path / "again.warc.gz")
    assert {file_of(url) for url in captures} == set(sample_sites().rglob("*.html"))
    for url, (_, body) in captures.items():
        assert file_of(url).read_bytes() == body


def test_packing_is_deterministic(crawl: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.warc.gz"
    write_sample(again)
    assert again.read_bytes() == crawl.read_bytes()


def test_records_are_gzip_members_without_a_date(crawl: Path, captures: Captures) -> None:
    assert crawl.read_bytes()[4:8] == bytes(4)
    assert crawl.read_bytes().count(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02") == len(captures) + 1


def test_records_are_ordered_by_url(captures: Captures) -> None:
    assert list(captures) == sorted(captures)


def test_pages_that_are_not_utf8_declare_their_encoding(captures: Captures) -> None:
    undeclared = [body for kind, body in captures.values() if kind == "text/html"]
    assert undeclared
    for body in undeclared:
        assert re.search(rb"<meta[^>]*iso-8859-1", body, re.IGNORECASE)
    kinds = {kind for kind, _ in captures.values()}
    assert kinds == {"text/html", "text/html; charset=utf-8"}


def test_sample_has_at_least_80_pages_on_12_hosts(captures: Captures) -> None:
    assert len(captures) >= 80
    assert len({url.split("/")[2] for url in captures}) >= 12


def test_pages_of_the_directory_are_in_the_crawl(captures: Captures) -> None:
    listed = set(re.findall(r"http://\S+", sample_directory().read_text()))
    assert listed
    assert listed <= set(captures)


def pack(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pagekin.sample.pack", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_pack_script_writes_the_crawl(crawl: Path, tmp_path: Path) -> None:
    done = pack(str(tmp_path / "out.warc.gz"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.warc.gz").read_bytes() == crawl.read_bytes()


@pytest.mark.parametrize("arguments", [(), ("no/such/folder/out.warc.gz",), ("a", "b")])
def test_pack_script_reports_errors_in_one_line(arguments: tuple[str, ...]) -> None:
    done = pack(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
