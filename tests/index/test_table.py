"""Look-ups in a sorted table of several shards and batches, against a dictionary."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pagekin import _core
from pagekin.index.tables.mapped import MappedTable
from pagekin.index.tables.schema import BATCH_ROWS, schema_of
from pagekin.index.tables.sorted import SortedTable
from pagekin.index.writer import TableWriter

TOP = 2**64 - 1
LINKS = schema_of("links", 80)
Rows = list[dict[str, Any]]
KEYS = some.lists(some.sampled_from([0, 1, 5, 2**63, TOP - 1, TOP]) | some.integers(0, TOP))


def link_batch(keys: list[int]) -> pa.RecordBatch:
    """One row of the link table per key; the source numbers the rows."""
    columns: list[pa.Array[Any]] = [pa.array(keys, pa.uint64())]
    columns.append(pa.array(range(len(keys)), pa.uint64()))
    columns += [pa.array([place] * len(keys), pa.uint32()) for place in range(4)]
    columns.append(pa.array([0] * len(keys), pa.uint8()))
    return pa.record_batch(columns, schema=LINKS)


def table_file(path: Path) -> MappedTable:
    return MappedTable.opened(path, path.stat().st_size, _core.checksums(path).blocks)


def table_of(folder: Path, shards: list[list[int]], batch_rows: int) -> tuple[SortedTable, Rows]:
    """A table with these keys, and its rows."""
    rows: Rows = []
    files = []
    for number, keys in enumerate(shards):
        path = folder / f"links-{number:05}.arrow"
        batch = link_batch(keys)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as out:
            for start in range(0, len(keys), batch_rows):
                out.write_batch(batch.slice(start, batch_rows))
        files.append(table_file(path))
        rows += batch.to_pylist()
    return SortedTable(files, LINKS), rows


@settings(max_examples=60)
@given(KEYS, some.lists(some.integers(0, 40), max_size=3), some.integers(1, 5), some.integers(1, 9))
def test_find_returns_exactly_the_rows_of_a_key(
    tmp_path_factory: pytest.TempPathFactory,
    keys: list[int],
    cuts: list[int],
    batch_rows: int,
    most: int,
) -> None:
    keys.sort()
    places = [0, *sorted(min(cut, len(keys)) for cut in cuts), len(keys)]
    shards = [keys[start:end] for start, end in pairwise(places)]
    table, rows = table_of(tmp_path_factory.mktemp("table"), shards, batch_rows)
    by_key: dict[int, Rows] = defaultdict(list)
    for row in rows:
        by_key[row["target"]].append(row)
    near = {key + step for key in keys for step in (-1, 0, 1)} & {*range(3), *keys}
    for key in {*near, 0, 1, 2**63, TOP}:
        expected = by_key.get(key, [])
        assert table.find(key) == (expected[0] if expected else None)
        assert table.find_all(key, most) == expected[:most]


def test_empty_table_finds_nothing(tmp_path: Path) -> None:
    empty = SortedTable([], LINKS)
    assert empty.find(5) is None
    assert empty.find_all(5, 10) == []
    writer = TableWriter(tmp_path / "links.arrow", LINKS, BATCH_ROWS["links"])
    writer.close()
    assert SortedTable([table_file(tmp_path / "links.arrow")], LINKS).find(5) is None


def test_rows_of_a_key_may_span_batches_and_shards(tmp_path: Path) -> None:
    table, rows = table_of(tmp_path, [[1, 7, 7, 7, 7, 7], [7, 7, 7, 9]], 2)
    sevens = rows[1:9]
    assert table.find_all(7, 100) == sevens
    assert table.find_all(7, 4) == sevens[:4]
    assert table.find_all(9, 4) == rows[9:]
    assert table.find_all(8, 4) == []
