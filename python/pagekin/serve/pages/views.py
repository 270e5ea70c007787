"""What the crawl has: the start page, search, sites, subjects, captures.

Each view reads the address, asks the index, and renders a template.
"""

from collections.abc import Iterator
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pagekin.api import Index
from pagekin.query import SITE_ORDERS, CrawlSubject, Overview, SiteList
from pagekin.query.search import LISTED as MOST_FOUND
from pagekin.serve.pages.asking import ask, related
from pagekin.serve.pages.calendar import CaptureCalendar, years_of
from pagekin.serve.pages.comparing import compare, evaluation, neighbourhood, pairs
from pagekin.serve.pages.forms import (
    Form,
    selection_controls,
    selection_of,
    selection_state,
    to,
)
from pagekin.serve.pages.rendering import render, static_file
from pagekin.serve.service import Asker

__all__ = ["routes"]

FOUND_LISTED, SITES_LISTED, PAGES_LISTED, CAPTURES_LISTED = 20, 50, 20, 50
"""Entries of a list on one page."""
SITES_AT_START, SUBJECTS_AT_START = 8, 8
MOST_SITES = 1_000_000
"""Sites that can be paged through."""
ORDERS = {"pages": "most pages first", "rank": "most linked first", "name": "by name"}
"""What the orders of sites are called."""


def routes() -> list[Route]:
    """Every page of the service."""
    return [
        Route("/", start),
        Route("/related", related, methods=["GET"]),
        Route("/related", ask, methods=["POST"]),
        Route("/search", search),
        Route("/sites", sites),
        Route("/site", site),
        Route("/subjects", subjects),
        Route("/captures", captures),
        Route("/pairs", pairs),
        Route("/compare", compare),
        Route("/map", neighbourhood),
        Route("/evaluation", evaluation),
        Route("/static/{name}", static_file),
    ]


async def start(request: Request) -> Response:
    """The start page: an overview of the crawl, and an input box."""
    asker = Asker.of(request)
    found, listed, topics = await asker.ask(_contents)
    report = asker.snapshot.report
    return render(
        asker.snapshot,
        "start.html",
        facts=list(_facts(found, listed.found, report.classes if report else None)),
        sites=listed.sites if listed.found > 1 else [],
        pages=found.best_pages,
        topics=topics[:SUBJECTS_AT_START],
    )


def _contents(index: Index) -> tuple[Overview, SiteList, list[CrawlSubject]]:
    return index.overview(), index.sites(k=SITES_AT_START), index.subjects()


def _facts(found: Overview, sites: int, classes: int | None) -> Iterator[tuple[str, int]]:
    yield "pages crawled", found.pages
    yield "site" if sites == 1 else "sites", sites
    yield "links", found.links
    yield "pages linked to, not crawled", found.linked
    if classes:
        yield "classes", classes


async def search(request: Request) -> Response:
    """The pages that have the words of `q`."""
    asker, form = Asker.of(request), Form(request.query_params)
    words = form.text("q")
    offset = form.whole("offset", 0, 0, asker.settings.limits.depth)
    answer, selection = None, selection_of(form)
    if words:
        answer = await asker.ask(
            Index.search, words, k=FOUND_LISTED, offset=offset, **asdict(selection)
        )
    state = {"q": words, **selection_state(selection)}
    languages = await asker.ask(Index.languages)
    on = answer.paging.next if answer is not None else None
    return render(
        asker.snapshot,
        "search.html",
        words=words,
        answer=answer,
        most=MOST_FOUND,
        controls=selection_controls(selection, languages) if words else [],
        all=to("search", q=words),
        first=offset + 1,
        **_around("search", offset, FOUND_LISTED, on, **state),
    )


async def sites(request: Request) -> Response:
    """The sites of the crawl; the site itself if there is only one."""
    asker, form = Asker.of(request), Form(request.query_params)
    q, order = form.text("q"), form.text("order") or SITE_ORDERS[0]
    offset = form.whole("offset", 0, 0, MOST_SITES)
    answer = await asker.ask(Index.sites, q, order=order, k=SITES_LISTED, offset=offset)
    if answer.found == 1 and not request.query_params:
        return RedirectResponse(to("site", site=answer.sites[0].site), 303)
    return render(
        asker.snapshot,
        "sites.html",
        answer=answer,
        q=q,
        order=order,
        orders=ORDERS.items(),
        first=offset + 1,
        **_around("sites", offset, SITES_LISTED, answer.paging.next, q=q, order=order),
    )


async def site(request: Request) -> Response:
    """A site: its dates, its subjects and its pages."""
    asker, form = Asker.of(request), Form(request.query_params)
    offset = form.whole("offset", 0, 0, asker.settings.limits.depth)
    found = await asker.ask(Index.site, form.text("site"), k=PAGES_LISTED, offset=offset)
    months = [*found.months]
    next_part = found.paging.next if offset < asker.settings.limits.depth else None
    return render(
        asker.snapshot,
        "site.html",
        site=found,
        years=years_of(found.months),
        span=(months[0], months[-1]) if months else None,
        first=offset + 1,
        **_around("site", offset, PAGES_LISTED, next_part, site=found.site),
    )


async def subjects(request: Request) -> Response:
    """What pages of the crawl are about."""
    asker = Asker.of(request)
    found = await asker.ask(Index.subjects)
    several = len({page.site for each in found for page in each.pages}) > 1
    return render(asker.snapshot, "subjects.html", found=found, several=several)


async def captures(request: Request) -> Response:
    """All captures of a URL."""
    asker, form = Asker.of(request), Form(request.query_params)
    found = await asker.ask(Index.captures, form.text("url"))
    offset = form.whole("offset", 0, 0, len(found))
    end = offset + CAPTURES_LISTED
    return render(
        asker.snapshot,
        "captures.html",
        found=found,
        calendar=CaptureCalendar.of(found, CAPTURES_LISTED, offset),
        first=offset + 1,
        **_around(
            "captures", offset, CAPTURES_LISTED, end if end < len(found) else None, url=found.url
        ),
    )


def _around(
    page: str, offset: int, k: int, on: int | None, **state: str | None
) -> dict[str, str | None]:
    """The addresses of the parts of a list before and after this one."""
    back = max(offset - k, 0)
    return {
        "previous": to(page, **state, offset=back) if offset else None,
        "next": to(page, **state, offset=on) if on is not None else None,
    }
