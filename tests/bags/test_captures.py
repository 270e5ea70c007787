"""A URL with several captures: one counts, whatever the order and place of the others."""

from itertools import permutations
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from tests.crawls import rows, write_warc
from tests.reference import Capture

URL = "http://a.example/"
OLD, NEW = 1_000_000_000, 1_000_000_001


def capture(word: str, date: int | None, url: str = URL) -> Capture:
    return Capture(url, f"<title>{word}</title><a href=/{word}>{word}</a>".encode(), date=date)


def by_digest(*captures: Capture) -> list[Capture]:
    """Smallest digest first. A digest is the XXH3 of the body, as the id of a URL is."""
    return sorted(captures, key=lambda each: _core.url_id(each.body.decode()))


@pytest.mark.parametrize(
    ("captures", "kept"),
    [
        ([capture("oak", OLD), capture("elm", NEW)], "elm"),
        ([capture("oak", None), capture("elm", 0)], "elm"),
        ([capture("oak", -5), capture("elm", None)], "oak"),
        ([capture("oak", OLD), capture("elm", NEW), capture("ash", OLD)], "elm"),
        ([capture("oak", OLD), capture("elm", NEW, "HTTP://A.example:80/#top")], "elm"),
    ],
)
def test_latest_capture_wins(captures: list[Capture], kept: str, tmp_path: Path) -> None:
    for number, order in enumerate(permutations(captures)):
        one, many = tmp_path / f"{number}.warc.gz", []
        write_warc(one, order)
        for place, each in enumerate(order):
            many.append(tmp_path / f"{number}-{place}.warc.gz")
            write_warc(many[-1], [each])
        for sources in ([one], many):
            summary = pagekin.build(sources, tmp_path / "index")
            assert (summary.pages, summary.superseded) == (1, len(captures) - 1)
            card = pagekin.open(tmp_path / "index").show(URL)
            assert (card.title, card.terms[0].term) == (kept, kept)
            # Nothing of the others is left: no bag of what they link to, no term, no link.
            found = {row["url"] for row in rows(tmp_path / "index", "pages")}
            assert found == {URL, f"{URL}{kept}"}
            words = {row["word"] for row in rows(tmp_path / "index", "lexicon")}
            assert words == {kept, ""}, "the word, and the page that links"
            assert len(rows(tmp_path / "index", "links")) == 1


def test_larger_digest_wins_among_captures_of_one_date(tmp_path: Path) -> None:
    captures = by_digest(*(capture(word, OLD) for word in ("oak", "elm", "ash", "fir")))
    for order in (captures, captures[::-1]):
        write_warc(tmp_path / "crawl.warc.gz", order)
        pagekin.build(tmp_path / "crawl.warc.gz", tmp_path / "index")
        title = pagekin.open(tmp_path / "index").show(URL).title
        assert f"<title>{title}</title>".encode() in captures[-1].body


def test_first_file_and_offset_win_among_equal_captures(tmp_path: Path) -> None:
    same = [capture("oak", OLD)] * 2
    files = [tmp_path / "b.warc.gz", tmp_path / "a.warc.gz"]
    for path in files:
        write_warc(path, same)
    pagekin.build(files, tmp_path / "index")
    card = pagekin.open(tmp_path / "index").show(URL)
    assert (card.file, card.offset) == (str(tmp_path / "a.warc.gz"), 0)
