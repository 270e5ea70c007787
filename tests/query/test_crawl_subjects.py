"""Subjects of a crawl and of sites."""

from importlib import import_module
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import presets
from tests.crawls import build_pages, rows


def test_subjects_have_words_of_the_crawl_and_pages_about_them(index: Path) -> None:
    opened = pagekin.open(index)
    found = opened.subjects()
    assert len(found) > 4
    assert found is opened.subjects()
    assert [each.share for each in found] == sorted((each.share for each in found), reverse=True)
    assert 0 < sum(each.share for each in found) <= 1.0001
    words = [word for each in found for word in each.words]
    assert len(words) == len({*words})
    known = {row["word"] for row in rows(index, "lexicon")}
    assert {*words} <= known
    urls = {row["url"] for row in rows(index, "pages") if row["crawled"]}
    listed = [page.url for each in found for page in each.pages]
    assert {*listed} <= urls and len(listed) == len({*listed})


def test_subject_is_found_again_by_its_words(index: Path) -> None:
    opened = pagekin.open(index)
    for each in opened.subjects()[:3]:
        hits = opened.related_to_text(" ".join(each.words), k=20).hits
        assert {page.url for page in each.pages} & {hit.url for hit in hits}, each.words


def test_subjects_of_a_site_have_its_pages_and_not_its_name(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = pagekin.open(index)
    assert opened.site("www.hedgerow.example").subjects == []
    monkeypatch.setattr(import_module("pagekin.query.explore.crawl_subjects"), "PAGES_EACH", 3)
    found = opened.site("www.hedgerow.example").subjects
    assert len(found) > 1
    assert {page.site for each in found for page in each.pages} == {"www.hedgerow.example"}
    assert "hedgerow" not in {word for each in found for word in each.words}


def test_index_without_concepts_has_no_subjects(tmp_path: Path) -> None:
    pages = {"a": "<title>A</title>garden", "b": "garden"}
    with pagekin.open(build_pages(tmp_path, pages, presets()["content"])) as built:
        assert built.subjects() == []
        assert built.site("t.example").subjects == []
