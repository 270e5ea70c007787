"""How a crawl is cut: partitions of URLs, ranges of terms, shards of the index.

All three cut by the leading bits of a hash, so parts in order hold rows in order, and any two cuts
nest. Partitions and ranges depend on the memory, shards only on the number of URLs.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import pyarrow as pa

from pagekin.arrays import numbers

__all__ = [
    "FINEST_BITS",
    "MAX_BITS",
    "FilePart",
    "PartitionedFile",
    "assumed_bytes",
    "cut_by_shard",
    "known_bytes",
    "partition_bits",
    "shard_bits",
    "term_bits",
]

MAX_BITS = 13
"""A local build has at most 8,192 partitions."""
FINEST_BITS = 8
"""Up to this many bits, there are twice as many partitions as memory demands."""
_UNKNOWN_SIZE = 4 << 30
"""Assumed size of sources of unknown size."""
_UNFOLDING = 8
"""Approximate expansion of a byte of an archive in memory."""

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class FilePart(Generic[P]):
    """A part of a path or spill file: its first byte, and the one after its last."""

    place: P
    start: int
    end: int

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class PartitionedFile(Generic[P]):
    """A path or spill file with one part per partition, and the end of each part."""

    place: P
    ends: list[int]

    def part(self, partition: int) -> FilePart[P]:
        """Where the partition's part is."""
        start = self.ends[partition - 1] if partition else 0
        return FilePart(self.place, start, self.ends[partition])


def assumed_bytes(sizes: Sequence[int | None]) -> int:
    """The total size of all sources, with a guess for unknown sizes."""
    return known_bytes(sizes) or sum(size or 0 for size in sizes) + _UNKNOWN_SIZE


def known_bytes(sizes: Sequence[int | None]) -> int | None:
    """The total size of all sources, if it is known."""
    return None if None in sizes else sum(size or 0 for size in sizes)


def partition_bits(source_bytes: int, room: int, max_bits: int, finest: int) -> int:
    """Bits that cut a crawl into partitions of at most `room` bytes each.

    Up to `finest` bits there are twice as many: small partitions fit nearer caches, and stages wait
    less for the last one. Every partition has a part for every range of terms, so with many
    partitions this would cost more than it saves.
    """
    partitions = max(_UNFOLDING * source_bytes // room, 1)
    needed = max(partitions.bit_length(), 3)
    return min(max(needed, min(needed + 1, finest)), max_bits)


def term_bits(bits: int, min_bits: int = 3) -> int:
    """Bits that cut the terms into ranges: fewer than partitions, for the lexicon is far smaller.

    There are at least eight ranges, of which four have words: the highest bit is that of links.
    """
    return max(bits - 2, min_bits)


def shard_bits(urls: int, shard_urls: int) -> int:
    """Bits that cut the index into shards of about `shard_urls` URLs."""
    return (urls // shard_urls).bit_length()


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
