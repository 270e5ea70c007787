"""Questions that say little or too much: each gets an honest answer."""

from pathlib import Path

import pytest

import pagekin
from tests.query.indexes import Built, sample


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    built: Built = sample(tmp_path_factory.mktemp("bad"))
    return built.index


def test_stop_words_alone_are_looked_up_in_titles(index: pagekin.Index) -> None:
    found = index.search("the of and")
    titles = [hit.title or "" for hit in found]
    assert all({"the", "of", "and"} & {*title.lower().split()} for title in titles)
    assert found.hits or "stop words are looked up in titles only" in (found.note or "")
    answer = index.related_to_text("the of and")
    assert not answer.hits
    assert answer.note == "the index knows no word of this text, so no page is related to it"


def test_one_word_finds_pages_that_have_it(index: pagekin.Index) -> None:
    answer = index.related_to_text("hellebores")
    assert answer.hits
    assert answer.hits[0].why.words


def test_unknown_word_and_no_word_have_a_reason(index: pagekin.Index) -> None:
    for text in ("qwzxqwzx", "", "…!?"):
        answer = index.related_to_text(text)
        assert not answer.hits
        assert answer.note == "the index knows no word of this text, so no page is related to it"
        assert not index.search(text).hits
        assert index.search(text).note


@pytest.mark.slow
def test_text_of_ten_megabytes_is_answered(index: pagekin.Index, tmp_path: Path) -> None:
    sentence = "Prune old roses in winter, when the garden sleeps. "
    text = sentence * (10_000_000 // len(sentence) + 1)
    answer = index.related_to_text(text)
    assert answer.hits
    short = index.related_to_text(sentence)
    assert {hit.url for hit in answer.hits} & {hit.url for hit in short.hits}
    (tmp_path / "large.html").write_text(f"<title>Roses</title><p>{text}")
    assert index.related_to_file(tmp_path / "large.html").hits
    assert index.search(text).hits
