"""What a build may use. Only `limits` change what is indexed, and `shard_urls` how it is cut."""

import os
from dataclasses import dataclass, field

from pagekin.crawl import Limits
from pagekin.errors import EngineError

__all__ = ["UNKNOWN_SIZE", "Settings"]

GIB = 1 << 30
UNKNOWN_SIZE = 4 * GIB
"""What a source is taken for whose size nobody knows."""
SHARD_URLS = 1 << 20
"""A shard holds about this many URLs."""
MOST_THREADS = 1024
FINEST = 8
"""Bits of the partitions that are smaller than they have to be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Memory in bytes, threads, limits on records, and how large a shard is."""

    memory: int = 2 * GIB
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    limits: Limits = field(default_factory=Limits)
    shard_urls: int = SHARD_URLS

    def __post_init__(self) -> None:
        for name, value, most in (
            ("memory", self.memory, 1 << 50),
            ("threads", self.threads, MOST_THREADS),
            ("shard_urls", self.shard_urls, 1 << 40),
        ):
            if not 1 <= value <= most:
                raise EngineError(
                    f"{name} = {value} is not possible", advice=f"allowed: 1 to {most}"
                )

    @property
    def _share(self) -> int:
        """An eighth of a thread's memory: what is read is held several times while in work."""
        return self.memory // (8 * self.threads)

    @property
    def run_bytes(self) -> int:
        """What a thread may hold before it writes a run. Writing takes as much again.

        A small crawl fills it too, so that memory does not grow with the crawl.
        """
        return min(max(self._share, 4 << 20), GIB)

    @property
    def exchange_bytes(self) -> int:
        """How much of what stages hand on may stay in memory; the rest goes to disk."""
        return self.memory // 8

    def partition_bits(self, source_bytes: int, most: int = 13, finest: int = FINEST) -> int:
        """So many partitions that those in work fit the memory; archives unfold about eightfold.

        Up to 2^`finest` they are cut in two once more: small ones are merged in nearer caches, and
        less is waited for at the end of a stage. Every partition has a part for every range of
        terms, so that many would cost more than that.
        """
        room = min(max(self._share, 1 << 20), GIB)
        wanted = max(8 * source_bytes // room, 1)
        needed = max(wanted.bit_length(), 3)
        return min(max(needed, min(needed + 1, finest)), most)
