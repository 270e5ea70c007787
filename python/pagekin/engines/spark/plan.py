"""What every task of a build must know, as one value that travels with it."""

from dataclasses import dataclass

from pagekin import _core
from pagekin.crawl import Limits
from pagekin.engines.spark.work.folder import Folder
from pagekin.strategy import Strategy

__all__ = ["Plan"]


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
        """Terms are cut into fewer ranges: there are far fewer of them.

        Links begin with a bit that words do not have, so there may be half as many with terms.
        """
        return max(self.bits - 1, 0)

    @property
    def ranges(self) -> int:
        """Terms are cut into so many ranges."""
        return 1 << self.term_bits

    def core(self) -> _core.Strategy:
        """The strategy as kernels take it."""
        return _core.Strategy(self.strategy.to_core())
