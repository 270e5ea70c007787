"""Arrow arrays from numbers and words, and numbers from Arrow arrays, without copying numbers.

Arrow's own conversions (`pa.array`, `to_numpy`, `np.asarray`) import pandas where it is installed,
to check for its objects: that takes a quarter of a second, half of a first answer.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import pyarrow as pa

__all__ = ["Numbers", "array", "flags", "lists", "numbers", "word_array", "word_lists"]

Numbers = np.ndarray[Any, np.dtype[Any]]


def numbers(array: "pa.Array[Any]") -> Numbers:
    """The numbers of an array that has no nulls; they cannot be written to."""
    return np.from_dlpack(array)


def flags(array: "pa.Array[Any]") -> Numbers:
    """The truth values of an array that has no nulls."""
    end = array.offset + len(array)
    packed = np.frombuffer(memoryview(array.buffers()[1] or b""), np.uint8)
    bits = np.unpackbits(packed, count=end, bitorder="little")
    return bits[array.offset :].view(np.bool_)


def array(values: Numbers, there: Numbers | None = None) -> "pa.Array[Any]":
    """An array of these numbers; where a value is not `there` it is null."""
    bits = None if there is None else pa.py_buffer(np.packbits(there, bitorder="little").data)
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [bits, pa.py_buffer(values.data)])


def word_array(words: Sequence[str]) -> "pa.Array[Any]":
    """An array of words."""
    coded = [word.encode() for word in words]
    ends = np.fromiter(accumulate(map(len, coded), initial=0), np.int32, len(coded) + 1)
    content = pa.py_buffer(b"".join(coded))
    return pa.Array.from_buffers(pa.string(), len(coded), [None, pa.py_buffer(ends.data), content])


def lists(ends: Numbers, values: "pa.Array[Any]") -> "pa.Array[Any]":
    """An array of lists, each from one of the ends to the next; none of the values is null."""
    kind = pa.large_list(pa.field("item", values.type, nullable=False))
    buffers = [None, pa.py_buffer(ends.data)]
    return pa.Array.from_buffers(kind, len(ends) - 1, buffers, children=[values])


def word_lists(of: Sequence[Sequence[str]]) -> "pa.Array[Any]":
    """An array of lists of words."""
    ends = np.fromiter(accumulate(map(len, of), initial=0), np.int64, len(of) + 1)
    return lists(ends, word_array([*chain.from_iterable(of)]))
