"""Two bags side by side, against the bags themselves."""

from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import UnknownPage
from pagekin.serve.answers.compare import compare
from pagekin.strategy import presets
from tests.crawls import build_pages
from tests.query.indexes import TOTAL, Built

ONE = "http://www.hedgerow.example/plants/roses.html"
OTHER = "http://www.hedgerow.example/tools/spades.html"


def test_shares_are_those_of_the_bags(index: Path) -> None:
    built = Built(index)
    found = compare(built.index, ONE, OTHER)
    one, other = built.bag(ONE), built.bag(OTHER)
    assert found.score == pytest.approx(built.similarity(ONE, OTHER), abs=1e-6)
    both = {term: min(one[term], other[term]) for term in one.keys() & other.keys()}
    assert found.shared
    assert found.about
    for listed, are_concepts in ((found.shared, False), (found.about, True)):
        shares = [min(each.one, each.other) for each in listed]
        assert shares == pytest.approx(heaviest(both, are_concepts)[: len(listed)])
    for own, bag, without in ((found.own_one, one, other), (found.own_other, other, one)):
        alone = {term: weight for term, weight in bag.items() if term not in without}
        assert [each.share for each in own] == heaviest(alone, False)[: len(own)]


def heaviest(weights: dict[int, int], are_concepts: bool) -> list[float]:
    chosen = [
        weight / TOTAL
        for term, weight in weights.items()
        if (_core.concept_number(term) is not None) == are_concepts
    ]
    return sorted(chosen, reverse=True)


def test_it_is_the_same_the_other_way_round(index: Path) -> None:
    opened = pagekin.open(index)
    one, other = compare(opened, ONE, OTHER), compare(opened, OTHER, ONE)
    assert one.score == other.score
    assert [(each.term, each.one, each.other) for each in one.shared] == [
        (each.term, each.other, each.one) for each in other.shared
    ]
    assert (one.own_one, one.own_other) == (other.own_other, other.own_one)


def test_a_page_and_itself(index: Path) -> None:
    found = compare(pagekin.open(index), ONE, ONE)
    assert (found.score, found.own_one, found.own_other) == (1, [], [])


def test_pages_that_share_nothing(tmp_path: Path) -> None:
    pages = {"a": "garden roses", "b": "thunder lightning", "c": "garden"}
    opened = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    found = compare(opened, "http://t.example/a.html", "http://t.example/b.html")
    assert (found.score, found.shared) == (0, [])
    assert {each.term for each in found.own_one} == {"garden", "roses"}
    assert {each.term for each in found.own_other} == {"thunder", "lightning"}


def test_a_page_that_nobody_knows(index: Path) -> None:
    with pytest.raises(UnknownPage):
        compare(pagekin.open(index), ONE, "http://nowhere.example/")
