"""Agreement against exact weighted Jaccard, over many seeds.

A position agrees with probability J and independently of the others, so m of them have a standard
error of sqrt(J (1 - J) / m). Seeds are fixed: these tests do not pass by luck and fail by chance.
"""

from math import sqrt

import numpy as np
import pytest

from tests.sketches.bags import Bag, batch, blend, jaccard, sketches, usual_bag

SEEDS = 3000
MAKE = np.random.default_rng(1)
ONE, OTHER = usual_bag(MAKE, 230), usual_bag(MAKE, 230)
PAIRS: dict[str, tuple[Bag, Bag]] = {
    **{f"usual, {share:.0%}": (ONE, blend(ONE, OTHER, share)) for share in (0.05, 0.3, 0.6, 0.95)},
    "same terms, other weights": (ONE, dict(zip(ONE, sorted(ONE.values()), strict=True))),
    "sets": (dict.fromkeys(range(60), 1), dict.fromkeys(range(30, 100), 1)),
    "light in a wide cell": ({1: 1, 2: 1}, {1: 2, 3: 1}),
    "one term": ({9: 20_000}, {9: 65_535}),
    "a term against many": ({5: 65_535}, {5: 30_000, **dict.fromkeys(range(10, 80), 507)}),
    "sums that differ": (ONE, {term: max(weight // 9, 1) for term, weight in ONE.items()}),
    "huge": (dict.fromkeys(range(20), 65_535), dict.fromkeys(range(10, 30), 40_000)),
}


def errors(pair: tuple[Bag, Bag], m: int, seeds: range) -> np.ndarray:
    """Estimate minus exact similarity, one per seed."""
    bags = batch(pair)
    made = (sketches(bags, m, seed) for seed in seeds)
    return np.array([(one == other).mean() for one, other in made]) - jaccard(*pair)


@pytest.fixture(scope="module")
def standardised() -> dict[str, np.ndarray]:
    """For each pair its errors as multiples of the standard error; no two pairs share a seed."""
    found = {}
    for number, (name, pair) in enumerate(PAIRS.items()):
        seeds = range(number * SEEDS, (number + 1) * SEEDS)
        similarity = jaccard(*pair)
        found[name] = errors(pair, 80, seeds) / sqrt(similarity * (1 - similarity) / 80)
    return found


def test_estimate_of_each_pair_is_unbiased(standardised: dict[str, np.ndarray]) -> None:
    means = {name: each.mean() * sqrt(SEEDS) for name, each in standardised.items()}
    assert all(abs(mean) < 3 for mean in means.values()), means


def test_pooled_bias_is_below_two_standard_errors(
    standardised: dict[str, np.ndarray],
) -> None:
    pooled = np.concatenate([*standardised.values()])
    assert abs(pooled.mean() * sqrt(len(pooled))) < 2


@pytest.mark.parametrize("name", PAIRS)
def test_standard_error_matches_theory(standardised: dict[str, np.ndarray], name: str) -> None:
    assert np.sqrt((standardised[name] ** 2).mean()) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("m", [1, 7, 64, 200])
def test_estimate_is_unbiased_for_any_number_of_positions(m: int) -> None:
    pair = ONE, blend(ONE, OTHER, 0.5)
    similarity, seeds = jaccard(*pair), 2000
    error = sqrt(similarity * (1 - similarity) / m)
    found = errors(pair, m, range(seeds))
    assert abs(found.mean()) < 3 * error / sqrt(seeds)
    assert np.sqrt((found**2).mean()) == pytest.approx(error, rel=0.1)


def test_disjoint_bags_never_agree() -> None:
    assert errors(({1: 9, 2: 65_535}, {3: 9, 4: 65_535}), 80, range(500)).max() == 0


def test_values_use_all_32_bits() -> None:
    bags = batch([{term: 65_535} for term in range(200)])
    values = sketches(bags, m=500).ravel()
    assert len(np.unique(values)) == pytest.approx(len(values), abs=10)
    for bit in range(32):
        share = ((values >> np.uint32(bit)) & 1).mean()
        assert share == pytest.approx(0.5, abs=4 * 0.5 / sqrt(len(values)))
