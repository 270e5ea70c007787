"""The local engine's stage for concepts: the sample is weighed, learnt from, and named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.bags import learn, sample
from pagekin.engines.postings import Each
from pagekin.strategy import Strategy

__all__ = ["RawBags", "learnt"]


@dataclass(frozen=True, slots=True)
class RawBags:
    """A crawl's merged bags, cut into 2^`bits` partitions, and its document frequencies."""

    paths: Sequence[Path]
    bits: int
    frequencies: Sequence[Path]
    count: int


def learnt(
    each: Each, bags: RawBags, pages: Iterable[pa.RecordBatch], strategy: Strategy, threads: int
) -> tuple[pa.RecordBatch, int]:
    """The table of loadings, and how many pages it was learnt from."""
    ids = sample(pages, strategy.concept.pages)
    chosen = _core.Chosen(ids.tolist())
    matrix = _core.Strategy(strategy.matrix.to_core())

    def weigh(partition: int) -> pa.RecordBatch:
        paths = bags.paths[partition], list(bags.frequencies)
        return _core.weigh(*paths, bags.count, matrix, only=chosen)

    # Ids are in order of partitions, so the sample is in the first ones.
    parts = (int(ids[-1]) >> (64 - bags.bits)) + 1 if len(ids) else 0
    weighed = list(each(weigh, range(parts)))
    return learn(weighed, strategy.concept, threads), len(ids)
