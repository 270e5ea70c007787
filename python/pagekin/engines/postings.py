"""Postings: raw bags turned over, partition by partition, then merged range by range of terms."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from pagekin import _core
from pagekin.types import Run

__all__ = ["Each", "postings"]

R = TypeVar("R")


class Each(Protocol):
    """Does work for every number of a range, by several threads; results in order."""

    def __call__(self, work: Callable[[int], R], parts: range, /) -> Iterator[R]:
        """Do it."""


def postings(
    each: Each, bags: Sequence[Path], firsts: Sequence[int], bits: int, site_of: "pa.Array[Any]"
) -> Iterator[pa.RecordBatch]:
    """The table of postings in 2^bits batches.

    `bags` are the raw bags of the partitions, `firsts` the numbers of their first pages.
    """
    ends = [*firsts[1:], len(site_of)]

    def pack(partition: int) -> Run:
        path, first = bags[partition].with_suffix(".postings"), firsts[partition]
        sites = site_of.slice(first, ends[partition] - first)
        return Run(str(path), _core.pack_postings(bags[partition], sites, bits, path))

    runs = list(each(pack, range(len(bags))))

    def merge(number: int) -> pa.RecordBatch:
        parts = [(first, run.part(number)) for first, run in zip(firsts, runs, strict=True)]
        return _core.merge_postings(parts)

    yield from each(merge, range(1 << bits))
    for run in runs:
        Path(run.path).unlink()
