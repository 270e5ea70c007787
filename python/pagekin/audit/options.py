"""What an audit is asked for."""

from dataclasses import dataclass

from pagekin.errors import InputError
from pagekin.fields import check_options, option

__all__ = ["AuditQuestion"]


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """The site, and how many missing links to list.

    A missing link has a score from 0 to 1: how likely the words that name a page are a link to it,
    times how similar the two pages are.
    """

    site: str | None = option(
        None, "site to audit (default: the only site that was crawled)", placeholder="HOST"
    )
    per_page: int = option(
        3, "number of missing links to list for each page", low=0, placeholder="N"
    )
    min_score: float = option(
        0.1, "minimum score of a missing link", low=0, high=1, placeholder="X"
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.site is not None and not self.site.strip():
            raise InputError("empty", source="site", advice="give the host of a site")
