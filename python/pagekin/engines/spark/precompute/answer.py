"""From pages that meet to answers: the likeliest are compared by the core, bag by bag."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin import _core
from pagekin.engines.spark.rows import Count, batch_of
from pagekin.engines.spark.work.folder import Folder, scratch
from pagekin.index import IndexReader
from pagekin.index.rows import Numbers
from pagekin.query import Filters
from pagekin.query.filters import LeftOut
from pagekin.query.precompute import PAGES, SCHEMA

__all__ = ["CANDIDATES", "Question", "answer"]

CANDIDATES = 30
"""For each hit that is wanted so many pages are compared, those that meet most often."""

List = list[tuple[int, int]]
"""A page and its candidates."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every page of an index, and where the answers go."""

    index: Path
    filters: Filters
    out: Folder

    def asked(self, searcher: _core.Searcher, lists: list[List]) -> pa.RecordBatch:
        """The answers of some pages."""
        excluded = (self.filters.exclude_site, self.filters.exclude_linked)
        options = self.filters.to_core(LeftOut())
        batch = searcher.answers_among(lists, options, excluded)
        return pa.RecordBatch.from_arrays(batch.columns, schema=SCHEMA)


def answer(question: Question, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Write a file for each part; rows are (part, place, others), by part and place."""
    searcher = IndexReader(question.index).searcher
    most = CANDIDATES * question.filters.k
    for part, pages in itertools.groupby(_pages(batches), key=lambda page: page[0]):
        with scratch() as folder:
            path, rows = folder / "part", 0
            lists = (_candidates(place, others, most) for _, place, others in pages)
            with pq.ParquetWriter(path, SCHEMA, compression="zstd") as table:
                while some := list(itertools.islice(lists, PAGES)):
                    found = question.asked(searcher, some)
                    table.write_batch(found)
                    rows += found.num_rows
            question.out.put(path, f"part-{part:012x}.parquet")
        yield batch_of([Count("rows", part, rows)])


def _pages(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int, Numbers]]:
    """Every page with its part and all pages that it meets, as often as it meets them."""
    rows = itertools.chain.from_iterable(map(_lists, batches))
    for place, same in itertools.groupby(rows, key=lambda row: row[1]):
        lists = list(same)
        yield lists[0][0], place, np.concatenate([others for _, _, others in lists])


def _lists(batch: pa.RecordBatch) -> Iterator[tuple[int, int, Numbers]]:
    others: Any = batch.column("others")
    places = others.offsets.to_numpy()
    values = others.values.to_numpy()
    parts, pages = (batch.column(name).to_numpy().tolist() for name in ("part", "place"))
    for row, (part, page) in enumerate(zip(parts, pages, strict=True)):
        yield part, page, values[places[row] : places[row + 1]]


def _candidates(place: int, others: Numbers, most: int) -> List:
    """The page, then those that it meets, the most frequent first, equals in order."""
    met, counts = np.unique(others, return_counts=True)
    best = met[np.argsort(-counts, kind="stable")]
    best = best[best != place][:most]
    shards, rows = (best >> 32).tolist(), (best & 0xFFFFFFFF).tolist()
    return [(place >> 32, place & 0xFFFFFFFF), *zip(shards, rows, strict=True)]
