"""The endpoints to browse a crawl: its sites, one of them, and its subjects."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from pagekin.api import Index
from pagekin.fields import option, options_of
from pagekin.query import SITE_ORDERS, CrawlSubject, SiteCard, SiteList
from pagekin.serve.api.answering import answer
from pagekin.serve.api.openapi import Endpoint
from pagekin.serve.api.parameters import read_query
from pagekin.serve.service import Asker

__all__ = ["BROWSING"]


@dataclass(frozen=True, slots=True)
class SitesParameters:
    """Which sites, and in which order."""

    q: str = option("", "only sites whose name contains this")
    order: str = option(
        "pages",
        "most pages first, highest PageRank first, or by name",
        choices=SITE_ORDERS,
    )
    k: int = option(50, "number of sites", low=1)
    offset: int = option(0, "number of sites to skip", low=0)


@dataclass(frozen=True, slots=True)
class SiteParameters:
    """Which site, and which of its pages."""

    site: str = option(explanation="a host of the crawl, or a URL on it")
    k: int = option(20, "number of pages", low=1)
    offset: int = option(0, "number of pages to skip", low=0)


@dataclass(frozen=True, slots=True)
class SubjectsParameters:
    """How many subjects."""

    k: int = option(50, "number of subjects", low=1)


@dataclass(frozen=True, slots=True)
class SubjectsAnswer:
    """The subjects of the crawl, the most frequent first; `found` is how many there are."""

    subjects: list[CrawlSubject]
    found: int


async def get_sites(request: Request) -> Response:
    """The sites with crawled pages, each with its home page and its number of pages."""
    asker, given = Asker.of(request), read_query(request, SITES).to(SitesParameters)
    asker.limit("k", given.k, asker.settings.limits.k)
    return await answer(
        asker, Index.sites, given.q, order=given.order, k=given.k, offset=given.offset
    )


async def get_site(request: Request) -> Response:
    """A site: the dates, languages and subjects of its pages, and its pages, best linked first."""
    asker, given = Asker.of(request), read_query(request, SITE).to(SiteParameters)
    asker.limit("k", given.k, asker.settings.limits.k)
    return await answer(asker, Index.site, given.site, k=given.k, offset=given.offset)


async def get_subjects(request: Request) -> Response:
    """What pages of the crawl are about, each subject with some of its pages."""
    asker, given = Asker.of(request), read_query(request, SUBJECTS).to(SubjectsParameters)
    asker.limit("k", given.k, asker.settings.limits.k)
    return await answer(asker, _subjects, given.k)


def _subjects(index: Index, k: int) -> SubjectsAnswer:
    found = index.subjects()
    return SubjectsAnswer(found[:k], len(found))


SITES = options_of(SitesParameters)
SITE = options_of(SiteParameters)
SUBJECTS = options_of(SubjectsParameters)

BROWSING = (
    Endpoint("GET", "/api/sites", SiteList, get_sites, SITES),
    Endpoint("GET", "/api/site", SiteCard, get_site, SITE, ("unknown_page",)),
    Endpoint("GET", "/api/subjects", SubjectsAnswer, get_subjects, SUBJECTS),
)
