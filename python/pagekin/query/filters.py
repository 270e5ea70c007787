"""The filters of related pages, with their defaults and bounds, defined once; `selection` has those
that do not depend on the question.

Flags, HTTP parameters and form controls are generated from the fields.
"""

from dataclasses import dataclass, field

from pagekin import _core
from pagekin.errors import InputError
from pagekin.fields import option
from pagekin.query.selection import PageSelection, SelectionKeywords

__all__ = ["ExclusionLists", "FilterKeywords", "Filters"]

LARGEST_K = 1 << 40
"""More than the number of pages of any crawl."""


class FilterKeywords(SelectionKeywords, total=False):
    """The fields of `Filters` as keyword arguments."""

    k: int
    min_score: float
    exclude_site: bool
    exclude_linked: bool
    group_by_site: bool
    exact: bool
    min_agreement: float
    copy_score: float


@dataclass(frozen=True, slots=True)
class ExclusionLists:
    """What one query excludes: pages, sites, and the pages that some pages link to."""

    pages: list[_core.PageRef] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    linked_from: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Filters(PageSelection):
    """Which pages may be hits, how many, their minimum score, and what is excluded.

    `exact` compares every page instead of the candidates that sketches find. `min_agreement` is the
    paper's alpha: a candidate's sketch must agree in more than this share of positions. Pages more
    similar than `copy_score`, or of the same text, are copies: one hit. Pages with the text of the
    page asked about are not hits. At 1 nothing is folded.
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
    copy_score: float = option(0.95, "pages more alike than this are one hit", low=0, high=1)

    @classmethod
    def of(cls, filters: "Filters | None", keywords: FilterKeywords) -> "Filters":
        """Filters given as a value or as keywords; giving both is an error."""
        if filters is None:
            return cls(**keywords)
        if keywords:
            raise InputError(
                f"filters and {', '.join(keywords)} are both given",
                source="the question",
                advice="give either filters=Filters(...) or keywords",
            )
        return filters

    def options(self, exclusions: ExclusionLists) -> _core.SearchOptions:
        """The filters of one query, for the core."""
        return _core.SearchOptions(
            {
                "k": min(self.k, LARGEST_K),
                "pages": self.to_core(),
                "min_score": self.min_score,
                "alpha": self.min_agreement,
                "exact": self.exact,
                "one_per_site": self.group_by_site,
                "duplicate_score": self.copy_score,
                "exclude_pages": exclusions.pages,
                "exclude_sites": exclusions.sites,
                "exclude_links_from": exclusions.linked_from,
            }
        )
