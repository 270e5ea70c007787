"""What every task of a build must know, as one value that travels with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pagekin import _core
from pagekin.crawl import Limits, Source
from pagekin.engines.spark.work.folder import Folder
from pagekin.strategy import Strategy

__all__ = ["Group", "Plan", "grouped"]

RUN_BITS = 16
"""A group of sources has at most so many bits of runs, and there are as many groups."""
MOST_GROUPS = (1 << RUN_BITS) - 2
GROUP_BYTES = 256 << 20
"""A task reads about so much if there is enough for all."""

Group = list[Source]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the crawl is cut, where what is between stages lies, and where the tables go."""

    strategy: Strategy
    limits: Limits
    bits: int
    run_bytes: int
    work: Folder
    tables: Folder

    @property
    def partitions(self) -> int:
        """Evidence is cut into so many partitions by URL."""
        return 1 << self.bits

    @property
    def term_bits(self) -> int:
        """Terms are cut into fewer ranges: there are far fewer of them."""
        return max(self.bits - 2, 0)

    @property
    def ranges(self) -> int:
        """Terms are cut into so many ranges."""
        return 1 << self.term_bits

    def core(self) -> _core.Strategy:
        """The strategy as kernels take it."""
        return _core.Strategy(self.strategy.to_core())


def grouped(sources: Sequence[Source], sizes: Sequence[int], tasks: int) -> list[Group]:
    """Sources one after another in groups of about the same size: `tasks` of them, or more.

    One whose size is unknown, 0, counts as much as the others on average.
    """
    known = [size for size in sizes if size]
    average = sum(known) // len(known) if known else 1
    sizes = [size or average for size in sizes]
    total = sum(sizes)
    wanted = min(max(tasks, total // GROUP_BYTES), MOST_GROUPS)
    least = max(total // wanted, 1)
    groups: list[Group] = [[]]
    held = 0
    for source, size in zip(sources, sizes, strict=True):
        if held >= least:
            groups.append([])
            held = 0
        groups[-1].append(source)
        held += size
    return groups
