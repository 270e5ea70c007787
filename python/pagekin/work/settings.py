"""Resources of a build: memory, threads and limits, with every default stated once.

Only `limits` and `hold_out` change what is indexed, and `shard_urls` how the index is split. Sizes
that users type are decimal, as in `--memory 2GB`.
"""

import os
from dataclasses import dataclass, field

from pagekin.errors import EngineError
from pagekin.work.partitions import FINEST_BITS, MAX_BITS, partition_bits

__all__ = [
    "ANSWER_CACHE",
    "GB",
    "MB",
    "MEMORY",
    "MIB",
    "REQUEST_BODY",
    "SHARD_URLS",
    "TASK_MEMORY",
    "HoldOut",
    "Limits",
    "Settings",
]

MB = 10**6
GB = 10**9
MIB = 1 << 20
GIB = 1 << 30

MEMORY = 2 * GB
"""Memory of a local build, a sweep or a search."""
TASK_MEMORY = 512 * MB
"""Memory of one task of a build on Spark."""
SHARD_URLS = 1 << 20
"""Approximate number of URLs of a shard."""
ANSWER_CACHE = 64 * MB
"""Size of the answer cache of a worker."""
REQUEST_BODY = 2 * MB
"""The largest body of a request that the service reads."""

_MAX_THREADS = 1024
_MAX_BYTES = 1 << 50
_LARGEST_RECORD = 1 << 40


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes; a record or body beyond them is skipped and counted as too large.

    Captures that were fetched after the second `as_of` (since 1970) are not read, but counted.
    """

    record: int = 64 * MIB
    body: int = 16 * MIB
    as_of: int | None = None

    def __post_init__(self) -> None:
        _check("the limit record", self.record, _LARGEST_RECORD)
        _check("the limit body", self.body, _LARGEST_RECORD)


@dataclass(frozen=True, slots=True)
class HoldOut:
    """Evidence that a build leaves out, so that it can be judged by it.

    With a share, the links of that share of the linking pages, drawn with the seed; their words
    stay. Without one, the see-also sections of all pages, links and words.
    """

    share: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.share is not None and not 0 < self.share < 1:
            message = f"a share of {self.share} of the linking pages is not possible"
            raise EngineError(message, advice="allowed: between 0 and 1, such as 0.1")
        if not 0 <= self.seed < 1 << 64:
            raise EngineError(f"seed = {self.seed} is not possible", advice="allowed: 0 to 2^64-1")


@dataclass(frozen=True, slots=True)
class Settings:
    """Memory in bytes, threads, limits on records, and how large a shard is.

    `hold_out` is for evaluation, by the local engine alone.
    """

    memory: int = MEMORY
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    limits: Limits = field(default_factory=Limits)
    shard_urls: int = SHARD_URLS
    hold_out: HoldOut | None = None

    def __post_init__(self) -> None:
        _check("memory", self.memory, _MAX_BYTES)
        _check("threads", self.threads, _MAX_THREADS)
        _check("shard_urls", self.shard_urls, 1 << 40)

    @property
    def _share(self) -> int:
        """An eighth of a thread's memory: data is held several times while it is worked on."""
        return self.memory // (8 * self.threads)

    @property
    def run_bytes(self) -> int:
        """Bytes that a thread gathers before it writes a run. Writing takes as much again.

        A small crawl fills it too, so that memory does not grow with the crawl.
        """
        return min(max(self._share, 4 * MIB), GIB)

    @property
    def spill_bytes(self) -> int:
        """Bytes of data between stages that stay in memory; the rest is spilled to disk."""
        return self.memory // 8

    def partition_bits(
        self, source_bytes: int, max_bits: int = MAX_BITS, finest: int = FINEST_BITS
    ) -> int:
        """Bits of the partition number, so that concurrent partitions fit the memory."""
        room = min(max(self._share, MIB), GIB)
        return partition_bits(source_bytes, room, max_bits, finest)


def _check(name: str, value: int, maximum: int) -> None:
    if not 1 <= value <= maximum:
        raise EngineError(f"{name} = {value} is not possible", advice=f"allowed: 1 to {maximum}")
