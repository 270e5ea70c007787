"""Counts of the core against every pair one by one, and against SciPy."""

import itertools
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats

from bench.quality.evaluation import by_scipy
from pagekin import _core
from pagekin.evaluation.measures import ORDERINGS
from pagekin.evaluation.truths.matching import MatchedPages
from tests.evaluation import reference

TOTAL = 12
PATHS = some.lists(some.sampled_from("abc"), min_size=1, max_size=3).map(tuple)


def bag_of(cuts: list[int]) -> dict[int, int]:
    """A bag that sums to TOTAL: the share of each term is the distance between two cuts."""
    places = [0, *sorted(cuts), TOTAL]
    shares = [high - low for low, high in itertools.pairwise(places)]
    return {term: share for term, share in enumerate(shares) if share}


BAGS: some.SearchStrategy[dict[int, int]] = some.lists(
    some.integers(0, TOTAL), min_size=2, max_size=4
).map(bag_of) | some.just({})


@some.composite
def directories(draw: some.DrawFn) -> tuple[list[list[tuple[str, ...]]], list[dict[int, int]]]:
    """Pages with their classes, some in several, and their bags, some empty."""
    count = draw(some.integers(2, 12))
    classes = some.lists(PATHS, min_size=1, max_size=2, unique=True)
    return (
        draw(some.lists(classes, min_size=count, max_size=count)),
        draw(some.lists(BAGS, min_size=count, max_size=count)),
    )


def family_of(classes: list[list[tuple[str, ...]]]) -> _core.Family:
    known = sorted({path for paths in classes for path in paths})
    names = {name: number for number, name in enumerate("abc")}
    return _core.Family(
        [[names[name] for name in path] for path in known],
        [[known.index(path) for path in paths] for paths in classes],
    )


def batch_of(bags: list[dict[int, int]]) -> pa.RecordBatch:
    terms = [[*bag] for bag in bags]
    weights = [[*bag.values()] for bag in bags]
    return pa.record_batch(
        {
            "id": pa.array(range(len(bags)), pa.uint64()),
            "terms": pa.array(terms, pa.large_list(pa.uint64())),
            "weights": pa.array(weights, pa.large_list(pa.uint16())),
        }
    )


def assert_counted(
    found: dict[str, Any],
    query: int,
    similarity: list[Any],
    classes: list[list[tuple[str, ...]]],
) -> None:
    for name, outcome in reference.outcomes(query, similarity, classes).items():
        assert found[f"{name}_concordant"] == outcome.concordant
        assert found[f"{name}_discordant"] == outcome.discordant
        assert found[f"{name}_tied"] == outcome.tied
    mates = [
        page
        for page, paths in enumerate(classes)
        if page != query and reference.relation(classes[query], paths) == "same"
    ]
    assert found["same"] == len(mates)
    assert found["orthogonal"] == sum(not similarity[page] for page in mates)
    for k in (1, 3):
        assert found[f"hits_{k}"] == pytest.approx(
            float(reference.hits(query, k, similarity, classes))
        )


@given(directories(), some.sampled_from(["jaccard", "cosine"]))
def test_counts_of_bags_match_a_count_of_every_pair(
    directory: tuple[list[list[tuple[str, ...]]], list[dict[int, int]]], name: str
) -> None:
    classes, bags = directory
    collection = _core.Collection([batch_of(bags[:3]), batch_of(bags[3:])])
    rows = collection.tally(family_of(classes), name, [1, 3], 0, len(bags)).to_pylist()
    compare = {"jaccard": reference.jaccard, "cosine": reference.cosine_squared}[name]
    for query, found in enumerate(rows):
        assert_counted(found, query, [compare(bags[query], bag) for bag in bags], classes)


@given(directories())
def test_plain_way_of_the_benchmark_counts_the_same_pairs(
    directory: tuple[list[list[tuple[str, ...]]], list[dict[int, int]]],
) -> None:
    classes, bags = directory
    family, batch = family_of(classes), batch_of(bags)
    rows = _core.Collection([batch]).tally(family, "jaccard", [1], 0, len(bags)).to_pylist()
    outcomes = ("concordant", "discordant", "tied")
    expected = [
        [sum(row[f"{name}_{outcome}"] for row in rows) for outcome in outcomes]
        for name in ORDERINGS
    ]
    matched = cast(MatchedPages, SimpleNamespace(family=family))
    assert by_scipy([batch], matched).tolist() == expected


