"""Questions with texts: scores of words and of bags as one, against every page compared."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from pagekin import Filters, Question, _core
from pagekin.query import fusion
from pagekin.query.question import resolve
from pagekin.query.related import find
from pagekin.query.words.scorer import MOST_SHARE, word_share
from tests.query.indexes import Built

ROSES = "http://www.hedgerow.example/plants/roses.html"
LIGHTNING = "http://www.skywatch.example/storms/lightning.html"

QUESTIONS = [
    Question(text="roses"),
    Question(text="how do I prune old roses in the winter garden"),
    Question((LIGHTNING,), text="old roses"),
    Question(text="garden roses", unlike=(ROSES,)),
    Question(text="garden roses", unlike_text="pruning roses"),
    Question((ROSES,), unlike_text="garden"),
    Question(text="roses", page=b"<title>Hail</title><p>hail and thunderstorms"),
]


@pytest.fixture(scope="module")
def built(index: Path) -> Built:
    return Built(index)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("lengths", [(256, 64), (2, 2)])
def test_hits_are_those_of_a_comparison_of_every_page(
    built: Built, question: Question, lengths: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fusion, "BY_WORDS", lengths[0])
    monkeypatch.setattr(fusion, "BY_BAGS", lengths[1])
    reader = built.index.reader
    resolved = resolve(reader, question)
    found = find(reader, resolved, Filters(k=10, copy_score=1))
    assert found.exact
    bag = dict(zip(resolved.bag.terms, resolved.bag.weights, strict=True))
    similar = {_core.url_id(url): score for url, score in built.ranked(bag, lambda _: True)}
    words = resolved.words
    share = words.share if words else 0.0
    by_words = words.scores(Filters().to_core()) if words else np.zeros(len(built.urls))
    left_out = {*map(reader.searcher.id, (*resolved.like, *resolved.unlike))}
    scores = {
        key: share * by_words[row] + (1 - share) * similar.get(key, 0.0)
        for row, (key, url) in enumerate(built.urls.items())
        if built.crawled[url] and key not in left_out
    }
    expected = sorted((score for score in scores.values() if score > 0), reverse=True)[:10]
    hits = [scores[reader.searcher.id(hit.page)] for hit in found.hits]
    assert hits == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_are_explained(built: Built, question: Question) -> None:
    answer = built.index.related(question, k=20)
    share = answer.query.word_share
    assert answer.hits
    assert [hit.score for hit in answer] == sorted((hit.score for hit in answer), reverse=True)
    for hit in answer:
        jaccard = hit.why.intersection / (2 - hit.why.intersection)
        assert hit.why.similarity == pytest.approx(jaccard, abs=2e-6)
        if share is None:
            assert (hit.why.words, hit.score) == (None, hit.why.similarity)
        else:
            assert hit.why.words is not None
            fused = share * hit.why.words + (1 - share) * hit.why.similarity
            assert hit.score == pytest.approx(fused, abs=4e-6)


def test_share_of_words_falls_smoothly() -> None:
    shares = [word_share(known) for known in range(2000)]
    steps = [one - other for one, other in itertools.pairwise(shares)]
    assert shares[0] == MOST_SHARE
    assert all(0 <= step < 0.015 for step in steps)
    assert shares[-1] < 0.01


def test_filters_hold_for_texts(built: Built) -> None:
    index = built.index
    every = index.related_to_text("old roses", k=100, pages="all")
    assert {hit.crawled for hit in every} == {True, False}
    assert all(hit.crawled for hit in index.related_to_text("old roses", k=100))
    least = every.hits[5].score
    assert all(hit.score >= least for hit in index.related_to_text("old roses", min_score=least))
    sites = [hit.site for hit in index.related_to_text("old roses", group_by_site=True)]
    assert len(sites) == len({*sites}) > 2
    whole = index.related_part(Question(text="old roses"), filters=Filters(k=30)).hits
    parts = [
        hit
        for offset in (0, 10, 20)
        for hit in index.related_part(Question(text="old roses"), offset=offset).hits
    ]
    assert [hit.url for hit in parts] == [hit.url for hit in whole]


def test_unlike_moves_pages_down(built: Built) -> None:
    def score(question: Question) -> float:
        hits = built.index.related(question, k=200, copy_score=1.0).hits
        return next((hit.score for hit in hits if hit.url == LIGHTNING), 0.0)

    plain = score(Question(text="roses thunderstorm"))
    assert score(Question(text="roses thunderstorm", unlike_text="thunderstorm")) < plain
