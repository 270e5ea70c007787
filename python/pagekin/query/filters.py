"""Which related pages are wanted: the one statement of filters, their defaults and their bounds.

Flags, HTTP parameters and form controls are made from the fields.
"""

from dataclasses import dataclass, field
from typing import TypedDict

from pagekin import _core
from pagekin.errors import InputError
from pagekin.fields import check_options, option

__all__ = ["ExclusionLists", "FilterKeywords", "Filters"]

LARGEST_K = 1 << 40
"""More than any crawl has pages."""


class FilterKeywords(TypedDict, total=False):
    """The fields of `Filters` as keyword arguments."""

    k: int
    min_score: float
    exclude_site: bool
    exclude_linked: bool
    group_by_site: bool
    exact: bool
    min_agreement: float
    mirror: float


@dataclass(frozen=True, slots=True)
class ExclusionLists:
    """What one query leaves out: pages, sites, and what these pages link to."""

    pages: list[_core.PageRef] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    linked_from: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Filters:
    """How many hits, how good, and which are left out.

    `exact` compares every page instead of the candidates that the sketches name. `min_agreement`
    is the paper's alpha: pages whose sketches agree in no more than this share of positions are
    no candidates. Pages more alike than `mirror` are one hit.
    """

    k: int = option(10, "number of related pages", low=1, label="Pages", flag="-k")
    min_score: float = option(
        0.0, "minimum score", low=0, high=1, label="Minimum score", placeholder="X"
    )
    exclude_site: bool = option(False, "leave out pages of the same site", label="Other sites only")
    exclude_linked: bool = option(
        False, "leave out pages that the page links to", label="Not linked from this page"
    )
    group_by_site: bool = option(
        False, "only the best page of each site", label="Best page of each site"
    )
    exact: bool = option(
        False, "compare every page, not only likely candidates", label="Compare every page"
    )
    min_agreement: float = option(
        0.0,
        "only pages whose sketches agree in more than this share of positions",
        low=0,
        high=1,
        placeholder="X",
    )
    mirror: float = option(0.95, "pages more alike than this are one hit", low=0, high=1)

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def of(cls, filters: "Filters | None", keywords: FilterKeywords) -> "Filters":
        """Filters given as a value or as keywords; both at once contradict each other."""
        if filters is None:
            return cls(**keywords)
        if keywords:
            raise InputError(
                f"filters and {', '.join(keywords)} are both given",
                source="the question",
                advice="give either filters=Filters(...) or keywords",
            )
        return filters

    def to_core(self, exclusions: ExclusionLists) -> _core.SearchOptions:
        """The filters as the core takes them, for one query."""
        return _core.SearchOptions(
            {
                "k": min(self.k, LARGEST_K),
                "min_score": self.min_score,
                "alpha": self.min_agreement,
                "exact": self.exact,
                "one_per_site": self.group_by_site,
                "duplicate_score": self.mirror,
                "exclude_pages": exclusions.pages,
                "exclude_sites": exclusions.sites,
                "exclude_links_from": exclusions.linked_from,
            }
        )
