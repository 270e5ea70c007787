"""The plan of a build for its tasks, and the division of sources among them.

The sources of a crawl are divided into portions of about the same size, one per task.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pagekin import _core
from pagekin.crawl import Source, changes_of, sizes_of
from pagekin.crawl.remote import is_remote
from pagekin.engines.spark.work_folder import Folder
from pagekin.errors import CrawlError
from pagekin.index.several import Model
from pagekin.strategy import Strategy
from pagekin.work.settings import Limits

__all__ = ["RUN_BITS", "Plan", "Portion", "SourceState", "portions", "source_states"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The partitions of a crawl, the work folder between stages, the folder of the tables, and the
    index whose model is taken over, if there is one."""

    strategy: Strategy
    limits: Limits
    bits: int
    run_bytes: int
    work: Folder
    tables: Folder
    model: str | None = None

    @property
    def partitions(self) -> int:
        """Number of partitions of the evidence, by URL."""
        return 1 << self.bits

    @property
    def term_bits(self) -> int:
        """Terms are cut into fewer ranges: there are far fewer of them.

        Links begin with a bit that words do not have, so there may be half as many with terms.
        """
        return max(self.bits - 1, 0)

    @property
    def ranges(self) -> int:
        """Number of ranges of terms."""
        return 1 << self.term_bits

    def shared_model(self) -> Model | None:
        """The model of the other index."""
        return None if self.model is None else Model.of(self.model)

    def core(self) -> _core.Strategy:
        """The strategy as kernels take it."""
        return _core.Strategy(self.strategy.to_core())


RUN_BITS = 16
"""Bits for the number of runs of a portion, and for the number of portions."""
MAX_GROUPS = (1 << RUN_BITS) - 2
GROUP_BYTES = 256 << 20
"""Bytes that a task reads, if there is enough for all."""
TASKS_A_CORE = 4
"""Reading tasks per core, if there are enough sources."""
MAX_SHARES = 4
"""Maximum number of tasks that read the same sources if there are more cores than sources: each
inflates all of them, which is an eighth of the work."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source as it was when the build began."""

    source: Source
    size: int
    change: int

    def is_as_it_was(self) -> bool:
        """Whether it has not changed since. File systems round times, to two seconds at most.

        A folder is not asked: the index itself may be in it, or it may be the index.
        """
        if self.source.base_url is not None or self.source.is_index:
            return True
        (found,) = source_states([self.source])
        return found.size == self.size and abs(found.change - self.change) < 2 * 10**9


def source_states(sources: Sequence[Source]) -> list[SourceState]:
    """The current state of the sources; an unknown size is 0."""
    if any(source.path == "-" for source in sources):
        raise CrawlError(
            "tasks on other machines cannot read it",
            source="-",
            advice="write it to a file that all of them reach, or use --engine local",
        )
    together = zip(sources, sizes_of(sources), changes_of(sources), strict=True)
    return [SourceState(source, size or 0, change) for source, size, change in together]


@dataclass(frozen=True, slots=True)
class Portion:
    """What one task reads: every Nth record of some sources, from a position on."""

    sources: Sequence[SourceState]
    place: int = 0
    of: int = 1

    def to_json(self) -> str:
        """The form for a task."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Portion":
        """What `to_json` wrote."""
        found = json.loads(text)
        return cls([*map(_state_of, found["sources"])], found["place"], found["of"])


def _state_of(fields: dict[str, Any]) -> SourceState:
    """A state out of JSON, which has lists for tuples."""
    source = fields["source"]
    return SourceState(
        **fields | {"source": Source(**source | {"without": tuple(source["without"])})}
    )


def portions(sources: Sequence[SourceState], cores: int) -> list[Portion]:
    """Portions for this many cores. Tasks share a source if there are few, and it is not remote."""
    groups = group_sources(sources, TASKS_A_CORE * cores)
    shares = min(-(-cores // len(groups)), MAX_SHARES)
    if any(is_remote(one.source.path) for one in sources):
        shares = 1
    return [Portion(group, place, shares) for group in groups for place in range(shares)]


def group_sources(sources: Sequence[SourceState], tasks: int) -> list[list[SourceState]]:
    """Sources one after another in groups of about the same size: `tasks` of them, or more.

    A source of unknown size (0) counts as much as the others on average.
    """
    sizes = [one.size for one in sources if one.size]
    average = sum(sizes) // len(sizes) if sizes else 1
    total = sum(one.size or average for one in sources)
    wanted = min(max(tasks, total // GROUP_BYTES), MAX_GROUPS)
    target = max(total // wanted, 1)
    groups: list[list[SourceState]] = [[]]
    held = 0
    for one in sources:
        if held >= target:
            groups.append([])
            held = 0
        groups[-1].append(one)
        held += one.size or average
    return groups
