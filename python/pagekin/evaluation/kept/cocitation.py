"""The baseline: how often two pages are linked to side by side (Dean and Henzinger 1999).

A page's answers are the pages that stand within four links of it on the pages that link to it, by
how many of those do so. Their last step, which asks for the parent folder of a page with few
answers, is left out: it would answer for another page.
"""

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.evaluation.kept.survey import Survey

__all__ = ["cocitation"]


def cocitation(seen: Survey) -> _core.Ranking:
    """Every two chosen pages that are linked to side by side, by how often."""
    count = len(seen.matched.ids)
    keys = np.zeros(0, dtype=np.int64)
    times = np.zeros(0, dtype=np.int64)
    for path in seen.pages:
        rows = _core.cocitations(path, int(path.stem), seen.superseded, seen.chosen)
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        keys = np.concatenate([keys, table[:, 0] * count + table[:, 1]])
        keys, places = np.unique(keys, return_inverse=True)
        times = np.bincount(places, weights=np.concatenate([times, table[:, 2]])).astype(np.int64)
    one, two = np.divmod(keys, max(count, 1))
    columns = [
        pa.array(one, pa.uint32()),
        pa.array(two, pa.uint32()),
        pa.array(times, pa.float64()),
    ]
    return _core.Ranking(count, pa.record_batch(columns, names=["query", "other", "score"]))
