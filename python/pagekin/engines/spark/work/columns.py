"""Columns as Spark has them. It knows no unsigned numbers.

An id is a long with its highest bit turned over, so that Spark's order is the order of ids.
"""

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["columns_of", "signed", "unsigned"]

_HIGHEST = np.uint64(1 << 63)


def signed(ids: "pa.Array[Any]") -> "pa.Array[Any]":
    """Ids (uint64) as longs."""
    return pa.array((ids.to_numpy() ^ _HIGHEST).view(np.int64), pa.int64())


def unsigned(longs: "pa.Array[Any]") -> "pa.Array[Any]":
    """Longs as the ids (uint64) that they stand for; what is missing stays so, as zero."""
    missing = longs.is_null().to_numpy(zero_copy_only=False)
    known = longs.fill_null(0).to_numpy().view(np.uint64) ^ _HIGHEST
    return pa.array(np.where(missing, np.uint64(0), known), pa.uint64(), mask=missing)


def columns_of(schema: pa.Schema) -> "StructType":
    """The columns of a DataFrame with such rows; as text they would need Spark's parser."""
    found: StructType = importlib.import_module("pyspark.sql.pandas.types").from_arrow_schema(
        schema
    )
    return found
