"""Measures, pooling, intervals and bands."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.errors import StrategyError
from pagekin.evaluation.counts import Counts, bootstrap, count_pairs, percentiles
from pagekin.evaluation.measures import (
    ORDERINGS,
    Gamma,
    Measure,
    Orthogonality,
    Precision,
    WeightedMean,
    measure,
)

MEASURES: list[Measure] = [
    *(Gamma(ordering, ties) for ordering in ORDERINGS for ties in ("strict", "value")),
    Precision(1),
    Precision(1000),
    Orthogonality(),
    WeightedMean(((Gamma(), 2.0), (Precision(5), 0.5))),
]


@pytest.mark.parametrize("each", MEASURES, ids=str)
def test_measure_prints_as_it_is_typed(each: Measure) -> None:
    assert measure(str(each)) == each


@pytest.mark.parametrize("text", ["P@0", "P@1001", "gamma", "", "sibling-gamma:strict", "P@01"])
def test_unknown_measure_is_rejected(text: str) -> None:
    with pytest.raises(StrategyError, match="sibling-gamma, sibling-gamma:value"):
        measure(text)


def test_weights_of_measures_may_be_left_out() -> None:
    expected = WeightedMean(((Gamma("whole"), 1.0), (Precision(10), 3.0)))
    assert measure("whole, P@10=3") == measure("whole-gamma=1,P@10=3") == expected
    assert measure("sibling") == Gamma()
    assert expected.ks == {10}


@pytest.mark.parametrize("text", ["sibling=0,P@10", "sibling=x,P@10", "P@10=-1,cousin", "P@1=nan"])
def test_bad_weight_of_a_measure_is_rejected(text: str) -> None:
    with pytest.raises(StrategyError, match="a weight above 0"):
        measure(text)


def test_repeated_measure_is_rejected() -> None:
    with pytest.raises(StrategyError, match="each once"):
        measure("sibling,sibling-gamma=2")


def test_weighted_mean_is_that_of_its_measures() -> None:
    pooled = counts([(6, 2, 8), (3, 1, 0)], [0, 1]).all()
    parts = measure("sibling=2,P@10=1,orthogonality=1")
    expected = (2 * 6 / 20 + 4 / 20 + (1 - 2 / 4)) / 4
    assert pooled.measure(parts)[0] == pytest.approx(expected)


def counts(rows: list[tuple[int, int, int]], group: list[int]) -> Counts:
    """Counts of sibling pairs; every page has two class mates, one orthogonal, and two hits."""
    columns = {
        f"{ordering}_{outcome}": [0] * len(rows)
        for ordering in ORDERINGS
        for outcome in ("concordant", "discordant", "tied")
    }
    for place, outcome in enumerate(("concordant", "discordant", "tied")):
        columns[f"sibling_{outcome}"] = [row[place] for row in rows]
    columns |= {"same": [2] * len(rows), "orthogonal": [1] * len(rows)}
    table = pa.table(columns | {"hits_10": [2.0] * len(rows)})

    def tally(_: list[int], first: int, last: int) -> pa.RecordBatch:
        return table.slice(first, last - first).to_batches()[0]

    return count_pairs(tally, np.array(group), max(group) + 1, [10], 2)


def test_value_and_strict_differ_by_ties() -> None:
    pooled = counts([(6, 2, 8), (3, 1, 0)], [0, 1]).all()
    assert pooled.measure(Gamma("sibling", "value"))[0] == pytest.approx(6 / 12)
    assert pooled.measure(Gamma("sibling"))[0] == pytest.approx(6 / 20)
    assert np.isnan(pooled.measure(Gamma("cousin"))[0])
    assert pooled.measure(Precision(10))[0] == pytest.approx(4 / 20)
    assert pooled.measure(Orthogonality())[0] == pytest.approx(1 / 2)


def test_counts_by_page_by_class_and_of_some_pages() -> None:
    found = counts([(4, 0, 0), (0, 4, 0), (1, 1, 2)], [0, 0, 1])
    gamma = Gamma("sibling")
    assert found.pages.measure(gamma).tolist() == [1, -1, 0]
    assert found.by_class().measure(gamma).tolist() == [0, 0]
    assert found.where(np.array([True, False, False])).measure(gamma).tolist() == [1]
    assert found.mean(gamma) == 0
    only = found.only(np.array([True, False, True]))
    assert only.all().queries.tolist() == [2]
    assert only.mean(gamma) == 0.5
    by_class = found.by_class(np.array([True, False, True]))
    assert by_class.measure(gamma).tolist() == [1, 0]


@given(some.lists(some.tuples(*[some.integers(0, 9)] * 3), min_size=1, max_size=300))
def test_pooled_counts_do_not_depend_on_the_grouping(rows: list[tuple[int, int, int]]) -> None:
    found = counts(rows, [place % 3 for place in range(len(rows))])
    expected = np.array(rows).sum(axis=0)
    assert found.all().pairs[0, 0].tolist() == expected.tolist()
    assert found.by_class().pairs[:, 0].sum(axis=0).tolist() == expected.tolist()


def test_interval_is_repeatable_and_contains_the_value() -> None:
    random = np.random.default_rng(1)
    rows = [(int(right), 30 - int(right), 0) for right in random.integers(12, 30, 200)]
    found = counts(rows, [place % 20 for place in range(200)])
    low, high = found.interval(Gamma("sibling"))
    assert (low, high) == found.interval(Gamma("sibling"))
    assert low < found.all().measure(Gamma("sibling"))[0] < high
    # Twenty equal classes: the spread is that of the mean of their values.
    each = found.by_class().measure(Gamma("sibling"))
    error = each.std(ddof=1) / np.sqrt(20)
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.15)


def test_interval_without_data_is_nan() -> None:
    assert all(np.isnan(counts([(1, 0, 0)], [0]).interval(Gamma("cousin"))))
    assert percentiles(np.array([1.0, np.nan])) == (1.0, 1.0)


def test_resample_draws_as_many_classes_as_there_are() -> None:
    found = counts([(1, 0, 0)] * 7, [*range(7)]).by_class()
    kept = np.array([True] * 5 + [False] * 2)
    assert bootstrap(kept, resamples=50)(found).queries.tolist() == [5] * 50
