"""Whole sites come together, however the rows are cut into batches; one alone may be larger."""

import itertools

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.engines.spark import site_frames as minimal


@given(some.lists(some.integers(1, 7), min_size=1, max_size=20), some.data())
def test_sites_are_never_split(sizes: list[int], data: some.DataObject) -> None:
    rows = [site for site, size in enumerate(sizes) for _ in range(size)]
    cuts = sorted(data.draw(some.sets(some.integers(1, len(rows)))) | {0, len(rows)})
    batches = [
        pa.record_batch([pa.array(rows[start:end], pa.int64())], names=["site"])
        for start, end in itertools.pairwise(cuts)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minimal, "GROUP", 5)
        groups = [table.column("site").to_pylist() for table in minimal._whole_sites(batches)]
    assert [row for group in groups for row in group] == rows
    seen = [site for group in groups for site in set(group)]
    assert len(seen) == len(set(seen))
    most = max(len(batch) for batch in batches)
    assert all(len(group) < 5 + most + max(sizes) for group in groups)
