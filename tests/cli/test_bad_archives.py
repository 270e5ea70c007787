"""Archives in every state, on the command line: bad records are counted, the rest is indexed."""

import gzip
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import pagekin
from pagekin.cli.output import counted
from tests.archives import CommandResult, http, members, page, record, run
from tests.crawls import SHARED

DATA = SHARED / "archives"
GOOD, TWO = page("good"), page("two")
LONG = hashlib.shake_256(b"").hexdigest(500)
Indexer = Callable[..., CommandResult]


@pytest.fixture
def index(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Indexer:
    """Indexes these bytes or files; returns the result of the command."""

    def index(*sources: bytes | Path, options: tuple[str, ...] = ()) -> CommandResult:
        paths = []
        for number, source in enumerate(sources):
            if isinstance(source, bytes):
                paths.append(tmp_path / f"{number}.warc")
                paths[-1].write_bytes(source)
            else:
                paths.append(source)
        return run(capfd, "index", *paths, "-o", tmp_path / "index", *options)

    return index


def counts_line(ran: CommandResult) -> str:
    """Pages and skips of a summary."""
    pages, skipped, *_ = ran.out.splitlines()
    return f"{pages.partition(' from ')[0]}, {skipped}"


def with_length(change: int) -> bytes:
    block = http(b"<p>a page of the wrong length</p>")
    return record(block, "http://wrong.example/", Content_Length=str(len(block) + change))


@pytest.mark.parametrize(
    ("archive", "summary"),
    [
        pytest.param(members(GOOD, TWO)[:-30], "1 page, skipped: 1 truncated", id="cut gzip"),
        pytest.param(
            gzip.compress(GOOD + TWO + page("three", LONG))[:-99],
            "2 pages, skipped: 1 truncated",
            id="cut whole",
        ),
        pytest.param((GOOD + TWO)[:-60], "1 page, skipped: 1 truncated", id="cut plain"),
        pytest.param(
            GOOD + b"\x00\xffgarbage\r\n" * 99 + TWO, "2 pages, skipped: 1 damaged", id="garbage"
        ),
        pytest.param(
            members(GOOD) + b"\x1f\x8bgarbage" * 99 + members(TWO),
            "2 pages, skipped: 1 damaged",
            id="garbage between members",
        ),
        pytest.param(
            GOOD + with_length(40) + TWO, "2 pages, skipped: 1 truncated", id="length too large"
        ),
        pytest.param(
            GOOD + with_length(-20) + TWO, "3 pages, skipped: 1 damaged", id="length too small"
        ),
        pytest.param(
            GOOD + with_length(1 << 40) + TWO, "2 pages, skipped: 1 too large", id="length absurd"
        ),
        pytest.param(
            GOOD + record(http(b"x"), Content_Length="-5") + TWO,
            "2 pages, skipped: 1 bad WARC header",
            id="length negative",
        ),
        pytest.param(
            GOOD + record(http(b"x"), kind="") + TWO,
            "2 pages, skipped: 1 bad WARC header",
            id="no type",
        ),
        pytest.param(
            GOOD + record(http(b"x"), WARC_Target_URI="") + TWO,
            "2 pages, skipped: 1 no URL",
            id="no URL",
        ),
        pytest.param(
            GOOD + record(http(b"x"), WARC_Date="") + TWO, "3 pages, skipped: nothing", id="no date"
        ),
        pytest.param(
            GOOD + record(b"<p>no HTTP header</p>") + TWO,
            "2 pages, skipped: 1 bad HTTP header",
            id="no HTTP header",
        ),
        pytest.param(GOOD + record(http(b"")), "1 page, skipped: 1 empty body", id="no body"),
        pytest.param(
            GOOD + record(http(b"x"), "http://[bad/"), "1 page, skipped: 1 bad URL", id="bad URL"
        ),
        pytest.param(
            GOOD + record(http(b"x"), f"http://a.example/{'x' * (1 << 20)}") + TWO,
            "2 pages, skipped: 1 URL too long",
            id="URL of 1 MB",
        ),
        pytest.param(
            GOOD + record(http(b'<a href="http://b.example/' + b"x" * (1 << 20) + b'">b</a> c')),
            "2 pages, skipped: nothing",
            id="link of 1 MB",
        ),
        pytest.param(
            GOOD + record(http(b"\x1f\x8b\x08\x00" + b"?" * 99, "Content-Encoding: gzip")),
            "1 page, skipped: 1 bad encoding",
            id="bad content encoding",
        ),
        pytest.param(
            GOOD + record(http(b"x", "Content-Encoding: rot13")),
            "1 page, skipped: 1 bad encoding",
            id="unknown content encoding",
        ),
        pytest.param(
            GOOD + record(http(zlib.compress(bytes(20 << 20)), "Content-Encoding: deflate")) + TWO,
            "2 pages, skipped: 1 too large",
            id="bomb in a body",
        ),
    ],
)
def test_bad_records_are_counted_and_the_rest_is_indexed(
    index: Indexer, archive: bytes, summary: str
) -> None:
    ran = index(archive)
    assert (ran.code, counts_line(ran)) == (0, summary)


@pytest.mark.parametrize(
    ("content", "reason", "offset"),
    [
        pytest.param(b"", "is empty; fetch or write it again", 0, id="empty"),
        pytest.param(
            b"\x89PNG\r\n\x1a\n" + bytes(999), "is not a WARC, ARC or WACZ", 1007, id="png"
        ),
        pytest.param(b"Dear reader,\n" * 99, "is not a WARC, ARC or WACZ", 1287, id="text"),
        pytest.param(gzip.compress(b"Dear reader"), "is compressed, but no WARC", None, id="gzip"),
        pytest.param(b"PK\x03\x04" + bytes(99), "is a broken zip file", 0, id="zip"),
        pytest.param(b"\x28\xb5\x2f\xfd" + bytes(99), "is compressed, but no", None, id="zstd"),
    ],
)
def test_file_that_is_not_an_archive_is_reported_and_the_rest_is_indexed(
    index: Indexer, tmp_path: Path, content: bytes, reason: str, offset: int | None
) -> None:
    ran = index(content, GOOD)
    assert (ran.code, counts_line(ran)) == (2, "1 page, skipped: nothing")
    assert f"pagekin: {tmp_path}/0.warc at offset {'' if offset is None else offset}" in ran.last
    assert reason in ran.last and "; " in ran.last


def test_unreadable_sources_are_all_reported_and_no_index_is_written(
    index: Indexer, tmp_path: Path
) -> None:
    ran = index(b"", b"Dear reader", record(http(b"x", status="404 Not Found")))
    assert ran.code == 2
    said = [line for line in ran.err.splitlines() if line.startswith("pagekin: ")]
    assert "0.warc at offset 0: is empty" in said[0]
    assert "1.warc at offset 11: is not a WARC" in said[1]
    assert "no page was found (skipped: 1 status 4xx); give captures" in said[2]
    assert not (tmp_path / "index").exists()


def test_build_raises_crawl_error_with_notes_for_further_sources(tmp_path: Path) -> None:
    empty = tmp_path / "empty.warc"
    empty.touch()
    with pytest.raises(pagekin.errors.CrawlError, match="is empty; fetch") as raised:
        pagekin.build([empty, tmp_path / "none.warc"], tmp_path / "deep" / "index")
    assert raised.value.source == str(empty)
    assert "none.warc at offset 0: no such file; check the path" in raised.value.__notes__[0]
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html; charset=utf-8", "<p>grünes Gemüse garden</p>".encode("latin-1")),
        ("text/html; charset=utf-16", b"<p>garden vegetables</p>"),
        ("text/html; charset=no-such-label", b"<p>garden vegetables</p>"),
        ("text/html; charset=utf-8", "<p>garden 菜園".encode()[:-1]),
        ("text/html; charset=shift_jis", "<p>garden 菜園".encode("shift_jis")[:-1]),
        ("text/html; charset=utf-8", b"\xff\xfe" + "<p>garden</p>".encode("utf-16-le")),
        ("text/html; charset=utf-8", b"\xff\xfe<p>garden vegetables</p>"),
        ("text/html", b"\xef\xbb\xbf\xff\xfe<meta charset=koi8-r><p>garden</p>"),
        ("text/html", b"<meta charset=utf-16><p>garden</p>"),
        ("text/html; charset=\xff\xfe\"'", b"<p>garden</p>"),
        ("text/html; charset=utf-7", b"<p>+AGcAYQ- garden</p>"),
        ("text/html; charset=iso-2022-jp", b"<p>garden \x1b$B\x1b(B \x1b\x1b</p>"),
        ("text/html", bytes(range(256)) * 20),
        ("text/html", b"<p>gar\x00den \x00\x00</p>\x00<\x00a href=\x00>\x00"),
        ("text/html", b"\x00" * 5000),
    ],
)
def test_page_with_wrong_encoding_is_indexed(index: Indexer, kind: str, body: bytes) -> None:
    ran = index(record(http(body, kind=kind)), TWO)
    assert (ran.code, counts_line(ran)) == (0, "2 pages, skipped: nothing")


