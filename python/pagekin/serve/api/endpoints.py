"""The endpoints under /api. Each reads its parameters, asks the index, and writes JSON.

An answer is the JSON object that the command prints with `--json`, with `took_ms` as its last
field; lists have `paging`.
"""

import asyncio
import time
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import orjson
from starlette.requests import Request
from starlette.responses import Response

from pagekin.api import Index
from pagekin.dates import MOMENT, moment_of
from pagekin.errors import Refused
from pagekin.evaluation.selection.results_table import SweepRanking, ranking
from pagekin.fields import option, options_of
from pagekin.pairs import PairsPart, PairsQuestion, split_keywords
from pagekin.query import Captures, Comparison, PageSelection, RelatedPart, SearchResults
from pagekin.query.search import SearchHit
from pagekin.serve.api.answering import answer, choice_of, json_response, with_fields
from pagekin.serve.api.browsing import BROWSING
from pagekin.serve.api.openapi import BINARY, TEXT, Endpoint
from pagekin.serve.api.parameters import read_query
from pagekin.serve.api.related import (
    CHOICE,
    IN_BODY,
    IN_QUERY,
    QUESTION,
    BatchAnswer,
    get_related,
    post_batch,
    post_related,
)
from pagekin.serve.service import Asker, DiskState
from pagekin.types import Hit, PageCard, Paging

__all__ = ["ENDPOINTS"]


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """The words, and which of the pages found to return."""

    q: str = option(explanation="words, phrases in quotes, or a URL or a part of one")
    k: int = option(10, "number of pages", low=1)
    offset: int = option(0, "number of pages to skip", low=0)
    fields: tuple[str, ...] = choice_of(SearchHit)


@dataclass(frozen=True, slots=True)
class PageParameters:
    """Which page, and how much of it."""

    url: str = option(explanation="a page of the crawl, or one that it links to")
    terms: int = option(10, "number of terms", low=0)
    links: int = option(5, "number of pages that link to it", low=0)


@dataclass(frozen=True, slots=True)
class ComparisonParameters:
    """Which two pages."""

    one: str = option(explanation="the page that is asked about")
    other: str = option(explanation="the page to look for in the answer")


@dataclass(frozen=True, slots=True)
class PairsParameters:
    """The keywords, and which sites to return."""

    q: str = option(
        explanation="two to five keywords in order, phrases in quotes; the first selects the sites"
    )
    k: int = option(10, "number of sites", low=1)
    offset: int = option(0, "number of sites to skip", low=0)


@dataclass(frozen=True, slots=True)
class CapturesParameters:
    """Whose captures, and which of them."""

    url: str = option(explanation="a URL of the crawl")
    k: int = option(100, "number of captures", low=1)
    offset: int = option(0, "number of captures to skip", low=0)


@dataclass(frozen=True, slots=True)
class CaptureParameters:
    """Which capture."""

    url: str = option(explanation="a URL of the crawl")
    date: str | None = option(
        None,
        "the capture nearest to this date; without it, the one that is indexed",
        accepts=moment_of,
        expects=MOMENT,
    )


@dataclass(frozen=True, slots=True)
class CapturesAnswer(Captures):
    """A part of the captures of a URL, the earliest first."""

    found: int
    paging: Paging
    took_ms: float


@dataclass(frozen=True, slots=True)
class PageAnswer(PageCard):
    """The card of a page, and how long it took."""

    took_ms: float


@dataclass(frozen=True, slots=True)
class ComparisonAnswer(Comparison):
    """Two pages side by side, and how long it took."""

    took_ms: float


