"""Phrases in quotes, against the words of the pages."""

from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.query.words.phrases import phrases_of
from tests.crawls import build_pages, page_words, rows


@pytest.mark.parametrize(
    ("q", "phrases"),
    [
        ('"Bare roots" roses', ["bare roots"]),
        ("“bare roots” «old  roses»", ["bare roots", "old roses"]),
        ('"a" "a" ""', ["a"]),
        ('bare "roots', []),
        ("roses", []),
    ],
)
def test_phrases_are_words_in_quotes(q: str, phrases: list[str]) -> None:
    assert phrases_of(q) == phrases


@pytest.mark.parametrize("phrase", ["old roses", "the garden", "old roses without fear"])
def test_phrase_finds_the_pages_that_have_it(index: Path, phrase: str) -> None:
    expected = {
        page["url"]
        for page, text in zip(rows(index, "pages"), page_words(index), strict=True)
        if f" {phrase} " in f" {text} "
        or f" {phrase} " in f" {' '.join(_core.words_of(page['title'] or ''))} "
    }
    assert expected
    found = pagekin.open(index).search(f'"{phrase}"', k=1000)
    assert {hit.url for hit in found} == expected


def test_words_beside_a_phrase_are_not_required(tmp_path: Path) -> None:
    pages = {
        "a": "<p>old rose garden",
        "b": "<p>an old rose in winter",
        "c": "<p>rose old winter",
        "d": "<p>winter",
    }
    index = pagekin.open(build_pages(tmp_path, pages, pagekin.Strategy()))
    found = [hit.url[-6] for hit in index.search('"old rose" winter')]
    assert found == ["b", "a"]
    missing = index.search('"rose winter"')
    assert missing.hits == []
    assert missing.note == "no page has the phrase “rose winter”"
