"""A slice is written as if it were the whole batch."""

from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pagekin.index.writer import trim_buffers

FIELDS: list["pa.Field[Any]"] = [
    pa.field("id", pa.uint64(), nullable=False),
    pa.field("crawled", pa.bool_(), nullable=False),
    pa.field("title", pa.string()),
    pa.field("words", pa.large_string()),
    pa.field("date", pa.timestamp("s", tz="UTC")),
    pa.field("terms", pa.large_list(pa.field("item", pa.uint64(), nullable=False))),
    pa.field("weights", pa.large_list(pa.field("item", pa.uint16(), nullable=False))),
    pa.field("sketch", pa.list_(pa.field("item", pa.uint32(), nullable=False), 3)),
]
SCHEMA = pa.schema(FIELDS)

ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 2**64 - 1),
            "crawled": st.booleans(),
            "title": st.none() | st.text(max_size=40),
            "words": st.none() | st.text(max_size=90),
            "date": st.none() | st.integers(0, 2**31),
            "terms": st.lists(st.integers(0, 2**64 - 1), max_size=12),
            "weights": st.lists(st.integers(0, 65535), max_size=40),
            "sketch": st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=3),
        }
    ),
    min_size=1,
    max_size=30,
)


def _written(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, SCHEMA) as out:
        out.write_batch(batch)
    return sink.getvalue().to_pybytes()


@given(rows=ROWS, data=st.data())
def test_trimmed_slice_is_written_like_its_rows_alone(
    rows: list[dict[str, object]], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(rows) - 1))
    count = data.draw(st.integers(1, len(rows) - start))
    view = pa.RecordBatch.from_pylist(rows, schema=SCHEMA).slice(start, count)
    alone = pa.RecordBatch.from_pylist(rows[start : start + count], schema=SCHEMA)
    assert trim_buffers(view).equals(alone)
    assert _written(trim_buffers(view)) == _written(alone)


def test_untrimmed_slice_is_written_differently() -> None:
    rows = [
        {"id": number, "crawled": True, "terms": [], "weights": [7], "sketch": [1, 2, 3]}
        for number in range(9)
    ]
    view = pa.RecordBatch.from_pylist(rows, schema=SCHEMA).slice(0, 3)
    alone = pa.RecordBatch.from_pylist(rows[:3], schema=SCHEMA)
    assert _written(view) != _written(alone)
