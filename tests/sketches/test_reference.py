"""The core against the reference, bit for bit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin import sketches as reference
from tests.sketches import golden
from tests.sketches.bags import Bag, batch, sketches

WEIGHTS = st.one_of(st.integers(0, 3), st.integers(0, 600), st.integers(0, 65_535))
TERMS = st.one_of(st.integers(0, 50), st.integers(0, 2**64 - 1))
BAGS = st.dictionaries(TERMS, WEIGHTS, max_size=40)


def from_reference(bag: Bag, m: int, seed: int) -> list[int]:
    terms = np.array(list(bag), np.uint64)
    weights = np.array(list(bag.values()), np.uint16)
    values: list[int] = reference.sketch(terms, weights, m, seed).tolist()
    return values


@pytest.mark.parametrize("case", golden.read(), ids=lambda case: case.name)
def test_core_matches_golden_sketches(case: golden.Golden) -> None:
    bag = dict(zip(case.terms, case.weights, strict=True))
    assert sketches(batch([bag]), case.m, case.seed)[0].tolist() == case.sketch


def test_reference_matches_golden_sketches() -> None:
    assert golden.make() == golden.read()


@settings(max_examples=150)
@given(bag=BAGS, m=st.integers(1, 130), seed=st.integers(0, 2**64 - 1))
def test_core_matches_reference_for_any_bag(bag: Bag, m: int, seed: int) -> None:
    assert sketches(batch([bag]), m, seed)[0].tolist() == from_reference(bag, m, seed)


@pytest.mark.parametrize("m", [*range(1, 130, 3), 255, 256, 257, 1365, 1366, 4096, 30_000])
def test_core_matches_reference_for_any_number_of_positions(m: int) -> None:
    bag = {term * term: 3000 - 57 * term for term in range(50)}
    assert sketches(batch([bag]), m, seed=m)[0].tolist() == from_reference(bag, m, m)


def test_core_matches_reference_for_a_bag_of_several_blocks() -> None:
    bag = {term: 60_000 - term for term in range(700)}
    assert sketches(batch([bag]), m=200)[0].tolist() == from_reference(bag, 200, 0)


def test_chances_follow_the_poisson_distribution() -> None:
    for mean in (reference.SHARED_MEAN, reference.OWN_MEAN):
        exist, density = 1.0, np.exp(-mean)
        for number, chance in enumerate(reference.chances(mean)[:6], start=1):
            assert chance / 2**32 == pytest.approx(1 - density / exist, rel=1e-6)
            exist, density = exist - density, density * mean / number


def test_reference_has_fewer_than_100_lines() -> None:
    lines = Path(reference.__file__).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 100
