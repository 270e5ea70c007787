"""Who reads what: the sources of a crawl, cut into portions of about the same size."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pagekin.crawl import Source, changes_of, sizes_of
from pagekin.errors import CrawlError
from pagekin.files import is_remote

__all__ = ["RUN_BITS", "Known", "Portion", "known", "portions"]

RUN_BITS = 16
"""A portion has at most so many bits of runs, and there are as many portions."""
MOST_GROUPS = (1 << RUN_BITS) - 2
GROUP_BYTES = 256 << 20
"""A task reads about so much if there is enough for all."""
TASKS_A_CORE = 4
"""So many tasks read for each core, if there are sources for them."""
MOST_SHARES = 4
"""So many tasks read the same sources if there are more cores than sources: each inflates all of
them, which is an eighth of the work."""


@dataclass(frozen=True, slots=True)
class Known:
    """A source as it was when the build began."""

    source: Source
    size: int
    change: int

    def is_as_it_was(self) -> bool:
        """Whether it has not changed since. File systems round times, to two seconds at most.

        A folder is not asked: the index itself may be in it.
        """
        if self.source.base_url is not None:
            return True
        (found,) = known([self.source])
        return found.size == self.size and abs(found.change - self.change) < 2 * 10**9


def known(sources: Sequence[Source]) -> list[Known]:
    """The sources as they are now; a size that nobody knows is 0."""
    if any(source.path == "-" for source in sources):
        raise CrawlError(
            "tasks on other machines cannot read it",
            source="-",
            advice="write it to a file that all of them reach, or use --engine local",
        )
    together = zip(sources, sizes_of(sources), changes_of(sources), strict=True)
    return [Known(source, size or 0, change) for source, size, change in together]


@dataclass(frozen=True, slots=True)
class Portion:
    """What one task reads: of some sources every so manyth record, from a place on."""

    sources: Sequence[Known]
    place: int = 0
    of: int = 1

    def to_json(self) -> str:
        """As a task gets it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Portion":
        """What `to_json` wrote."""
        found = json.loads(text)
        sources = [Known(**one | {"source": Source(**one["source"])}) for one in found["sources"]]
        return cls(sources, found["place"], found["of"])


def portions(sources: Sequence[Known], cores: int) -> list[Portion]:
    """Portions for so many cores; few sources are shared, unless they would be fetched twice."""
    groups = grouped(sources, TASKS_A_CORE * cores)
    shares = min(-(-cores // len(groups)), MOST_SHARES)
    if any(is_remote(one.source.path) for one in sources):
        shares = 1
    return [Portion(group, place, shares) for group in groups for place in range(shares)]


def grouped(sources: Sequence[Known], tasks: int) -> list[list[Known]]:
    """Sources one after another in groups of about the same size: `tasks` of them, or more.

    One whose size is unknown, 0, counts as much as the others on average.
    """
    told = [one.size for one in sources if one.size]
    average = sum(told) // len(told) if told else 1
    total = sum(one.size or average for one in sources)
    wanted = min(max(tasks, total // GROUP_BYTES), MOST_GROUPS)
    least = max(total // wanted, 1)
    groups: list[list[Known]] = [[]]
    held = 0
    for one in sources:
        if held >= least:
            groups.append([])
            held = 0
        groups[-1].append(one)
        held += one.size or average
    return groups
