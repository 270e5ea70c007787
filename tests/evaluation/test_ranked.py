"""Measures of ranked answers, against trec_eval and a plain computation."""

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.evaluation.known_item_judge import MEASURES
from pagekin.evaluation.ranked import RANKED, RankedAnswers, RankedMeasure, Relevance, mean_score

EVERY = {*RANKED, *MEASURES}
PAGES = 30
LISTS = st.lists(st.integers(1, PAGES), unique=True, max_size=20)
RELATED = st.sets(st.integers(1, PAGES), min_size=1, max_size=6)
QUERIES = st.lists(st.tuples(LISTS, RELATED), min_size=1, max_size=8)


def answers_of(lists: list[list[int]]) -> RankedAnswers:
    ids = np.arange(len(lists), dtype=np.uint64)
    return RankedAnswers(ids, [np.array(ranked, dtype=np.uint64) for ranked in lists])


def relevance_of(queries: list[tuple[list[int], set[int]]], depth: int) -> Relevance:
    pairs = [(query, page) for query, (_, pages) in enumerate(queries) for page in sorted(pages)]
    one, other = np.array(pairs, dtype=np.uint64).T
    return Relevance.of(answers_of([ranked for ranked, _ in queries]), one, other, depth)


def reference(measure: RankedMeasure, ranked: list[int], related: set[int]) -> float:
    """The definition, rank by rank."""
    ranks = [rank for rank, page in enumerate(ranked[: measure.k], 1) if page in related]
    if measure.name == "R":
        return len(ranks) / len(related)
    if measure.name == "AP":
        return sum(found / rank for found, rank in enumerate(ranks, 1)) / len(related)
    if measure.name == "RR":
        return 1 / ranks[0] if ranks else 0.0
    return float(bool(ranks))


@given(QUERIES)
def test_every_measure_follows_its_definition(queries: list[tuple[list[int], set[int]]]) -> None:
    relevance = relevance_of(queries, 10)
    for measure in EVERY:
        expected = [reference(measure, *query) for query in queries]
        assert measure.of(relevance).tolist() == pytest.approx(expected)


@given(QUERIES)
def test_measures_equal_those_of_trec_eval(queries: list[tuple[list[int], set[int]]]) -> None:
    qrels = [
        ir_measures.Qrel(str(query), str(page), 1)
        for query, (_, related) in enumerate(queries)
        for page in related
    ]
    run = [
        ir_measures.ScoredDoc(str(query), str(page), -float(rank))
        for query, (ranked, _) in enumerate(queries)
        for rank, page in enumerate(ranked)
    ]
    names = {ir_measures.parse_measure(str(measure)): measure for measure in EVERY}
    expected = ir_measures.calc_aggregate([*names], qrels, run) if run else {}
    relevance = relevance_of(queries, 10)
    for name, measure in names.items():
        assert measure.of(relevance).mean() == pytest.approx(expected.get(name, 0.0))


def test_query_without_answers_scores_zero() -> None:
    answers = RankedAnswers(np.array([7], dtype=np.uint64), [np.array([1], dtype=np.uint64)])
    ids = np.array([7, 9], dtype=np.uint64)
    relevance = Relevance.of(answers, ids, np.array([1, 1], dtype=np.uint64), 10)
    assert RankedMeasure("R", 10).of(relevance).tolist() == [1.0, 0.0]


def test_interval_holds_the_mean_and_is_wider_over_few_groups() -> None:
    values = np.tile([0.0, 1.0], 500)
    group = np.where(values > 0, 0, 1)
    single, grouped = mean_score(values), mean_score(values, group)
    assert single.value == grouped.value == 0.5
    assert 0.46 < single.interval[0] < 0.5 < single.interval[1] < 0.54
    assert grouped.interval == (0.0, 1.0)


def test_interval_of_many_queries_is_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random(50)
    whole = mean_score(values)
    monkeypatch.setattr("pagekin.evaluation.ranked._DRAWS", 120)
    assert mean_score(values).interval == pytest.approx(whole.interval)
