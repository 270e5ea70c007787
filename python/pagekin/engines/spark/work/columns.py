"""Numbers as Spark has them: it knows no unsigned ones.

An id is a long with its highest bit turned over, so that Spark's order is the order of ids.
"""

from typing import Any

import numpy as np
import pyarrow as pa

__all__ = ["signed", "unsigned"]

_HIGHEST = np.uint64(1 << 63)


def signed(ids: "pa.Array[Any]") -> "pa.Array[Any]":
    """Ids (uint64) as longs."""
    return pa.array((ids.to_numpy() ^ _HIGHEST).view(np.int64), pa.int64())


def unsigned(longs: "pa.Array[Any]") -> "pa.Array[Any]":
    """Longs as the ids (uint64) that they stand for; what is missing stays so, as zero."""
    missing = longs.is_null().to_numpy(zero_copy_only=False)
    known = longs.fill_null(0).to_numpy().view(np.uint64) ^ _HIGHEST
    return pa.array(np.where(missing, np.uint64(0), known), pa.uint64(), mask=missing)
