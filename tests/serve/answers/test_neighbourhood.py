"""Who is related to whom, against single questions."""

from pathlib import Path

import pytest

import pagekin
from pagekin import Filters
from pagekin.serve.answers.neighbourhood import neighbourhood
from pagekin.strategy import presets
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"


@pytest.mark.parametrize("filters", [Filters(k=3), Filters(k=8, exclude_site=True)], ids=str)
def test_it_is_the_answers_of_a_page_and_of_its_related_pages(
    index: Path, filters: Filters
) -> None:
    opened = pagekin.open(index)
    found = neighbourhood(opened, ROSES, filters, beyond=2)
    urls = [page.url for page in found.pages]
    first = opened.related(ROSES, filters=filters).hits
    assert urls[: len(first) + 1] == [ROSES, *(hit.url for hit in first)]
    expected = {frozenset((ROSES, hit.url)): hit.score for hit in first}
    for hit in first:
        further = Filters(k=2, exclude_site=filters.exclude_site)
        for second in opened.related(hit.url, filters=further).hits:
            expected[frozenset((hit.url, second.url))] = second.score
    assert {frozenset((urls[kin.one], urls[kin.other])): kin.score for kin in found.kin} == expected
    assert len(found.kin) == len(expected)
    assert {*urls} == {url for pair in expected for url in pair}
    assert [page.step for page in found.pages] == sorted(page.step for page in found.pages)
    assert all(kin.one < kin.other for kin in found.kin)


def test_a_page_that_is_alone(tmp_path: Path) -> None:
    index = build_pages(tmp_path, {"a": "garden", "b": "thunder"}, presets()["content"])
    found = neighbourhood(pagekin.open(index), "http://t.example/a.html", Filters())
    assert ([page.step for page in found.pages], found.kin) == ([0], [])
    assert found.note == "no page shares a term with it"
