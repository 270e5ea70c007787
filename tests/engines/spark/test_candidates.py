"""Which pages meet: all with the same value if they are few, blocks of them if they are many."""

import itertools
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.engines.spark import candidates

Rows = list[tuple[int, int, bool]]


def candidates_of(rows: Rows, cuts: set[int], width: int) -> dict[int, list[int]]:
    """The candidates of each page, over all positions."""
    edges = sorted(cuts | {0, len(rows)})
    kinds = {"key": pa.int64(), "place": pa.int64(), "listed": pa.bool_()}
    batches = [
        pa.record_batch(
            [
                pa.array([row[at] for row in rows[start:end]], kind)
                for at, kind in enumerate(kinds.values())
            ],
            names=[*kinds],
        )
        for start, end in itertools.pairwise(edges)
    ]
    found: dict[int, list[int]] = defaultdict(list)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "WIDTH", width)
        for batch in candidates._meet(batches):
            for row in batch.to_pylist():
                found[row["place"]] += row["others"]
    return found


@given(
    some.lists(some.tuples(some.integers(0, 6), some.booleans()), min_size=1, max_size=40),
    some.sets(some.integers(1, 40)),
)
def test_pages_with_the_same_value_are_candidates(
    values: list[tuple[int, bool]], cuts: set[int]
) -> None:
    rows = sorted((key, place, listed) for place, (key, listed) in enumerate(values))
    found = candidates_of(rows, {cut for cut in cuts if cut < len(rows)}, width=1000)
    for key, place, _ in rows:
        same = [other for value, other, _ in rows if value == key]
        listed = [other for value, other, is_listed in rows if value == key and is_listed]
        assert found[place] == (listed if len(same) > 1 else [])


def test_long_list_is_cut_into_blocks() -> None:
    rows = [(7, place, True) for place in range(1000)]
    found = candidates_of(rows, {*range(1, 1000, 3)}, width=64)
    assert len(found) == 1000
    assert max(len(others) for others in found.values()) == 64
    assert all(place in others for place, others in found.items())
    assert sum(len(others) for others in found.values()) <= 64 * 1000


def test_list_of_a_million_pages_fits_in_the_memory_of_a_batch() -> None:
    size, rows = 4096, 1_000_000

    def batches() -> Iterator[pa.RecordBatch]:
        for start in range(0, rows, size):
            place = np.arange(start, min(start + size, rows))
            columns = [np.full(len(place), 7), place, np.ones(len(place), np.bool_)]
            arrays: list[pa.Array[Any]] = [pa.array(column) for column in columns]
            yield pa.RecordBatch.from_arrays(arrays, names=["key", "place", "listed"])

    tracemalloc.start()
    counted = most = 0
    for batch in candidates._meet(batches()):
        counted += batch.num_rows
        most = max(most, batch.nbytes)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counted == rows
    assert most <= size * candidates.WIDTH * 8 * 1.1
    assert held < 64 << 20


def test_list_is_ordered_by_the_next_positions() -> None:
    sketches = np.array([[9, 5, 1], [9, 4, 1], [9, 5, 2], [0, 0, 0]], np.uint32)
    batches = [*candidates._rows(sketches, 100, np.array([True, True, False, True]))]
    assert len(batches) == 3
    rows = sorted(batches[0].to_pylist(), key=lambda row: (row["key"], row["rest"]))
    assert [row["place"] for row in rows] == [101, 100, 102]
    assert [row["listed"] for row in rows] == [True, True, False]
    assert {row["key"] >> 32 for row in batches[2].to_pylist()} == {2}
