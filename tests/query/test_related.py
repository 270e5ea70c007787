"""Related pages against every pair of bags compared one by one."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import pagekin
from pagekin import Filters, _core
from pagekin.query import Question, resolve
from pagekin.query.related import note
from pagekin.strategy import Sketch, Strategy, presets
from tests.crawls import build_pages
from tests.query.indexes import Built, jaccard, sample

ROSES = "http://www.hedgerow.example/plants/roses.html"
EVERYTHING = Filters(k=10**9, pages="all", copy_score=1.0)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory.mktemp("related"))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sample by content alone, so that the pages of its mirror are the same."""
    return sample(tmp_path_factory.mktemp("content"), presets()["content"])


def some_pages(built: Built, count: int) -> list[str]:
    return random.Random(7).sample([url for url in built.sites if built.bag(url)], count)


def found(answer: pagekin.Related) -> list[tuple[str, float]]:
    return [(hit.url, hit.score) for hit in answer.hits]


def rounded(ranked: list[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(url, round(score, 6)) for url, score in ranked]


@pytest.mark.parametrize("exact", [True, False])
def test_hits_are_the_best_of_all_pages(built: Built, exact: bool) -> None:
    for url in some_pages(built, 25):
        expected = built.ranked(built.bag(url), url.__ne__)[:10]
        filters = Filters(exact=exact, pages="all", copy_score=1.0)
        assert found(built.index.related(url, filters=filters)) == rounded(expected)


def test_sketches_find_nearly_all_of_the_best(built: Built) -> None:
    """As in a large index: only candidates from sketches are compared."""
    by_sketch = Filters(min_agreement=1e-9, pages="all", copy_score=1.0)
    missed = wanted = 0
    for url in some_pages(built, 60):
        expected = rounded(built.ranked(built.bag(url), url.__ne__)[:10])
        answer = found(built.index.related(url, filters=by_sketch))
        assert all(pair in rounded(built.ranked(built.bag(url), url.__ne__)) for pair in answer)
        strong = [pair for pair in expected if pair[1] > 0.1]
        missed += len([pair for pair in strong if pair not in answer])
        wanted += len(strong)
    assert wanted > 100
    assert missed <= 0.02 * wanted


def test_k_beyond_all_pages_returns_all_pages_with_a_common_term(built: Built) -> None:
    expected = built.ranked(built.bag(ROSES), lambda other: other != ROSES)
    assert found(built.index.related(ROSES, filters=EVERYTHING)) == rounded(expected)
    assert len(expected) > 100


def test_url_is_canonicalised(built: Built) -> None:
    spelled = "HTTP://WWW.hedgerow.example:80/plants/../plants/roses.html#top"
    answer, expected = built.index.related(spelled), built.index.related(ROSES)
    assert (answer.query, answer.hits) == (expected.query, expected.hits)


def test_min_score_drops_less_similar_pages(built: Built) -> None:
    limit = built.index.related(ROSES).hits[4].score
    answer = built.index.related(ROSES, filters=replace(EVERYTHING, min_score=limit))
    expected = built.ranked(built.bag(ROSES), lambda other: other != ROSES)
    assert found(answer) == [pair for pair in rounded(expected) if pair[1] >= limit]
    assert answer.note is not None
    assert f"{len(expected) - len(answer.hits):,} below the minimum score" in answer.note


@pytest.mark.parametrize("exact", [True, False])
def test_exclude_site_drops_pages_of_the_site(built: Built, exact: bool) -> None:
    site = built.sites[ROSES]
    expected = built.ranked(built.bag(ROSES), lambda other: built.sites[other] != site)[:10]
    filters = Filters(exact=exact, exclude_site=True, pages="all", copy_score=1.0)
    assert found(built.index.related(ROSES, filters=filters)) == rounded(expected)


@pytest.mark.parametrize("exact", [True, False])
def test_exclude_linked_drops_linked_pages(built: Built, exact: bool) -> None:
    expected = built.ranked(
        built.bag(ROSES), lambda other: other != ROSES and (ROSES, other) not in built.links
    )[:10]
    filters = Filters(exact=exact, exclude_linked=True, pages="all", copy_score=1.0)
    assert found(built.index.related(ROSES, filters=filters)) == rounded(expected)
    assert any((ROSES, hit.url) in built.links for hit in built.index.related(ROSES).hits)


@pytest.mark.parametrize("exact", [True, False])
def test_group_by_site_keeps_the_best_page_of_a_site(built: Built, exact: bool) -> None:
    best: dict[str, tuple[str, float]] = {}
    for url, score in built.ranked(built.bag(ROSES), lambda other: other != ROSES):
        best.setdefault(built.sites[url], (url, score))
    filters = Filters(exact=exact, group_by_site=True, pages="all", copy_score=1.0)
    expected = rounded(list(best.values()))[:10]
    assert found(built.index.related(ROSES, filters=filters)) == expected


def test_copies_are_folded_into_one_hit(content: Built) -> None:
    folded = 0
    for url in some_pages(content, 60):
        answer = content.index.related(url, k=5)
        kept = [hit.url for hit in answer.hits]
        for number, hit in enumerate(answer.hits):
            folded += len(hit.copies)
            assert all(content.similarity(hit.url, mirror) > 0.95 for mirror in hit.copies)
            assert all(content.similarity(hit.url, other) <= 0.95 for other in kept[:number])
    assert folded


def test_copies_of_the_last_hit_are_found(content: Built) -> None:
    for url in some_pages(content, 60):
        for k in (1, 2, 3):
            short = content.index.related(url, k=k).hits
            assert short == content.index.related(url, k=10).hits[:k]


def test_min_agreement_drops_pages_whose_sketches_agree_less(built: Built) -> None:
    filters = Filters(k=100, min_agreement=0.15)
    searcher = built.index.reader.searcher
    sketch = searcher.bag(searcher.find(key_of(ROSES)) or _core.PageRef(0, 0)).sketch(80, 0)
    answer = built.index.related(ROSES, filters=filters)
    assert 0 < len(answer.hits) < 100
    for hit in answer.hits:
        place = searcher.find(key_of(hit.url))
        assert place is not None
        pairs = zip(sketch, searcher.bag(place).sketch(80, 0), strict=True)
        assert sum(a == b for a, b in pairs) > 12


def key_of(url: str) -> int:
    return pagekin._core.url_id(url)


def test_query_of_several_pages_averages_their_bags(built: Built) -> None:
    urls = [ROSES, *[hit.url for hit in built.index.related(ROSES).hits[:2]]]
    answer = built.index.related(urls, filters=Filters(k=10, exact=True, copy_score=1.0))
    assert (answer.query.url, answer.query.also) == (ROSES, urls[1:])
    assert not {hit.url for hit in answer.hits} & set(urls)
    mixed: dict[int, int] = {}
    for url in urls:
        for term, weight in built.bag(url).items():
            mixed[term] = mixed.get(term, 0) + weight
    whole = {term: round(weight / 3) for term, weight in mixed.items()}
    for hit in answer.hits:
        assert hit.score == pytest.approx(jaccard(whole, built.bag(hit.url)), abs=0.01)


def test_unlike_subtracts_terms(built: Built) -> None:
    other = built.index.related(ROSES).hits[0].url
    plain = built.index.related(ROSES, k=5).hits
    answer = built.index.related(ROSES, unlike=[other], k=200)
    assert answer.query.unlike == [other]
    assert other not in {hit.url for hit in answer.hits}
    scores = {hit.url: hit.score for hit in answer.hits}
    assert scores.get(plain[1].url, 0) < plain[1].score


def test_page_unlike_itself_has_no_related_pages(built: Built) -> None:
    answer = built.index.related(ROSES, unlike=[ROSES])
    assert not answer.hits
    assert answer.note is not None


def test_text_of_a_page_finds_the_page(content: Built) -> None:
    words = " ".join(content.index.reader.words_of(key_of(ROSES)))
    answer = content.index.related_to_text(words)
    assert answer.query.url is None
    assert ROSES in (answer.hits[0].url, *answer.hits[0].copies)
    assert answer.hits[0].why.similarity > 0.9


def test_short_text_finds_pages_with_its_words(built: Built) -> None:
    answer = built.index.related_to_text("old roses", k=3)
    assert all({term.term for term in hit.why.terms} & {"rose", "roses"} for hit in answer.hits)
    assert len(answer.hits) == 3


@pytest.mark.parametrize("text", ["", "the of and", "zzyzx qwrtpl", "\udcff", "12 + 34"])
def test_text_without_known_words_has_no_related_pages(built: Built, text: str) -> None:
    answer = built.index.related_to_text(text)
    assert not answer.hits
    assert answer.note == "the index knows no word of this text, so no page is related to it"


def test_page_without_terms_has_no_related_pages(tmp_path: Path) -> None:
    index = build_pages(tmp_path, {"a": "<p>garden roses</p>", "b": "<p>the of</p>"}, Strategy())
    answer = pagekin.open(index).related("http://t.example/b.html")
    assert not answer.hits
    assert "the index knows nothing about this page" in (answer.note or "")


def test_note_says_that_nothing_is_left_after_subtracting(built: Built) -> None:
    url = some_pages(built, 1)[0]
    answer = built.index.related(url, unlike=[url])
    said = "nothing is left of these pages after subtracting the others"
    assert (answer.hits, answer.note) == ([], said)


def test_note_claims_no_common_term_only_after_an_exact_search(built: Built) -> None:
    """Only an exact search knows that no page has a common term."""
    asked = resolve(built.index.reader, Question.about(some_pages(built, 1)))
    none = Mock(score=0, site=0, linked=0, same_site=0)
    told = Mock(hits=[], copies=[], exact=False, filtered=none)
    assert note(built.index.reader, asked, Filters(), told) == (
        "no related page among the likely candidates; an exact search compares every page"
    )
    told.exact = True
    assert (
        note(built.index.reader, asked, Filters(), told)
        == "no page of the crawl has anything in common with it"
    )
    everything = note(built.index.reader, asked, Filters(pages="all"), told)
    assert everything == "no page has anything in common with it"


def test_note_names_the_filter_that_dropped_all_hits(tmp_path: Path) -> None:
    pages = {"a": "<p>garden roses</p>", "b": "<p>garden tulips</p>"}
    index = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    answer = index.related("http://t.example/a.html", filters=Filters(exclude_site=True))
    assert (answer.hits, answer.note) == ([], "no related page: 1 on the same site left out")


def test_min_inlinks_excludes_pages_from_sketch_candidates(tmp_path: Path) -> None:
    pages = {f"p{n}": "garden roses tulips <a href=p0.html>home</a>" for n in range(9)}
    strategy = replace(presets()["content"], sketch=Sketch(min_inlinks=3))
    index = pagekin.open(build_pages(tmp_path, pages, strategy))
    for exact, expected in ((False, 1), (True, 8)):
        filters = Filters(min_agreement=0.01, exact=exact, copy_score=1.0)
        assert len(index.related("http://t.example/p3.html", filters=filters).hits) == expected


def test_answer_is_not_exact_if_min_inlinks_leaves_pages_out(tmp_path: Path) -> None:
    pages = {"a": "garden roses", "b": "garden tulips"}
    strategy = replace(presets()["content"], sketch=Sketch(min_inlinks=1))
    index = pagekin.open(build_pages(tmp_path, pages, strategy))
    answer = index.related("http://t.example/a.html")
    assert (answer.hits, answer.exact) == ([], False)
    assert answer.note == (
        "no related page among the likely candidates; an exact search compares every page"
    )
    compared = index.related("http://t.example/a.html", exact=True)
    assert (len(compared.hits), compared.exact) == (1, True)


def test_note_counts_folded_copies(tmp_path: Path) -> None:
    pages = dict.fromkeys("abcd", "<p>garden roses</p>") | {"e": "<p>roses garden</p>"}
    index = pagekin.open(build_pages(tmp_path, pages, presets()["content"]))
    answer = index.related("http://t.example/e.html")
    assert answer.note == "only 1 related page: 3 folded as copies of a hit"
    answer = index.related("http://t.example/a.html")
    assert answer.note == "only 1 related page: 3 copies of the page itself left out"
    assert [hit.url for hit in answer.hits] == ["http://t.example/e.html"]
    assert answer.copies_of_query == [f"http://t.example/{name}.html" for name in "bcd"]


SELECTIONS = {"crawled": (True,), "uncrawled": (False,), "all": (True, False)}


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("pages", SELECTIONS)
def test_hits_are_the_best_of_the_selected_pages(built: Built, pages: str, exact: bool) -> None:
    for url in some_pages(built, 25):
        expected = [
            pair
            for pair in rounded(built.ranked(built.bag(url), url.__ne__))
            if built.crawled[pair[0]] in SELECTIONS[pages]
        ]
        filters = Filters(k=5, pages=pages, exact=exact, copy_score=1.0)
        assert found(built.index.related(url, filters=filters)) == expected[:5]


@pytest.mark.parametrize("pages", SELECTIONS)
def test_sketches_find_selected_pages(built: Built, pages: str) -> None:
    by_sketch = Filters(min_agreement=1e-9, pages=pages, copy_score=1.0)
    for url in some_pages(built, 10):
        hits = built.index.related(url, filters=by_sketch).hits
        assert hits and all(hit.crawled in SELECTIONS[pages] for hit in hits)


def test_pages_that_are_only_linked_to_are_told_apart(built: Built) -> None:
    answer = built.index.related(ROSES)
    apart = built.index.related(ROSES, pages="uncrawled", k=3)
    assert all(hit.crawled for hit in answer.hits)
    listed = [(page.url, page.title, page.score) for page in answer.not_in_crawl]
    assert listed == [(hit.url, hit.title, hit.score) for hit in apart.hits]
    assert len(listed) == 3 and all(title for _, title, _ in listed)
    assert apart.not_in_crawl == built.index.related(ROSES, pages="all").not_in_crawl == []


def test_uncrawled_page_is_titled_by_the_words_that_link_to_it(tmp_path: Path) -> None:
    texts = {
        "a": "garden <a href=/x>wild roses</a> tulips",
        "b": "garden <a href=/x>wild roses</a> tulips <a href=/x>much longer words here</a>",
        "c": "garden <a href=/y><img></a> tulips",
    }
    index = pagekin.open(build_pages(tmp_path, texts, presets()["balanced"]))
    titles = {hit.url: hit.title for hit in index.related("http://t.example/a.html", pages="all")}
    assert titles["http://t.example/x"] == "wild roses"
    assert titles["http://t.example/y"] is None
    assert index.show("http://t.example/x").title == "wild roses"
    assert index.related("http://t.example/x").query.title == "wild roses"


@pytest.mark.parametrize(
    ("field", "value"),
    [("k", 0), ("k", -3), ("min_score", 1.5), ("min_agreement", -0.1), ("copy_score", 2)],
)
def test_filters_out_of_bounds_are_rejected_by_name(field: str, value: Any) -> None:
    with pytest.raises(pagekin.errors.InputError, match=f"^{field}: "):
        replace(Filters(), **{field: value})


def test_concurrent_queries_give_the_same_answers(built: Built) -> None:
    urls = some_pages(built, 30)
    expected = [built.index.related(url).hits for url in urls]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(built.index.related, urls * 5))
    assert [answer.hits for answer in answers] == expected * 5
