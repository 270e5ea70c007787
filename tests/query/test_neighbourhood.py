"""Who is related to whom, against single questions."""

from pathlib import Path

import pytest

import pagekin
from pagekin import Filters
from pagekin.query.explore import neighbourhood
from pagekin.strategy import presets
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"


@pytest.mark.parametrize("filters", [Filters(k=3), Filters(k=8, exclude_site=True)], ids=str)
def test_neighbourhood_combines_answers_of_a_page_and_its_hits(
    index: Path, filters: Filters
) -> None:
    opened = pagekin.open(index)
    found = neighbourhood(opened.reader, ROSES, filters, beyond=2)
    urls = [page.url for page in found.pages]
    first = opened.related(ROSES, filters=filters).hits
    assert urls[: len(first) + 1] == [ROSES, *(hit.url for hit in first)]
    expected = {frozenset((ROSES, hit.url)): hit.score for hit in first}
    for hit in first:
        further = Filters(k=2, exclude_site=filters.exclude_site)
        for second in opened.related(hit.url, filters=further).hits:
            expected[frozenset((hit.url, second.url))] = second.score
    relations = found.relations
    found_scores = {frozenset((urls[each.one], urls[each.other])): each.score for each in relations}
    assert found_scores == expected
    assert len(relations) == len(expected)
    assert {*urls} == {url for pair in expected for url in pair}
    assert [page.step for page in found.pages] == sorted(page.step for page in found.pages)
    assert all(each.one < each.other for each in relations)


def test_page_without_related_pages_stands_alone(tmp_path: Path) -> None:
    index = build_pages(tmp_path, {"a": "garden", "b": "thunder"}, presets()["content"])
    found = pagekin.open(index).neighbourhood("http://t.example/a.html")
    assert ([page.step for page in found.pages], found.relations) == ([0], [])
    assert found.note == "no page of the crawl has anything in common with it"
