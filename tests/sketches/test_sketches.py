"""Properties of every sketch, whatever the hashes; and batches that are not bags."""

from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin import _core
from pagekin.strategy import Sketch
from tests.sketches.bags import Bag, batch, sketches, usual_bag

POSITIONS = Sketch().positions
SEED = Sketch().seed

WEIGHTS = st.one_of(st.integers(1, 5), st.integers(1, 65_535))
BAGS = st.dictionaries(st.integers(0, 30), WEIGHTS, max_size=20)
PROPERTY = settings(max_examples=100)


@PROPERTY
@given(one=BAGS, other=BAGS)
def test_winner_of_a_union_wins_in_a_part(one: Bag, other: Bag) -> None:
    terms = {*one, *other}
    union = {term: max(one.get(term, 0), other.get(term, 0)) for term in terms}
    first, second, both = sketches(batch([one, other, union]))
    if one and other:
        assert ((both == first) | (both == second)).all()
        assert (both == first)[first == second].all()


@PROPERTY
@given(bag=BAGS, data=st.data())
def test_removing_losing_terms_keeps_the_sketch(bag: Bag, data: st.DataObject) -> None:
    left_out = data.draw(st.sets(st.sampled_from(sorted(bag)))) if bag else set()
    part = {term: weight for term, weight in bag.items() if term not in left_out}
    alone = [{term: bag[term]} for term in left_out]
    whole, kept, *singles = sketches(batch([bag, part, *alone]))
    winners = np.any([whole == single for single in singles], axis=0) if singles else whole != whole
    assert (whole == kept)[~winners].all()


def test_lost_winner_does_not_return() -> None:
    made = sketches(batch([{1: weight, 2: 40} for weight in range(1, 400)]))
    for values in made.T.tolist():
        runs = [value for value, _ in groupby(values)]
        assert len(runs) == len({*runs})


@PROPERTY
@given(bag=BAGS, order=st.randoms(use_true_random=False))
def test_sketch_does_not_depend_on_term_order(bag: Bag, order: Random) -> None:
    items = list(bag.items())
    order.shuffle(items)
    one, other = sketches(batch([bag, dict(items)]))
    assert (one == other).all()


def test_sketch_does_not_depend_on_the_batch() -> None:
    bags = batch([usual_bag(np.random.default_rng(seed), 60) for seed in range(20)])
    whole = _core.sketch(bags, POSITIONS, SEED)
    part = _core.sketch(bags.slice(7, 5), POSITIONS, SEED)
    assert part.equals(whole.slice(7, 5))


def test_columns_are_id_and_sketch() -> None:
    made = _core.sketch(batch([{1: 5}, {}, {2: 5}]), 4, 0)
    item = pa.field("item", pa.uint32(), nullable=False)
    assert made.schema.names == ["id", "sketch"]
    assert made.schema.types == [pa.uint64(), pa.list_(item, 4)]
    assert made.column("id").to_pylist() == [0, 1, 2]
    assert made.column("sketch")[1].as_py() == [0, 0, 0, 0]
    assert made.column("sketch").null_count == 0


def test_empty_batch_gives_no_rows() -> None:
    assert _core.sketch(batch([]), 80, 0).num_rows == 0


def test_seeds_and_positions_are_independent() -> None:
    bags = batch([usual_bag(np.random.default_rng(0), 200)])
    one, other = sketches(bags, seed=0)[0], sketches(bags, seed=1)[0]
    assert not {*one.tolist()} & {*other.tolist()}
    assert len({*one.tolist()}) == 80


def test_concurrent_calls_give_the_same_sketches() -> None:
    bags = batch([usual_bag(np.random.default_rng(seed), 100) for seed in range(200)])
    with ThreadPoolExecutor(4) as pool:
        made = [*pool.map(lambda seed: _core.sketch(bags, 80, seed), [3] * 8)]
    assert all(each.equals(made[0]) for each in made)


@pytest.mark.parametrize("m", [0, 32_769, 10**9])
def test_number_of_positions_out_of_bounds_is_rejected(m: int) -> None:
    with pytest.raises(ValueError, match=f"{m} positions are not possible: allowed are 1 to 32768"):
        _core.sketch(batch([{1: 1}]), m, 0)


def damaged(terms: list[int] | None = None, weights: list[int] | None = None) -> pa.RecordBatch:
    """Two bags of two terms each, from a file with these wrong offsets."""
    bags = batch([{1: 10, 2: 20}, {3: 30, 4: 40}])
    file = pa.BufferOutputStream()
    with pa.ipc.new_stream(file, bags.schema) as writer:
        writer.write_batch(bags)
    right = np.array([0, 2, 4], np.int64).tobytes()
    head, middle, tail = file.getvalue().to_pybytes().split(right)
    first, second = (np.array(found or [0, 2, 4], np.int64).tobytes() for found in (terms, weights))
    with pa.ipc.open_stream(head + first + middle + second + tail) as reader:
        return reader.read_next_batch()


@pytest.mark.parametrize(
    ("terms", "weights", "row"),
    [
        ([0, 2, 5], [0, 2, 5], 1),
        ([0, 3, 2], [0, 3, 2], 1),
        ([-1, 2, 4], None, 0),
        ([0, 1, 4], None, 0),
        (None, [0, 2, 2**62], 1),
        ([2**63 - 1, -(2**63), 0], None, 0),
    ],
)
def test_damaged_bag_is_reported_by_row(
    terms: list[int] | None, weights: list[int] | None, row: int
) -> None:
    with pytest.raises(_core.CoreError, match=f"the bag in row {row} is damaged"):
        _core.sketch(damaged(terms, weights), 80, 0)


def test_undamaged_offsets_are_accepted() -> None:
    assert _core.sketch(damaged(), 80, 0).num_rows == 2


@pytest.mark.parametrize("name", ["id", "terms", "weights"])
def test_batch_without_the_columns_of_bags_is_rejected(name: str) -> None:
    bags = batch([{1: 1}])
    kept = [other for other in bags.schema.names if other != name]
    with pytest.raises(ValueError, match=f"the bags have no column {name}"):
        _core.sketch(bags.select(kept), 80, 0)
    columns = [bags.column(other) for other in kept]
    wrong = pa.RecordBatch.from_arrays([*columns, pa.array(["?"])], names=[*kept, name])
    with pytest.raises(ValueError, match=f"the bags have no column {name}"):
        _core.sketch(wrong, 80, 0)


def test_null_bags_are_rejected() -> None:
    bags = batch([{1: 1}])
    kind = pa.large_list(pa.uint16())
    columns = [bags.column("id"), bags.column("terms"), pa.array([None], kind)]
    wrong = pa.RecordBatch.from_arrays(columns, names=bags.schema.names)
    with pytest.raises(ValueError, match="the bags have no column weights"):
        _core.sketch(wrong, 80, 0)
