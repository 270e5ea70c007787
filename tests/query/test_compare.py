"""The comparison of two pages, against their bags and an exact search."""

from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import UnknownPage
from pagekin.strategy import presets
from tests.crawls import build_pages
from tests.query.indexes import TOTAL, Built

ONE = "http://www.hedgerow.example/plants/roses.html"
OTHER = "http://www.hedgerow.example/tools/spades.html"


def test_shares_match_the_bags(index: Path) -> None:
    built = Built(index)
    found = built.index.compare(ONE, OTHER)
    one, other = built.bag(ONE), built.bag(OTHER)
    assert found.score == pytest.approx(built.similarity(ONE, OTHER), abs=1e-6)
    both = {term: min(one[term], other[term]) for term in one.keys() & other.keys()}
    assert found.shared
    shares = [min(each.one, each.other) for each in found.shared]
    assert shares == pytest.approx(heaviest(both)[: len(shares)])
    for own, bag, without in ((found.own_one, one, other), (found.own_other, other, one)):
        alone = {term: weight for term, weight in bag.items() if term not in without}
        assert [each.share for each in own] == heaviest(alone)[: len(own)]


def heaviest(weights: dict[int, int]) -> list[float]:
    words = {term: weight for term, weight in weights.items() if _core.concept_number(term) is None}
    return sorted((weight / TOTAL for weight in words.values()), reverse=True)


def test_common_subjects_are_listed_once(index: Path) -> None:
    built = Built(index)
    found = built.index.compare(ONE, OTHER)
    told = [frozenset(each.term.split(", ")) for each in found.about]
    assert told and len(told) == len(set(told))
    terms = [_core.concept_term(concept.concept) for concept in found.why.concepts]
    for bag, told_of in (
        (built.bag(ONE), sum(each.one for each in found.about)),
        (built.bag(OTHER), sum(each.other for each in found.about)),
    ):
        assert told_of == pytest.approx(sum(bag[term] for term in terms) / TOTAL)


def test_comparison_is_symmetric(index: Path) -> None:
    opened = pagekin.open(index)
    one, other = opened.compare(ONE, OTHER), opened.compare(OTHER, ONE)
    assert one.score == other.score
    assert [(each.term, each.one, each.other) for each in one.shared] == [
        (each.term, each.other, each.one) for each in other.shared
    ]
    assert (one.own_one, one.own_other) == (other.own_other, other.own_one)


def test_page_compared_with_itself_scores_1(index: Path) -> None:
    found = pagekin.open(index).compare(ONE, ONE)
    assert (found.score, found.own_one, found.own_other) == (1, [], [])
    assert (found.rank, found.note) == (None, "a page is never a hit for itself")


def test_pages_without_common_terms_score_0(tmp_path: Path) -> None:
    pages = {"a": "garden roses", "b": "thunder lightning", "c": "garden"}
    opened = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    found = opened.compare("http://t.example/a.html", "http://t.example/b.html")
    assert (found.score, found.shared) == (0, [])
    assert (found.rank, found.note) == (None, "the pages share nothing")
    assert {each.term for each in found.own_one} == {"garden", "roses"}
    assert {each.term for each in found.own_other} == {"thunder", "lightning"}


def test_rank_is_that_of_an_exact_search(index: Path) -> None:
    opened = pagekin.open(index)
    hits = opened.related(ONE, k=1000, exact=True).hits
    for rank in (1, 2, 50, 90):
        found = opened.compare(ONE, hits[rank - 1].url)
        assert (found.rank, found.copy_of, found.note) == (rank, None, None)
    assert len(hits) > 100 and not hits[100].copies
    found = opened.compare(ONE, hits[100].url)
    assert (found.rank, found.copy_of) == (None, None)
    assert found.note == "not among the first 100 hits"


def test_near_duplicate_has_the_rank_of_its_hit(tmp_path: Path) -> None:
    pages = {
        "a": "garden roses tulips",
        "b": "garden roses lightning",
        "c": "roses garden lightning",
    }
    opened = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    (hit,) = opened.related("http://t.example/a.html").hits
    found = opened.compare("http://t.example/a.html", hit.copies[0])
    assert (found.rank, found.copy_of) == (1, hit.url)
    assert found.note == f"a near duplicate of hit 1, {hit.url}, and listed under it"
    assert opened.compare("http://t.example/a.html", hit.url).note is None


def test_links_between_the_pages_are_quoted(tmp_path: Path) -> None:
    pages = {"a": "see <a href=b.html>the other</a> page", "b": "garden <a href=/>home</a>"}
    opened = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    found = opened.compare("http://t.example/a.html", "http://t.example/b.html")
    assert (found.link_to_other, found.link_to_one) == ("see [the other] page", None)
    found = opened.compare("http://t.example/b.html", "http://t.example/a.html")
    assert (found.link_to_other, found.link_to_one) == (None, "see [the other] page")


def test_unknown_page_is_rejected(index: Path) -> None:
    with pytest.raises(UnknownPage):
        pagekin.open(index).compare(ONE, "http://nowhere.example/")