@dataclass(frozen=True, slots=True)
class Health:
    """The process answers."""

    status: Literal["ok"]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Which index is served, and whether it is still on disk.

    An index that is `missing`, `damaged` or `changed` on disk is served as it was.
    """

    status: Literal["ready"]
    index: str
    pages: int
    urls: int
    on_disk: DiskState


async def get_page(request: Request) -> Response:
    """A page by its URL: its origin, its main words and its inlinks."""
    asker, given = Asker.of(request), read_query(request, PAGE).to(PageParameters)
    asker.limit("terms", given.terms, asker.settings.limits.k)
    asker.limit("links", given.links, asker.settings.limits.k)
    return await answer(asker, _page, given)


def _page(index: Index, given: PageParameters) -> PageAnswer:
    start = time.perf_counter()
    card = index.show(given.url, terms=given.terms, links=given.links)
    return PageAnswer(**_values(card), took_ms=_milliseconds_since(start))


async def get_captures(request: Request) -> Response:
    """All captures of a URL: pages, errors, redirects and revisits, and where they are."""
    asker, given = Asker.of(request), read_query(request, CAPTURES).to(CapturesParameters)
    asker.limit("k", given.k, asker.settings.limits.k)
    return await answer(asker, _captures, given)


def _captures(index: Index, given: CapturesParameters) -> CapturesAnswer:
    start = time.perf_counter()
    found = index.captures(given.url)
    part = found.captures[given.offset : given.offset + given.k]
    paging = Paging.of(given.offset, given.k, len(found))
    return CapturesAnswer(found.url, part, len(found), paging, _milliseconds_since(start))


async def get_capture(request: Request) -> Response:
    """The archived body of a URL, as text. Other media are sent as a file to save."""
    asker, given = Asker.of(request), read_query(request, CAPTURE).to(CaptureParameters)
    root = asker.settings.source_root
    found = await asker.ask(Index.capture, given.url, given.date, source_root=root)
    if found.note:
        raise Refused("unknown_page", found.note, where=given.url, advice="see /api/captures")
    if found.text is not None:
        return Response(found.text, media_type="text/plain", headers=SANDBOX)
    return Response(
        found.body,
        media_type=BINARY,
        headers=SANDBOX | {"content-disposition": "attachment"},
    )


SANDBOX = {"content-security-policy": "sandbox; default-src 'none'"}
"""Whatever was archived does nothing here, even if a browser took it for a page."""


async def get_compare(request: Request) -> Response:
    """What two pages share, what each has alone, and the rank of the other for the one."""
    given = read_query(request, COMPARISON).to(ComparisonParameters)
    return await answer(Asker.of(request), _compare, given)


def _compare(index: Index, given: ComparisonParameters) -> ComparisonAnswer:
    start = time.perf_counter()
    found = index.compare(given.one, given.other)
    return ComparisonAnswer(**_values(found), took_ms=_milliseconds_since(start))


def _values(found: PageCard | Comparison) -> dict[str, Any]:
    return {each.name: getattr(found, each.name) for each in fields(found)}


def _milliseconds_since(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 3)


async def get_pairs(request: Request) -> Response:
    """The sites that the first keyword selects, each with the linked pages that answer best."""
    asker, values = Asker.of(request), read_query(request, PAIRS)
    given, limits = values.to(PairsParameters), asker.settings.limits
    question = values.to(PairsQuestion, keywords=split_keywords(given.q), sites=given.k)
    asker.limit("k", given.k, limits.k)
    asker.limit("per_site", question.per_site, limits.k)
    asker.limit("offset", given.offset, limits.depth)
    return await answer(asker, Index.pairs_part, question, offset=given.offset)


async def get_search(request: Request) -> Response:
    """The pages that best match the words in their title, their URL, or their text and links."""
    asker, values = Asker.of(request), read_query(request, SEARCH)
    given, selection = values.to(SearchParameters), asdict(values.to(PageSelection))
    asker.limit("k", given.k, asker.settings.limits.k)
    asker.limit("offset", given.offset, asker.settings.limits.depth)
    return await answer(asker, _search, given, selection)


def _search(index: Index, given: SearchParameters, selection: dict[str, Any]) -> object:
    found = index.search(given.q, k=given.k, offset=given.offset, **selection)
    return with_fields(found, given.fields)


async def get_evaluation(request: Request) -> Response:
    """Every strategy of the sweep with its measures, best first."""
    read_query(request, ())
    report = Asker.of(request).snapshot.report
    if report is None:
        raise Refused(
            "no_report",
            "this service has no report",
            advice="start it with --report and the folder of a sweep",
        )
    return json_response(orjson.dumps(ranking(report)))


async def get_health(request: Request) -> Response:
    """Whether the process answers at all."""
    read_query(request, ())
    return json_response(orjson.dumps(Health("ok")))


async def get_ready(request: Request) -> Response:
    """Whether the service is ready, and which index it serves."""
    read_query(request, ())
    asker = Asker.of(request)
    counts = asker.snapshot.index.counts
    # A disk may be slow, or not answer at all.
    on_disk = await asyncio.to_thread(asker.service.current.on_disk)
    ready = Readiness("ready", asker.snapshot.name, counts["pages"], counts["bags"], on_disk)
    return json_response(orjson.dumps(ready))


PAGE = options_of(PageParameters)
CAPTURES = options_of(CapturesParameters)
CAPTURE = options_of(CaptureParameters)
COMPARISON = options_of(ComparisonParameters)
PAIRS = (*options_of(PairsParameters), *options_of(PairsQuestion, "alpha", "per_site"))
SEARCH = (*options_of(SearchParameters), *options_of(PageSelection))
UPLOADS = ("body_too_large", "foreign_origin", "slow_request", "unsupported_media_type")
PAGES = ("malformed_url", "unknown_page")

ENDPOINTS = (
    Endpoint("GET", "/api/related", RelatedPart, get_related, IN_QUERY, PAGES, chosen=Hit),
    Endpoint(
        "POST", "/api/related", RelatedPart, post_related, IN_BODY, (*PAGES, *UPLOADS), chosen=Hit
    ),
    Endpoint("POST", "/api/batch", BatchAnswer, post_batch, CHOICE, UPLOADS, questions=QUESTION),
    Endpoint("GET", "/api/page", PageAnswer, get_page, PAGE, PAGES),
    *BROWSING,
    Endpoint("GET", "/api/captures", CapturesAnswer, get_captures, CAPTURES, PAGES),
    Endpoint("GET", "/api/capture", str, get_capture, CAPTURE, (*PAGES, "archive_fault"), TEXT),
    Endpoint("GET", "/api/compare", ComparisonAnswer, get_compare, COMPARISON, PAGES),
    Endpoint("GET", "/api/pairs", PairsPart, get_pairs, PAIRS, ("unknown_word",)),
    Endpoint("GET", "/api/search", SearchResults, get_search, SEARCH, chosen=SearchHit),
    Endpoint("GET", "/api/evaluation", SweepRanking, get_evaluation, codes=("no_report",)),
    Endpoint("GET", "/api/health", Health, get_health),
    Endpoint("GET", "/api/ready", Readiness, get_ready),
)
