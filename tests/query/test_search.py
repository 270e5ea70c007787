"""Search, against a scan of every page."""

import importlib
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.query.search import LISTED, SearchHit
from tests.crawls import build_pages, rows

WORDS = ["roses", "garden", "bare roots", "glider", "thunderstorm hail", "pruning winter", "plants"]


@pytest.fixture(scope="module")
def opened(index: Path) -> pagekin.Index:
    return pagekin.open(index)


def having(index: Path, *words: str) -> set[str]:
    """URLs of pages that have all words in title, text or a link to them, by the raw tables."""
    strategy = _core.Strategy(pagekin.open(index).strategy.to_core())
    terms = [term.id for word in words if (term := _core.term_of(strategy, word))]
    urls = [row["url"] for row in rows(index, "pages")]
    posted = {row["term"]: {urls[page] for page in row["pages"]} for row in rows(index, "postings")}
    return set.intersection(*(posted.get(term, set()) for term in terms))


@pytest.mark.parametrize("q", WORDS)
def test_search_finds_all_pages_with_all_words(opened: pagekin.Index, index: Path, q: str) -> None:
    found = opened.search(q, k=LISTED)
    by_url = {
        row["url"]
        for row in rows(index, "pages")
        if all(word in row["url"].lower() for word in q.split())
    }
    expected = having(index, *q.split())
    assert expected
    assert {hit.url for hit in found.hits} == expected | by_url
    assert found.found == len(found.hits)


@pytest.mark.parametrize("q", WORDS)
def test_title_matches_rank_before_url_matches_before_text_matches(
    opened: pagekin.Index, q: str
) -> None:
    stems = [word.rstrip("s") for word in q.split()]

    def place(hit: SearchHit) -> tuple[int, int]:
        title, url = (hit.title or "").lower(), hit.url.lower()
        return -sum(stem in title for stem in stems), -sum(stem in url for stem in stems)

    hits = opened.search(q, k=LISTED).hits
    assert [place(hit) for hit in hits] == sorted(place(hit) for hit in hits)


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


def test_any_word_matches_if_no_page_has_all_words(tmp_path: Path) -> None:
    pages = {"a": "<p>apples apples", "b": "<p>pears", "c": "<p>plums"}
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    found = [hit.url for hit in index.search("apples pears").hits]
    assert found == ["http://t.example/a.html", "http://t.example/b.html"]


@pytest.mark.parametrize("scheme", ["http://", "", " http://"])
def test_url_finds_its_page_first(opened: pagekin.Index, scheme: str) -> None:
    first = opened.search(f"{scheme}www.hedgerow.example/plants/roses.html").hits[0]
    assert first.url == "http://www.hedgerow.example/plants/roses.html"
    assert first.matched == ["address"]


def test_part_of_a_url_finds_all_pages_with_it(opened: pagekin.Index, index: Path) -> None:
    found = opened.search("hedgerow.example/plants/", k=LISTED)
    expected = {
        row["url"] for row in rows(index, "pages") if "hedgerow.example/plants/" in row["url"]
    }
    assert {hit.url for hit in found.hits} == expected
    assert len(expected) > 2


@pytest.mark.parametrize(
    ("q", "note"),
    [("", "no word"), ("?!", "no word"), ("the", "no word"), ("qwzx", "no page has qwzx")],
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
    assert 0 < opened.search("garden", k=LISTED).found <= 10


def test_words_of_any_script_are_found(tmp_path: Path) -> None:
    pages = {"a": "<title>Сад роз</title><p>розы", "b": "<title>薔薇の庭</title><p>庭"}
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    assert index.search("розы").hits[0].url == "http://t.example/a.html"
    assert index.search("庭").hits[0].url == "http://t.example/b.html"
