"""Rows of a table without a byte of the rows around them.

Arrow writes a view's buffers up to the next multiple of 64 bytes, and so with bytes of whatever
rows follow. The same rows must give the same file however the build was cut, so the buffers are
ended where the rows end. Values are not copied, only the bits that say which are null.
"""

from typing import Any

import pyarrow as pa

__all__ = ["exact"]


def exact(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows in buffers that end with them."""
    columns = [_exact(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _exact(array: Any) -> "pa.Array[Any]":
    kind, end = array.type, array.offset + len(array)
    if pa.types.is_boolean(kind):
        return pa.concat_arrays([array, array.slice(0, 0)])
    validity, first, *rest = array.buffers()
    buffers, children = [_ended_bits(validity, end)], None
    if pa.types.is_large_list(kind):
        offsets, last = _ended_offsets(first, end, 8)
        buffers.append(offsets)
        children = [_exact(array.values.slice(0, last))]
    elif pa.types.is_fixed_size_list(kind):
        children = [_exact(array.values.slice(0, end * kind.list_size))]
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        offsets, last = _ended_offsets(first, end, 4 if pa.types.is_string(kind) else 8)
        buffers += [offsets, rest[0].slice(0, last)]
    else:
        buffers.append(first.slice(0, end * kind.bit_width // 8))
    return pa.Array.from_buffers(kind, len(array), buffers, offset=array.offset, children=children)


def _ended_offsets(buffer: pa.Buffer, end: int, width: int) -> tuple[pa.Buffer, int]:
    """The offsets of the rows before `end`, of so many bytes each, and where the last row ends."""
    last = buffer.slice(end * width, width).to_pybytes()
    return buffer.slice(0, (end + 1) * width), int.from_bytes(last, "little")


def _ended_bits(buffer: pa.Buffer | None, end: int) -> pa.Buffer | None:
    if buffer is None:
        return None
    bits = bytearray(buffer.slice(0, (end + 7) // 8).to_pybytes())
    if end % 8:
        bits[-1] &= (1 << end % 8) - 1
    return pa.py_buffer(bytes(bits))
