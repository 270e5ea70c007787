"""Search, against a scan of every page."""

import importlib
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import InputError
from pagekin.query.search import LISTED
from tests.crawls import build_pages, rows

WORDS = ["roses", "garden", "bare roots", "glider", "thunderstorm hail", "pruning winter", "plants"]


@pytest.fixture(scope="module")
def opened(index: Path) -> pagekin.Index:
    return pagekin.open(index)


def having(index: Path, pages: str, *words: str) -> set[str]:
    """URLs of pages that have any of the words in title, text or a link, by the raw tables."""
    strategy = _core.Strategy(pagekin.open(index).strategy.to_core())
    terms = [term.id for word in words if (term := _core.term_of(strategy, word))]
    wanted = {"crawled": [True], "uncrawled": [False], "all": [True, False]}[pages]
    known = [(row["url"], row["crawled"] in wanted) for row in rows(index, "pages")]
    posted = {row["term"]: row["pages"] for row in rows(index, "postings")}
    numbers = {page for term in terms for page in posted.get(term, [])}
    return {url for number, (url, is_wanted) in enumerate(known) if is_wanted and number in numbers}


@pytest.mark.parametrize("q", WORDS)
@pytest.mark.parametrize("pages", ["crawled", "uncrawled", "all"])
def test_search_finds_all_pages_with_any_word(
    opened: pagekin.Index, index: Path, q: str, pages: str
) -> None:
    found = opened.search(q, k=LISTED, pages=pages)
    expected = having(index, pages, *q.split())
    assert {hit.url for hit in found.hits} == expected
    assert found.found == len(found.hits)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


def test_pages_that_were_not_crawled_are_hits_on_request(opened: pagekin.Index) -> None:
    assert all(hit.crawled for hit in opened.search("garden", k=LISTED))
    uncrawled = opened.search("garden", k=LISTED, pages="uncrawled")
    assert uncrawled.hits
    assert not any(hit.crawled for hit in uncrawled)
    assert all(hit.title for hit in uncrawled if "text" in hit.matched)
    with pytest.raises(InputError, match="'some' is not one of crawled, uncrawled, all"):
        opened.search("garden", pages="some")


def test_pages_with_more_and_rarer_words_come_first(tmp_path: Path) -> None:
    filler = "<p>" + "plums " * 20
    pages = {
        "text": f"{filler} apples",
        "title": f"<title>Apples</title>{filler} apples",
        "both": f"{filler} apples pears",
        "often": f"{filler} apples apples apples",
        "none": filler,
    }
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))

    def names(q: str) -> list[str]:
        return [hit.url.rpartition("/")[2].removesuffix(".html") for hit in index.search(q)]

    assert names("apples") == ["title", "often", "text", "both"]
    assert names("apples pears")[0] == "both"
    assert names("pears") == ["both"]


def test_adjacent_words_come_before_words_apart(tmp_path: Path) -> None:
    filler = "plums " * 20
    pages = {"apart": f"<p>pears {filler} green", "near": f"<p>green pears {filler}"}
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    assert index.search("green pears").hits[0].url == "http://t.example/near.html"


def test_passage_finds_its_page_first(opened: pagekin.Index) -> None:
    roses = "http://www.hedgerow.example/plants/hellebores.html"
    words = opened.reader.words_of(_core.url_id(roses))
    copies = {roses, roses.replace("www.hedgerow.example", "mirror.oldnet.example/hedgerow")}
    for start in range(0, len(words) - 15, 40):
        for length in (15, 100):
            passage = " ".join(words[start : start + length])
            assert opened.search(passage, k=1).hits[0].url in copies


def test_pages_of_results_are_consistent(opened: pagekin.Index) -> None:
    whole = opened.search("garden", k=LISTED)
    parts = [
        hit
        for offset in range(0, whole.found, 7)
        for hit in opened.search("garden", k=7, offset=offset).hits
    ]
    assert parts == whole.hits
    assert whole.paging.next is None
    assert opened.search("garden", k=7).paging.next == 7


@pytest.mark.parametrize("scheme", ["http://", "", " http://"])
def test_url_finds_its_page_first(opened: pagekin.Index, scheme: str) -> None:
    first = opened.search(f"{scheme}www.hedgerow.example/plants/roses.html").hits[0]
    assert first.url == "http://www.hedgerow.example/plants/roses.html"
    assert first.matched == ["address"]


def test_part_of_a_url_finds_all_pages_with_it(opened: pagekin.Index, index: Path) -> None:
    found = opened.search("hedgerow.example/plants/", k=LISTED, pages="all")
    expected = {
        row["url"] for row in rows(index, "pages") if "hedgerow.example/plants/" in row["url"]
    }
    assert {hit.url for hit in found.hits} == expected
    assert len(expected) > 2


@pytest.mark.parametrize(
    ("q", "note"),
    [
        ("", "the query has no word"),
        ("?!", "the query has no word"),
        ("shall", "no title has a word of “shall”; stop words are looked up in titles only"),
        ("qwzx zyx", "no page has “qwzx or zyx”"),
        ("\udcff", "no word"),
        ("q" * 300, f"no page has “{'q' * 60}…”"),
    ],
)
def test_empty_result_has_a_reason(opened: pagekin.Index, q: str, note: str) -> None:
    found = opened.search(q)
    assert found.hits == []
    assert note in (found.note or "")


def test_urls_are_not_scanned_in_a_large_index(
    opened: pagekin.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("pagekin.query.search")
    monkeypatch.setattr(module, "MOST", 10)
    assert opened.search("hedgerow.example/plants/").hits == []


def test_stop_words_find_titles(tmp_path: Path) -> None:
    pages = {"a": "<title>The Who</title><p>band", "b": "<title>Bands</title><p>the who"}
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    found = index.search("the who")
    assert [(hit.url, hit.matched) for hit in found] == [("http://t.example/a.html", ["title"])]


def test_words_of_any_script_are_found(tmp_path: Path) -> None:
    pages = {"a": "<title>Сад роз</title><p>розы", "b": "<title>薔薇の庭</title><p>庭"}
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    assert index.search("розы").hits[0].url == "http://t.example/a.html"
    assert index.search("庭").hits[0].url == "http://t.example/b.html"
