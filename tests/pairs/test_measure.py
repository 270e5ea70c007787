"""The arc measure: table 1 and figure 3 of the paper, and the formula written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.pairs.graph import cohesive, cosine

TABLE_1 = [
    ((0.9, 0.9), (0.9, 0.9), 0.81),
    ((0.9, 0), (0, 0.9), 0.486),
    ((0.9, 0.9), (0, 0.9), 0.486),
    ((0.7, 0), (0, 0.9), 0.378),
    ((0, 0.9), (0.9, 0), 0.324),
    ((0.7, 0), (0, 0.7), 0.294),
    ((0.5, 0), (0, 0.9), 0.27),
    ((0.9, 0.9), (0.7, 0), 0.252),
    ((0.5, 0), (0, 0.7), 0.21),
]
STRENGTH = some.floats(0, 1)
VECTORS = some.integers(2, 5).flatmap(
    lambda size: some.tuples(*[some.lists(STRENGTH, min_size=size, max_size=size)] * 2)
)


def weight(source: object, target: object, alpha: float = 0.6) -> float:
    return float(cohesive(np.array([source]), np.array([target]), alpha)[0])


@pytest.mark.parametrize(("source", "target", "expected"), TABLE_1)
def test_weights_of_table_1(source: object, target: object, expected: float) -> None:
    assert round(weight(source, target), 12) == expected


def test_weights_of_boolean_pages_in_figure_3() -> None:
    both, first, second, none = (1, 1), (1, 0), (0, 1), (0, 0)
    assert weight(both, both) == pytest.approx(1)
    assert weight(first, second) == pytest.approx(0.6)
    assert weight(both, second) == weight(first, both) == pytest.approx(0.6)
    assert weight(second, first) == pytest.approx(0.4)
    assert weight(both, first) == weight(second, both) == pytest.approx(0.4)
    for page in (both, first, second, none):
        assert weight(page, none) == weight(none, page) == 0
    assert weight(first, first) == weight(second, second) == 0


@given(VECTORS, some.floats(0.5, 1))
def test_weight_follows_the_formula_for_any_number_of_keywords(
    vectors: tuple[list[float], list[float]], alpha: float
) -> None:
    source, target = vectors
    places = range(len(source))
    expected = sum(
        source[x] * target[y] * (alpha if x < y else 1 - alpha)
        for x in places
        for y in places
        if x != y
    )
    assert weight(source, target, alpha) == pytest.approx(expected, abs=1e-12)
    assert 2 * weight(source, target, 0.5) == pytest.approx(
        sum(source) * sum(target) - sum(a * b for a, b in zip(source, target, strict=True)),
        abs=1e-12,
    )


@given(VECTORS, some.floats(0.5, 1))
def test_reversing_an_arc_reverses_the_preference(
    vectors: tuple[list[float], list[float]], alpha: float
) -> None:
    source, target = vectors
    assert weight(target, source, alpha) == pytest.approx(
        weight(source, target, 1 - alpha), abs=1e-12
    )


def test_cosine_is_zero_for_pages_without_a_common_keyword() -> None:
    source, target = np.array([[1.0, 0], [3, 4], [0, 0]]), np.array([[0, 1.0], [6, 8], [1, 1]])
    assert cosine(source, target).tolist() == pytest.approx([0, 1, 0])
