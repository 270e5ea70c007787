"""Bags for tests of sketches: as dicts of terms to weights, and as the batches kernels take."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pagekin import _core
from pagekin.index import schema_of

Bag = dict[int, int]
Values = NDArray[np.uint32]


def batch(bags: Sequence[Bag]) -> pa.RecordBatch:
    """The bags as a batch of their table; ids count from 0."""
    rows = [
        {"id": number, "terms": list(bag), "weights": list(bag.values())}
        for number, bag in enumerate(bags)
    ]
    return pa.RecordBatch.from_pylist(rows, schema=schema_of("bags", 80))


def sketches(bags: pa.RecordBatch, m: int = 80, seed: int = 0) -> Values:
    """One row per bag, computed by the core."""
    made = _core.sketch(bags, m, seed).column("sketch")
    assert isinstance(made, pa.FixedSizeListArray)
    values: Values = made.values.to_numpy()
    return values.reshape(len(made), m)


def jaccard(one: Bag, other: Bag) -> float:
    """The sum of the smaller weights over the sum of the larger ones."""
    terms = {*one, *other}
    smaller = sum(min(one.get(term, 0), other.get(term, 0)) for term in terms)
    return smaller / sum(max(one.get(term, 0), other.get(term, 0)) for term in terms)


def usual_bag(random: np.random.Generator, terms: int) -> Bag:
    """A bag whose weights are as uneven as those of pages and sum to about 65,535."""
    shares = random.lognormal(0, 1.4, terms)
    weights = np.maximum(shares / shares.sum() * 65_535, 1).astype(int)
    hashes = random.integers(0, 2**64, terms, dtype=np.uint64)
    return dict(zip(hashes.tolist(), weights.tolist(), strict=True))


def blend(one: Bag, other: Bag, share: float) -> Bag:
    """A bag between two."""
    parts = [(one, share), (other, 1 - share)]
    mixed: Bag = {}
    for bag, part in parts:
        for term, weight in bag.items():
            mixed[term] = mixed.get(term, 0) + round(weight * part)
    return {term: weight for term, weight in mixed.items() if weight}
