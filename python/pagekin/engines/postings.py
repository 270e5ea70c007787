"""Postings: raw bags turned over, partition by partition, then merged range by range of terms."""

from collections.abc import Callable, Iterator, Sequence
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
    each: Each,
    exchange: _core.Exchange,
    bags: Sequence[tuple[int, _core.Slot]],
    bits: int,
    site_of: "pa.Array[Any]",
) -> Iterator[pa.RecordBatch]:
    """The table of postings in 2^bits batches.

    `bags` are the raw bags of the partitions, each with the number of its first page.
    """
    firsts = [first for first, _ in bags]
    ends = [*firsts[1:], len(site_of)]

    def pack(partition: int) -> Run[_core.Slot]:
        (first, raw), slot = bags[partition], exchange.slot(f"{partition:04}.postings")
        sites = site_of.slice(first, ends[partition] - first)
        return Run(slot, _core.pack_postings(raw, sites, bits, slot))

    runs = list(each(pack, range(len(bags))))

    def merge(number: int) -> pa.RecordBatch:
        parts = [(first, run.part(number)) for first, run in zip(firsts, runs, strict=True)]
        return _core.merge_postings(parts)

    yield from each(merge, range(1 << bits))
