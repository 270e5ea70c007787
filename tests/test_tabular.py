"""Answers as tables: HTML that escapes, Arrow, pandas and Polars with the same rows."""

import sys
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import EngineError, UnknownPage
from pagekin.types import Hit, OtherTerms, Query, Related, TermShare, Why

ROSES = "http://www.hedgerow.example/plants/roses.html"
HELLEBORES = "http://www.hedgerow.example/plants/hellebores.html"
NONE = OtherTerms(0, 0.0)


def hostile() -> Related:
    why = Why([TermShare("<b>", 1.0)], NONE, [], NONE, 1.0, 1.0, None, [])
    url, of_page = 'http://t.example/"><script>', (None, None, None, None)
    hit = Hit(url, "<script>", "t.example", 0.5, True, *of_page, [], why)
    return Related(Query(None, None, [], []), [hit], [], [], None, True, 0.0)


def test_tables_have_a_row_for_each_hit(index: Path) -> None:
    answer = pagekin.open(index).related(ROSES, k=5)
    table = answer.to_arrow()
    assert table.column("url").to_pylist() == [hit.url for hit in answer]
    assert table.column("rank").to_pylist() == [1, 2, 3, 4, 5]
    assert answer.to_polars()["score"].to_list() == [hit.score for hit in answer]
    assert [*answer.to_pandas()["title"]] == [hit.title for hit in answer]


def test_search_results_are_tables_too(index: Path) -> None:
    found = pagekin.open(index).search("roses", k=3, offset=1)
    assert found.to_arrow().column("rank").to_pylist() == [2, 3, 4]
    assert found._repr_html_().count("<tr>") == 4


def test_an_empty_answer_keeps_its_columns(index: Path) -> None:
    empty = pagekin.open(index).search("zzzz")
    assert empty.to_arrow().column_names == [*empty.COLUMNS] and not len(empty.to_arrow())


def test_html_escapes_what_pages_say() -> None:
    shown = hostile()._repr_html_()
    assert "<script>" not in shown and "<b>" not in shown
    assert 'href="http://t.example/&quot;&gt;&lt;script&gt;"' in shown


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(EngineError, match="polars is not installed"):
        hostile().to_polars()


def test_many_pages_are_answered_in_order(index: Path) -> None:
    opened = pagekin.open(index)
    answers = opened.related_many([ROSES, HELLEBORES], threads=2, k=3)
    alone = [opened.related(url, k=3) for url in (ROSES, HELLEBORES)]
    assert [answer.hits for answer in answers] == [answer.hits for answer in alone]
    assert opened.related_many([]) == []
    with pytest.raises(UnknownPage):
        opened.related_many([ROSES, "http://nowhere.example/"])
