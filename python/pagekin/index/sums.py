"""The checksums of sectors: one for each 4,096 bytes of each file of a shard.

With them damage is met where it is read, and an index opens without reading it. The table has one
row, and for each other table a column with the checksums of its file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from pagekin.arrays import lists
from pagekin.index.faults import corrupt, unreadable
from pagekin.index.mapped import mapped, table_reader
from pagekin.index.tables import SEALED, SUMS

__all__ = ["read_sums", "sums_batch"]


def sums_batch(sums: Mapping[str, pa.UInt32Array]) -> pa.RecordBatch:
    """The one row of the table."""
    columns = [lists(np.array([0, len(sums[table])]), sums[table]) for table in SEALED]
    return pa.RecordBatch.from_arrays(columns, schema=SUMS)


def read_sums(path: Path) -> dict[str, pa.UInt32Array]:
    """The checksums of a shard's files, by table."""
    try:
        reader = table_reader(mapped(path))
        if reader.schema != SUMS or reader.num_record_batches != 1:
            raise corrupt(path, "the table has other columns than its format says")
        batch = reader.get_batch(0)
        batch.validate(full=True)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise unreadable(path, "the table cannot be opened", error) from error
    if batch.num_rows != 1:
        raise corrupt(path, "the table has more than one row, or none")
    return {name: _first(batch.column(name)) for name in SEALED}


def _first(column: "pa.Array[Any]") -> pa.UInt32Array:
    return cast("pa.UInt32Array", cast("pa.LargeListArray[Any]", column).flatten())
