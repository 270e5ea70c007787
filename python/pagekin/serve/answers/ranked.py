"""Rows and pages by PageRank."""

from itertools import islice

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.opened import Index

__all__ = ["crawled_by_rank", "highest"]

LOOKED_AT = 1 << 18
"""So many pages of the highest rank are looked at for some that were crawled."""

ROW = np.dtype([("rank", np.float64), ("batch", np.uint32), ("row", np.uint32)])
Rows = npt.NDArray[np.void]


def highest(index: Index, table: str, most: int) -> list[tuple[int, int]]:
    """The rows of the highest rank, at most so many, as batch and row, best first."""
    rows: Rows = np.empty(0, ROW)
    for number, batch in enumerate(index.tables[table].batches()):
        rows = np.concatenate([rows, _rows(number, batch)])
        if len(rows) > 2 * most:
            rows = _best(rows, most)
    best = _best(rows, most)
    return [*zip(best["batch"].tolist(), best["row"].tolist(), strict=True)]


def _rows(number: int, batch: pa.RecordBatch) -> Rows:
    rows = np.empty(batch.num_rows, ROW)
    rows["rank"] = batch.column("rank").to_numpy()
    rows["batch"] = number
    rows["row"] = np.arange(batch.num_rows)
    return rows


def _best(rows: Rows, most: int) -> Rows:
    """Equals stay in their order."""
    return rows[np.argsort(-rows["rank"], kind="stable")[:most]]


def crawled_by_rank(index: Index, most: int) -> list[str]:
    """The URLs of crawled pages, those of the highest rank first."""
    searcher, ranks = index.searcher, index.tables["ranks"]
    with index.blaming():
        best = highest(index, "ranks", LOOKED_AT)
        ids = (ranks.batch(number).column("id")[row].as_py() for number, row in best)
        cards = (searcher.card(place) for place in map(searcher.find, ids) if place is not None)
        return [*islice((url for url, _, _, crawled in cards if crawled), most)]
