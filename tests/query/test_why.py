"""Why a hit is similar, against the bags and links themselves."""

import random
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.strategy import Kinds, Strategy, presets
from pagekin.types import Hit
from tests.crawls import build_pages, rows
from tests.query.indexes import TOTAL, Built, sample

ROSES = "http://www.hedgerow.example/plants/roses.html"


@pytest.fixture(scope="module", params=["words", "concepts"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    strategy = Strategy(kinds=Kinds(concept=float(request.param == "concepts")))
    return sample(tmp_path_factory.mktemp("why"), strategy)


@pytest.fixture(scope="module")
def hits_by_page(built: Built) -> list[tuple[str, Hit]]:
    """Some pages, each with its hits."""
    urls = random.Random(3).sample([url for url in built.sites if built.bag(url)], 30)
    return [(url, hit) for url in urls for hit in built.index.related(url, k=5).hits]


def lesser(built: Built, one: str, other: str) -> dict[int, int]:
    """The smaller weight of each term that two bags share."""
    bag, hit = built.bag(one), built.bag(other)
    return {term: min(bag[term], hit[term]) for term in bag.keys() & hit.keys()}


def test_shares_sum_to_the_intersection(built: Built, hits_by_page: list[tuple[str, Hit]]) -> None:
    assert len(hits_by_page) == 150
    for url, hit in hits_by_page:
        shared = lesser(built, url, hit.url)
        why = hit.why
        listed = sum(term.share for term in why.terms) + why.other_terms.share
        listed += sum(concept.share for concept in why.concepts) + why.other_concepts.share
        # Each of fifteen figures is rounded to six places.
        assert listed == pytest.approx(why.intersection, abs=8e-6)
        assert why.intersection == pytest.approx(sum(shared.values()) / TOTAL, abs=1e-6)
        others = why.other_terms.count + why.other_concepts.count
        assert len(why.terms) + len(why.concepts) + others == len(shared)


def test_score_follows_from_the_intersection(hits_by_page: list[tuple[str, Hit]]) -> None:
    for _, hit in hits_by_page:
        shared = hit.why.intersection
        assert hit.score == pytest.approx(shared / (2 - shared), abs=2e-6)


def test_terms_are_the_heaviest_shown_as_words(
    built: Built, hits_by_page: list[tuple[str, Hit]]
) -> None:
    words = {row["term"]: row["word"] for row in rows(built.path, "lexicon")}
    for url, hit in hits_by_page:
        shared = lesser(built, url, hit.url)
        shared = {term: shared[term] for term in shared if not _core.concept_number(term)}
        heaviest = sorted(shared, key=lambda term: (-shared[term], term))[:8]
        expected = [(words[term], round(shared[term] / TOTAL, 6)) for term in heaviest]
        assert [(term.term, term.share) for term in hit.why.terms] == expected


def test_concepts_are_the_heaviest_with_their_words(
    built: Built, hits_by_page: list[tuple[str, Hit]]
) -> None:
    words = {row["concept"]: row["words"] for row in rows(built.path, "concepts")}
    for url, hit in hits_by_page:
        shared = lesser(built, url, hit.url)
        about = [term for term in shared if _core.concept_number(term)]
        heaviest = sorted(about, key=lambda term: (-shared[term], term))[:4]
        found = [(each.concept, each.share, each.words) for each in hit.why.concepts]
        assert found == [
            (number, round(shared[term] / TOTAL, 6), words[number])
            for term in heaviest
            if (number := _core.concept_number(term))
        ]
        assert bool(found) == bool(about)


def test_terms_are_shown_as_words_not_stems(built: Built) -> None:
    shown = {term.term for hit in built.index.related(ROSES).hits for term in hit.why.terms}
    assert {"roses", "hellebores", "pruning"} <= shown


def test_citing_pages_link_to_both_and_the_quotation_holds_both_anchors(
    built: Built, hits_by_page: list[tuple[str, Hit]]
) -> None:
    cited = [(url, hit, page) for url, hit in hits_by_page for page in hit.why.cited_together_by]
    assert len(cited) > 100
    for url, hit, page in cited:
        assert {(page.url, url), (page.url, hit.url)} <= built.links
        for target in (url, hit.url):
            quoted = " ".join(_core.words_of(page.words))
            assert "[" in page.words
            assert any(anchor in quoted for anchor in anchors(built, page.url, target))


def anchors(built: Built, source: str, target: str) -> list[str]:
    """The words of each link from one page to another."""
    found = built.index.reader.searcher.find(_core.url_id(source))
    words = built.index.reader.words_of(_core.url_id(source))
    assert found is not None
    links = [
        row
        for row in rows(built.path, "links")
        if (row["source"], row["target"]) == (_core.url_id(source), _core.url_id(target))
    ]
    return [" ".join(words[row["first"] : row["last"]]) for row in links]


def test_at_most_three_of_all_citing_pages_are_listed(
    built: Built, hits_by_page: list[tuple[str, Hit]]
) -> None:
    for url, hit in hits_by_page[:60]:
        sources = {source for source, target in built.links if target == url}
        sources &= {source for source, target in built.links if target == hit.url}
        cited = [page.url for page in hit.why.cited_together_by]
        assert len(set(cited)) == len(cited) == min(len(sources), 3)
        assert set(cited) <= sources


def test_text_has_no_citing_pages(built: Built) -> None:
    hits = built.index.related_to_text("old roses").hits
    assert hits
    assert not any(hit.why.cited_together_by for hit in hits)


def test_citing_pages_of_several_pages_link_to_any_of_them_and_the_hit(built: Built) -> None:
    urls = [ROSES, "http://www.skywatch.example/storms/lightning.html"]
    for hit in built.index.related(urls).hits:
        for page in hit.why.cited_together_by:
            assert (page.url, hit.url) in built.links
            assert any((page.url, url) in built.links for url in urls)


def test_linking_pages_are_terms_in_a_strategy_with_links(tmp_path: Path) -> None:
    pages = {
        "hub": "<a href=a.html>one</a> <a href=b.html>two</a>",
        "other": "<a href=a.html>one</a>",
        "a": "roses",
        "b": "tulips",
    }
    index = pagekin.open(build_pages(tmp_path, pages, presets()["links"]))
    (hit,) = index.related("http://t.example/a.html").hits
    assert hit.url == "http://t.example/b.html"
    assert [term.term for term in hit.why.terms] == ["http://t.example/hub.html"]
    assert hit.why.intersection == hit.why.terms[0].share == pytest.approx(0.5, abs=1e-4)
    assert hit.score == pytest.approx(1 / 3, abs=1e-4)