@given(directories())
def test_similarities_match_their_definition(
    directory: tuple[list[list[tuple[str, ...]]], list[dict[int, int]]],
) -> None:
    _, bags = directory
    collection = _core.Collection([batch_of(bags)])
    for other in range(1, len(bags)):
        jaccard = collection.similarities(0, "jaccard")[other]
        assert jaccard == pytest.approx(float(reference.jaccard(bags[0], bags[other])))
        cosine = collection.similarities(0, "cosine")[other]
        assert cosine**2 == pytest.approx(float(reference.cosine_squared(bags[0], bags[other])))


@given(directories(), some.randoms(use_true_random=False))
def test_counts_of_a_ranking_match_a_count_of_every_pair(
    directory: tuple[list[list[tuple[str, ...]]], list[dict[int, int]]], random: Any
) -> None:
    classes, _ = directory
    count = len(classes)
    scores = {
        (query, other): random.choice([-2.5, 0.0, 0.5, 3.0])
        for query in range(count)
        for other in range(count)
        if query != other and random.random() < 0.7
    }
    rows = sorted((*pair, score) for pair, score in scores.items())
    columns = [*zip(*rows, strict=True)] or [(), (), ()]
    kinds = [pa.uint32(), pa.uint32(), pa.float64()]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    ranking = _core.Ranking(count, pa.record_batch(arrays, names=["query", "other", "score"]))
    found = ranking.tally(family_of(classes), [1, 3], 0, count).to_pylist()
    for query, row in enumerate(found):
        # What is not ranked is below everything that is; scores are lifted above 0.
        similarity = [scores.get((query, other), -10.0) + 10 for other in range(count)]
        assert_counted(row, query, similarity, classes)


@given(some.integers(0, 2**32 - 1))
def test_strict_gamma_of_a_page_equals_somers_d_of_scipy(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = 40
    classes = random.integers(0, 4, count)
    classes[:5] = 0
    scores = random.integers(1, 9, count)
    rows = pa.record_batch(
        {
            "query": pa.array(np.zeros(count - 1), pa.uint32()),
            "other": pa.array(range(1, count), pa.uint32()),
            "score": pa.array(scores[1:], pa.float64()),
        }
    )
    family = _core.Family([[0, 0], [0, 1], [0, 2], [0, 3]], [[int(each)] for each in classes])
    found = _core.Ranking(count, rows).tally(family, [1], 0, 1).to_pylist()[0]
    pairs = [found[f"sibling_{outcome}"] for outcome in ("concordant", "discordant", "tied")]
    same = (classes[1:] == 0).astype(int)
    expected = stats.somersd(same, scores[1:]).statistic
    assert (pairs[0] - pairs[1]) / sum(pairs) == pytest.approx(expected)
    # The same again as an area: 2 AUC - 1.
    area = stats.mannwhitneyu(scores[1:][same == 1], scores[1:][same == 0]).statistic
    assert 2 * area / sum(pairs) - 1 == pytest.approx(expected)


def test_bags_with_different_sums_are_rejected() -> None:
    with pytest.raises(ValueError, match="bag 1 has another sum"):
        _core.Collection([batch_of([{1: 5}, {1: 6}])])


def test_pages_and_directory_must_match() -> None:
    collection = _core.Collection([batch_of([{1: 5}, {1: 5}])])
    family = _core.Family([[0]], [[0], [0], [0]])
    with pytest.raises(ValueError, match="not those of the directory"):
        collection.tally(family, "jaccard", [10], 0, 2)
    with pytest.raises(ValueError, match="no similarity dice"):
        collection.tally(family, "dice", [10], 0, 2)
    with pytest.raises(ValueError, match="page 2 of 2"):
        collection.similarities(2, "jaccard")
