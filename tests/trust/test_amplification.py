"""A few bytes of a crawl do not become many of an index."""

import itertools
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.strategy import Strategy
from tests.archives import run
from tests.crawls import write_warc
from tests.reference import Capture

MOST_BYTES = 2 << 20
MOST_WORDS = 250_000


def test_long_base_and_many_short_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = b"<base href='http://long.example/" + b"x" * 8000 + b"/'>"
    body = base + b"".join(b"<a href=%d>g</a>" % number for number in range(10_000))
    write_warc(tmp_path / "long.warc.gz", [Capture("http://long.example/", body)])
    ran = run(capsys, "index", tmp_path / "long.warc.gz", "-o", tmp_path / "index")
    assert "links left out, beyond the 10,000th or the first 2 MiB of URLs of a page" in ran.out
    size = sum(file.stat().st_size for file in (tmp_path / "index").rglob("*"))
    assert size < 5 * MOST_BYTES


def test_links_of_a_page_are_the_same_whatever_was_read_before(tmp_path: Path) -> None:
    base = b"<base href='http://long.example/" + b"x" * 4000 + b"/'>"
    body = base + b"".join(b"<a href=%d>g</a>" % number for number in range(1000))
    pages = [Capture(f"http://long.example/{name}", body) for name in "ab"]
    for number, captures in enumerate((pages, pages[:1], pages[1:])):
        write_warc(tmp_path / f"{number}.warc.gz", captures)
    together, *alone = (
        pagekin.build(tmp_path / f"{number}.warc.gz", tmp_path / f"i{number}", strategy=Strategy())
        for number in range(3)
    )
    assert together.links == sum(one.links for one in alone)
    assert together.links_left_out == sum(one.links_left_out for one in alone) > 0


def distinct_words(count: int) -> bytes:
    letters = itertools.product(b"bcdefghijklmnopqrst", repeat=5)
    return b" ".join(bytes(word) for word in itertools.islice(letters, count))


def test_page_ends_before_too_many_distinct_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = b"<p>a b a " + distinct_words(MOST_WORDS) + b" <a href=/z>last</a><br>end"
    page = _core.parse_page("http://many.example/", body)
    assert page is not None
    assert len(set(page.words)) == MOST_WORDS
    assert page.words[:3] == ["a", "b", "a"]
    assert [anchor.target for anchor in page.anchors] == ["http://many.example/z"]
    assert page.anchors[0].first == page.anchors[0].last == len(page.words)
    write_warc(tmp_path / "many.warc.gz", [Capture("http://many.example/", body)])
    ran = run(capsys, "index", tmp_path / "many.warc.gz", "-o", tmp_path / "index")
    assert "\n1 page cut after 250,000 distinct words\n" in ran.out


def test_long_page_of_few_words_is_whole() -> None:
    page = _core.parse_page("http://long.example/", b"<p>" + b"one two three " * 200_000)
    assert page is not None
    assert len(page.words) == 600_000