@pytest.mark.parametrize(
    "nest",
    [
        b"<div>",
        b"<b>",
        b"<a href=x>",
        b"<table><tr><td>",
        b"<div><b><a href=x><table><td><p><i>",
        b"<svg><foreignObject>",
        b"<ul><li><a href=x><button>",
    ],
)
@pytest.mark.parametrize("closed", [True, False])
def test_html_nested_100_000_levels_deep_is_indexed(
    index: Indexer, nest: bytes, closed: bool
) -> None:
    ends = b"".join(b"</" + name.split()[0].rstrip(b">") + b">" for name in nest.split(b"<")[:0:-1])
    body = nest * 100_000 + b"bottom" + (ends * 100_000 if closed else b"")
    ran = index(record(http(body)), TWO)
    assert (ran.code, counts_line(ran)) == (0, "2 pages, skipped: nothing")


@pytest.mark.parametrize("order", [1, -1])
def test_latest_of_two_captures_wins_in_any_order(
    index: Indexer, tmp_path: Path, capfd: pytest.CaptureFixture[str], order: int
) -> None:
    old = page("a", "hazel nuts", WARC_Date="2019-01-01T00:00:00Z")
    new = page("a", "walnut trees", WARC_Date="2021-01-01T00:00:00Z")
    ran = index(*[old, new, GOOD][::order])
    assert counts_line(ran) == "2 pages, skipped: 1 capture replaced by a later one"
    card = run(capfd, "show", tmp_path / "index", "http://a.example/").out
    assert "walnut" in card and "hazel" not in card and "2021-01-01" in card


