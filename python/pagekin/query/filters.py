"""Which related pages are wanted."""

from dataclasses import dataclass, field

from pagekin import _core
from pagekin.errors import InputError

__all__ = ["Filters", "LeftOut"]

MOST = 1 << 40
"""Nobody has more pages than this."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What one query leaves out: pages, sites, and what these pages link to."""

    pages: list[tuple[int, int]] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    linked_from: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Filters:
    """How many hits, how good, and which are left out.

    `alpha` is the paper's: pages whose sketches agree in no more than this share of positions are
    not looked at. `exact` compares every bag instead of those that the sketches name. Pages more
    alike than `mirror` are one hit.
    """

    k: int = 10
    min_score: float = 0.0
    alpha: float = 0.0
    exact: bool = False
    exclude_site: bool = False
    exclude_linked: bool = False
    group_by_site: bool = False
    mirror: float = 0.95

    def __post_init__(self) -> None:
        if self.k < 1:
            raise _impossible("k", self.k, "1 or more")
        for name in ("min_score", "alpha", "mirror"):
            if not 0 <= getattr(self, name) <= 1:
                raise _impossible(name, getattr(self, name), "a number from 0 to 1")

    def to_core(self, left_out: LeftOut) -> _core.Options:
        """The filters as the core takes them, for one query."""
        return _core.Options(
            {
                "k": min(self.k, MOST),
                "min_score": self.min_score,
                "alpha": self.alpha,
                "exact": self.exact,
                "one_a_site": self.group_by_site,
                "mirror": self.mirror,
                "without": left_out.pages,
                "without_sites": left_out.sites,
                "without_links_from": left_out.linked_from,
            }
        )


def _impossible(name: str, value: float, allowed: str) -> InputError:
    return InputError(f"{value} is not possible", source=name, advice=f"allowed: {allowed}")
