"""Access to a table by row number."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pagekin.errors import IndexCorrupt
from pagekin.index.tables.sorted import TableRows
from tests.index.test_table import table_of


@settings(max_examples=40)
@given(
    some.integers(0, 60),
    some.lists(some.integers(0, 60), max_size=3),
    some.integers(1, 9),
    some.data(),
)
def test_rows_are_found_by_number(
    tmp_path_factory: pytest.TempPathFactory,
    count: int,
    cuts: list[int],
    batch_rows: int,
    data: some.DataObject,
) -> None:
    places = [0, *sorted(min(cut, count) for cut in cuts), count]
    shards = [list(range(start, end)) for start, end in pairwise(places)]
    table, rows = table_of(tmp_path_factory.mktemp("rows"), shards, batch_rows)
    found = TableRows(table)
    assert len(found) == count
    wanted = data.draw(some.lists(some.integers(0, count - 1))) if count else []
    assert found.take("target", np.array(wanted, np.int64)).tolist() == wanted
    assert [found.row(number) for number in wanted] == [rows[number] for number in wanted]
    with pytest.raises(IndexCorrupt, match="beyond its table"):
        found.take("target", np.array([count]))


def test_only_requested_batches_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = table_of(tmp_path, [list(range(20)), [], list(range(20, 31))], 2)
    seen, look = [], table._sound_batch

    def watched(number: int) -> pa.RecordBatch:
        seen.append(number)
        return look(number)

    monkeypatch.setattr(table, "_sound_batch", watched)
    found = TableRows(table)
    assert seen == [0, 9, 10, 15]
    assert found.take("target", np.array([7])).tolist() == [7]
    assert seen == [0, 9, 10, 15, 3]
