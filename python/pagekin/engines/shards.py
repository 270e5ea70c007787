"""Which shard of a table a row belongs to."""

import itertools
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from pagekin.arrays import numbers

__all__ = ["cut_by_shard"]


def cut_by_shard(batch: pa.RecordBatch, bits: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The rows of each shard that has any, by the leading bits of the first column.

    The rows are in order of that column. A single shard has all of them, even if there are none.
    """
    keys = numbers(batch.column(0))
    first = [np.uint64(shard << (64 - bits)) for shard in range(1, 1 << bits)]
    cuts = [0, *np.searchsorted(keys, first).tolist(), batch.num_rows]
    for shard, (start, end) in enumerate(itertools.pairwise(cuts)):
        if end > start or not bits:
            yield shard, batch.slice(start, end - start)
