"""Packed lists: whatever is packed is unpacked, and broken bytes are refused."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagekin
from pagekin import _core
from pagekin.errors import IndexCorrupt
from pagekin.index.tables.schema import PACKED, schema_of
from pagekin.index.tables.sorted import SortedTable
from tests.index.forging import fault_of, forge, path_of, reseal

NUMBERS = st.integers(0, 2**32 - 1) | st.integers(0, 20)
WEIGHTS = st.integers(1, 2**16 - 1) | st.integers(1, 300)
Rows = list[dict[str, Any]]


def packed_and_back(table: str, rows: Rows) -> Rows:
    schema = schema_of(table, 0)
    terms = [{"term": term} | row for term, row in enumerate(rows)]
    plain = pa.RecordBatch.from_pylist(terms, schema=schema)
    packed = _core.pack(table, plain)
    assert packed.schema == PACKED[table]
    found = _core.unpack(table, packed)
    assert found.schema == schema
    assert found.equals(plain)
    halves = packed.slice(len(rows) // 2), packed.slice(0, len(rows) // 2)
    assert [_core.unpack(table, half).num_rows for half in halves] == [len(h) for h in halves]
    return list(found.to_pylist())


@st.composite
def postings(draw: st.DrawFn) -> dict[str, Any]:
    length = draw(st.sampled_from([1, 2, 127, 128, 129, 300]))
    lists = st.lists(NUMBERS, min_size=length, max_size=length)
    return {name: draw(lists) for name in ("pages", "content", "anchor")}


@st.composite
def holders(draw: st.DrawFn) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name in ("crawled", "uncrawled"):
        places = sorted(draw(st.sets(st.integers(0, 2**32 - 1), max_size=300)))
        length = len(places) or draw(st.sampled_from([0, 1, 128, 200]))
        weights = draw(st.lists(WEIGHTS, min_size=length, max_size=length))
        row |= {name: places, f"{name}_weights": weights}
    return row


@given(st.lists(postings(), max_size=4))
def test_postings_are_unpacked_as_they_were(rows: Rows) -> None:
    packed_and_back("postings", rows)


@given(st.lists(holders(), max_size=4))
def test_holders_are_unpacked_as_they_were(rows: Rows) -> None:
    packed_and_back("holders", rows)


@given(st.sampled_from(sorted(PACKED)), st.lists(st.binary(max_size=40), min_size=1, max_size=3))
def test_any_bytes_are_lists_or_refused(table: str, lists: list[bytes]) -> None:
    names = [name for name in PACKED[table].names if name != "term"]
    rows = [{"term": 1} | dict.fromkeys(names, each) for each in lists]
    stored = pa.RecordBatch.from_pylist(rows, schema=PACKED[table])
    try:
        found = _core.unpack(table, stored)
    except _core.CoreError as error:
        assert "broken" in str(error)
    else:
        found.validate(full=True)


def test_lists_of_different_lengths_cannot_be_packed() -> None:
    for table, row in (
        ("postings", {"pages": [1, 2], "content": [1], "anchor": [1, 1]}),
        (
            "holders",
            {"crawled": [1, 2], "crawled_weights": [1], "uncrawled": [], "uncrawled_weights": []},
        ),
    ):
        plain = pa.RecordBatch.from_pylist([{"term": 1} | row], schema=schema_of(table, 0))
        with pytest.raises(_core.CoreError, match=r"length|weight"):
            _core.pack(table, plain)


def test_tables_that_are_not_packed_are_refused() -> None:
    with pytest.raises(ValueError, match="pages is not packed"):
        _core.unpack("pages", pa.RecordBatch.from_pylist([{"id": 1}]))


@pytest.mark.parametrize("table", PACKED)
def test_flipped_bits_of_a_packed_table_are_reported(index: Path, table: str) -> None:
    path = path_of(index, table)
    content = path.read_bytes()
    for place in range(0, len(content), max(len(content) // 40, 1)):
        changed = bytearray(content)
        changed[place] ^= 1
        path.unlink()
        path.write_bytes(changed)
        with pytest.raises(IndexCorrupt):
            pagekin.open(index).check()


@pytest.mark.parametrize("table", PACKED)
def test_broken_list_of_a_forged_table_is_reported(index: Path, table: str) -> None:
    """Its checksums are right: only the list tells."""
    path = path_of(index, table)
    with pa.OSFile(str(path), "rb") as file:
        stored = pa.ipc.open_file(file).read_all()
    rows = [
        {name: value[:-1] if isinstance(value, bytes) else value for name, value in row.items()}
        for row in stored.to_pylist()
    ]
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, stored.schema) as out:
        out.write_table(pa.Table.from_pylist(rows, schema=stored.schema), max_chunksize=1024)
    reseal(index)
    assert "a packed list is broken" in fault_of(index)


def test_forged_lists_give_errors_to_questions(index: Path) -> None:
    """Places beyond the last page, and lists longer than there are pages."""
    url = "http://www.hedgerow.example/plants/roses.html"

    def far(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        for row in rows:
            row["crawled"] = [place + 4000 for place in row["crawled"]]
        return pa.Table.from_pylist(rows, schema=table.schema)

    for shard in range(4):
        if path_of(index, "holders", shard).exists():
            forge(index, "holders", far, shard=shard)
    with pytest.raises(IndexCorrupt, match="inverted list"):
        pagekin.open(index).related(url)
    assert isinstance(pagekin.open(index).reader.tables["holders"], SortedTable)
