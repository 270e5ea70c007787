"""`pagekin search`, against the library."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import pagekin
from tests.archives import run


def test_search_prints_the_hits_of_the_library(
    index: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "search", index, "old", "roses", "-k", "3", "--json")
    assert (ran.code, ran.err) == (0, "")
    printed = json.loads(ran.out)
    expected = json.loads(json.dumps(asdict(pagekin.open(index).search("old roses", k=3))))
    printed.pop("took_ms")
    expected.pop("took_ms")
    assert printed == expected
    text = run(capfd, "search", index, "old", "roses", "-k", "3").out
    assert all(hit["url"] in text for hit in expected["hits"])
    assert f"{expected['found']} pages found" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [(["qwzx"], "no page has “qwzx”"), (["?"], "the query has no word")],
)
def test_empty_result_exits_with_1_and_a_reason(
    index: Path, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    ran = run(capfd, "search", index, *words)
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err


def test_phrases_and_pages_are_those_of_the_library(
    index: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "search", index, '"old roses"', "garden", "--pages", "all", "--json")
    expected = pagekin.open(index).search('"old roses" garden', pages="all")
    hits = json.loads(json.dumps([asdict(hit) for hit in expected]))
    assert json.loads(ran.out)["hits"] == hits
    assert expected.hits
    ran = run(capfd, "search", index, "roses", "--pages", "some")
    assert ran.code == 2
    assert "'some' is not one of crawled, uncrawled, all" in ran.err


def test_search_without_words_is_bad_usage(index: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "search", index).code == 2