def test_file_given_twice_yields_each_page_once(index: Indexer, tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(GOOD + TWO)
    ran = index(tmp_path / "x.warc", tmp_path / "x.warc")
    assert counts_line(ran) == "2 pages, skipped: 2 captures replaced by a later one"


@pytest.mark.skipif(not DATA.exists(), reason="no shared archives: see docs/data.md")
@pytest.mark.parametrize(
    ("name", "pages", "skipped"),
    [
        ("good/example.warc", 1, "2 crawl information, 2 request, 1 revisit"),
        ("good/example.warc.gz", 1, "2 crawl information, 2 request, 1 revisit"),
        ("good/example.arc", 1, "1 crawl information"),
        ("good/example.arc.gz", 1, "1 crawl information"),
        ("good/example-iana.org-chunked.warc", 1, "1 crawl information, 1 request"),
        ("good/valid_example_1.wacz", 1, "6 crawl information, 1 request"),
        ("bad/example-bad-non-chunked.warc.gz", 1, "2 crawl information, 2 request, 1 revisit"),
        (
            "bad/example-bad.warc.gz.bad",
            1,
            "1 crawl information, 2 request, 1 revisit, 1 status 3xx",
        ),
        ("bad/example-wrong-chunks.warc.gz", 1, "1 request"),
        ("bad/example-trunc.warc", 1, "2 crawl information, 1 damaged, 1 request"),
        (
            "bad/IAH-20080430204825-00000-blackbook-truncated.arc",
            2,
            "1 crawl information, 5 not HTML, 1 not http",
        ),
    ],
)
def test_archives_of_other_tools_are_read(
    index: Indexer, name: str, pages: int, skipped: str
) -> None:
    ran = index(DATA / name)
    assert (ran.code, counts_line(ran)) == (0, f"{counted(pages, 'page')}, skipped: {skipped}")


@pytest.mark.skipif(not DATA.exists(), reason="no shared archives: see docs/data.md")
def test_archives_without_usable_pages_are_reported(index: Indexer, tmp_path: Path) -> None:
    ran = index(DATA / "bad" / "badexample.arc.gz")
    assert ran.code == 2
    assert "skipped: 1 crawl information, 1 not HTML, 1 not http, 3 truncated" in ran.last
    ran = index(DATA / "bad" / "invalid_example_1.wacz")
    assert ran.code == 2
    assert "invalid_example_1.wacz at offset 0: is a zip file without a WARC in it; " in ran.last
    assert not (tmp_path / "index").exists()
    ran = index(*sorted(DATA.glob("*/*")))
    # example.com is captured seven times, once under another URL.
    assert ran.code == 2
    assert counts_line(ran).startswith("6 pages, skipped: ")
