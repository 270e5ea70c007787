"""What a sweep may use; the settings of a build fit."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from pagekin.crawl import Limits

__all__ = ["Resources", "each"]

T = TypeVar("T")
R = TypeVar("R")


class Resources(Protocol):
    """Threads, limits on records, and how work is cut to fit the memory."""

    @property
    def threads(self) -> int:
        """How many."""

    @property
    def limits(self) -> Limits:
        """What is accepted of a record."""

    @property
    def run_bytes(self) -> int:
        """What a thread may hold before it writes."""

    def partition_bits(self, source_bytes: int) -> int:
        """How finely evidence is cut."""


def each(work: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """Do the work for each item, results in order."""
    if threads == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))
