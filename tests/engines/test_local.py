"""The local engine against the reference: every row of every table, strategy by strategy."""

from dataclasses import replace
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import Frequency, Kinds, Lead, Mix, Strategy, Window, Words, presets
from tests.crawls import SCHOOLS, read_warc, write_warc
from tests.parity import assert_same
from tests.reference import Capture, Page, parse, tables

ALL = Strategy(kinds=Kinds(link=1))
STRATEGIES = {name: each for name, each in presets().items() if not each.kinds.concept} | {
    "all-kinds": ALL,
    "uneven-kinds": replace(ALL, kinds=Kinds(0.5, 2.25, 7)),
    "all-kinds-normalised": replace(ALL, kinds=Kinds(1, 0.5, 0.1), mix=Mix(True)),
    "window-0": Strategy(window=Window(size=0)),
    "window-4-syntactic": Strategy(window=Window("syntactic", 4, False)),
    "window-8-topical": Strategy(window=Window("topical", 8)),
    "window-1000": Strategy(window=Window(size=1000, distance=False)),
    "window-1000-distance": Strategy(window=Window(size=1000)),
    "lead": Strategy(lead=Lead(7)),
    "lead-normalised": Strategy(kinds=Kinds(anchor=0.5), mix=Mix(True), lead=Lead(1)),
    "nostem": Strategy(words=Words("nostem")),
    "stopstem": Strategy(words=Words("stopstem")),
    "no-stop-words": Strategy(words=Words(stop_words="none")),
    "by-language": Strategy(words=Words(stemmer="auto", stop_words="auto")),
    "german": Strategy(words=Words(stemmer="german", stop_words=("garten", "the", "of"))),
    "frequency-none": replace(ALL, frequency=Frequency("none")),
    "frequency-log": replace(ALL, frequency=Frequency("log")),
    "frequency-sqrt": replace(ALL, frequency=Frequency("sqrt")),
    "frequency-nmdf": replace(ALL, frequency=Frequency("nmdf", 0.2, 0.3)),
    "frequency-narrow": replace(ALL, frequency=Frequency("nmdf", 0.9, 0.01)),
}


@pytest.fixture(scope="module")
def sample_pages(crawl: Path) -> list[Page]:
    return [page for page in map(parse, read_warc(crawl)) if page]


@pytest.mark.parametrize("name", STRATEGIES)
def test_tables_of_the_sample_match_the_reference(
    name: str, crawl: Path, sample_pages: list[Page], tmp_path: Path
) -> None:
    strategy = STRATEGIES[name]
    summary = pagekin.build(crawl, tmp_path / "index", strategy=strategy)
    expected = tables(sample_pages, strategy)
    assert_same(tmp_path / "index", expected)
    assert summary.pages == len(expected.pages)
    assert summary.bags == len(expected.urls) > summary.pages
    assert summary.links == len(expected.links)
    assert summary.terms == len(expected.lexicon)


def test_tables_of_a_crawl_of_several_languages_match_the_reference(tmp_path: Path) -> None:
    """Words that two languages share are terms of both, and links go from one to the other."""
    texts = {
        "en": "the server reads its file after the start and the chat changes all of it",
        "fr": "le serveur lit son fichier après le démarrage et le chat change tout de suite",
        "ru": "сервер читает этот файл после запуска и потом меняется каждый раз для людей",
    }
    home = "http://t.example"
    links = {
        code: " ".join(f"{text[:20]} <a href=/{other}/1>{text[4:30]}</a>" for other in texts)
        for code, text in texts.items()
    }
    captures = [
        Capture(
            f"{home}/{code}/{number}",
            f"<title>{text[:9]}</title><p>{text} {number * 'x'} chats<p>{links[code]}".encode(),
            "utf-8",
        )
        for code, text in texts.items()
        for number in range(3)
    ]
    crawl = tmp_path / "crawl.warc.gz"
    pages = [page for page in map(parse, write_warc(crawl, captures)) if page]
    assert {page.language for page in pages} == set(texts)
    strategy = STRATEGIES["by-language"]
    pagekin.build(crawl, tmp_path / "index", strategy=strategy)
    assert_same(tmp_path / "index", tables(pages, strategy))


def test_links_beyond_10_000_of_a_page_are_left_out(tmp_path: Path) -> None:
    body = b"<a href='/self'>self</a>" + b"".join(
        b"<a href='/%d'>garden</a> " % number for number in range(10_005)
    )
    capture = Capture("http://many.example/self", body)
    captures = write_warc(tmp_path / "many.warc.gz", [capture])
    pages = [page for page in map(parse, captures) if page]
    summary = pagekin.build(tmp_path / "many.warc.gz", tmp_path / "index", strategy=Strategy())
    assert (summary.links, summary.links_left_out, summary.bags) == (10_000, 5, 10_001)
    assert_same(tmp_path / "index", tables(pages, Strategy()))


@pytest.mark.slow
@pytest.mark.skipif(not SCHOOLS.exists(), reason="no schools.warc.gz: see docs/data.md")
@pytest.mark.parametrize("name", ["paper-best", "all-kinds-normalised", "anchor-syntactic"])
def test_tables_of_a_part_of_schools_match_the_reference(name: str, tmp_path: Path) -> None:
    captures = list(read_warc(SCHOOLS))[::10]
    captures = write_warc(tmp_path / "part.warc.gz", captures)
    pages = [page for page in map(parse, captures) if page]
    pagekin.build(tmp_path / "part.warc.gz", tmp_path / "index", strategy=STRATEGIES[name])
    assert_same(tmp_path / "index", tables(pages, STRATEGIES[name]))
