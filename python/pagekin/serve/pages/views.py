"""The pages: each view reads the address, asks the index, and renders a template."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pagekin.api import Index
from pagekin.errors import InputError, Refused, UnknownWord
from pagekin.evaluation.selection.results_table import ranking
from pagekin.fields import options_of
from pagekin.pairs import PairsPart, PairsQuestion, split_keywords
from pagekin.query import (
    Captures,
    Comparison,
    Filters,
    Neighbourhood,
    Overview,
    Question,
    RelatedPart,
)
from pagekin.serve.errors import Problem, problem_of
from pagekin.serve.pages.calendar import CaptureCalendar
from pagekin.serve.pages.drawings import charts, rings
from pagekin.serve.pages.forms import (
    Form,
    PageState,
    selection_controls,
    selection_of,
    selection_state,
    to,
)
from pagekin.serve.pages.rendering import render, static_file
from pagekin.serve.service import Asker
from pagekin.types import PageCard

__all__ = ["routes"]

RELATED_CHOICES = (5, 10, 20, 50, 100)
MAP_CHOICES = (4, 6, 8, 10, 12)
PAIRS_CHOICES = (5, 10, 20, 50)
SEARCH_LISTED = 20
LONGEST_IN_ADDRESS = 1500
"""Maximum length of a text in a URL that every server and browser accepts."""
LONGEST_NAME = 60
"""Maximum length of a text that serves as its own title."""


def routes() -> list[Route]:
    """Every page of the service."""
    return [
        Route("/", start),
        Route("/related", related, methods=["GET"]),
        Route("/related", ask, methods=["POST"]),
        Route("/search", search),
        Route("/pairs", pairs),
        Route("/compare", compare),
        Route("/map", neighbourhood),
        Route("/evaluation", evaluation),
        Route("/static/{name}", static_file),
    ]


async def start(request: Request) -> Response:
    """The start page: an overview of the crawl, and an input box."""
    asker = Asker.of(request)
    found = await asker.ask(Index.overview)
    report = asker.snapshot.report
    return render(
        "start.html",
        facts=list(_facts(found, report.classes if report else None)),
        sites=found.best_sites,
        pages=found.best_pages,
    )


def _facts(found: Overview, classes: int | None) -> Iterator[tuple[str, int]]:
    yield "pages crawled", found.pages
    yield "pages linked to, not crawled", found.linked
    yield "site" if found.sites == 1 else "sites", found.sites
    yield "links", found.links
    yield "different words", found.terms
    if classes:
        yield "classes", classes


async def related(request: Request) -> Response:
    """The pages most like `url` or `text`, in the state that the address gives."""
    asker, form = Asker.of(request), Form(request.query_params)
    limits = asker.settings.limits
    state = PageState.of(form, k=10, most=limits.k, depth=limits.depth)
    url, text = form.text("url"), form.text("text")
    if url:
        card, answer, found = await asker.ask(_related_to_page, url, state)
        calendar = CaptureCalendar.of(found)
        values: dict[str, Any] = {
            "card": card,
            "name": card.title or card.url,
            "calendar": calendar,
        }
        return _related_page(answer, state, {"url": card.url}, depth=limits.depth, **values)
    if text:
        question = _text_question(asker, text)
        answer = await asker.ask(
            Index.related_part, question, offset=state.offset, filters=state.filters
        )
        values = {"text": text, "name": _name(text)}
        return _related_page(answer, state, {"text": text}, depth=limits.depth, **values)
    return RedirectResponse("./", 303)


async def ask(request: Request) -> Response:
    """Input of the start page: a typed text or an upload.

    Short input redirects to its URL; a long text or an upload is answered directly.
    """
    asker, fields = Asker.of(request), await request.form()
    upload, written = fields.get("page"), fields.get("q")
    if isinstance(upload, UploadFile):
        question = Question(page=await upload.read())
        answer = await asker.ask(Index.related_part, question)
        name = answer.query.title or upload.filename or "the page"
        return _related_page(answer, None, {}, name=name)
    text = written.strip() if isinstance(written, str) else ""
    if len(text) > LONGEST_IN_ADDRESS:
        answer = await asker.ask(Index.related_part, _text_question(asker, text))
        return _related_page(answer, None, {}, text=text, name=_name(text))
    url = await asker.ask(Index.recognise_url, text)
    return RedirectResponse(to("related", url=url) if url else to("related", text=text), 303)


def _related_to_page(
    index: Index, url: str, state: PageState
) -> tuple[PageCard, RelatedPart, Captures]:
    question = Question.about(url)
    answer = index.related_part(question, offset=state.offset, filters=state.filters)
    return index.show(url), answer, index.captures(url)


def _text_question(asker: Asker, text: str) -> Question:
    most = asker.settings.limits.text
    if len(text) > most:
        raise Refused(
            "body_too_large",
            f"the text has {len(text):,} characters",
            advice=f"give at most {most:,}",
        )
    return Question(text=text)


def _name(text: str) -> str:
    return text if len(text) <= LONGEST_NAME and "\n" not in text else "a text"


def _related_page(
    answer: RelatedPart,
    state: PageState | None,
    asked: dict[str, str],
    *,
    depth: int = 0,
    **values: Any,
) -> HTMLResponse:
    """The page; without a state it has no URL, so it has no controls."""
    paging, card = answer.paging, values.get("card")
    back, on = max(paging.offset - paging.k, 0), paging.next
    without = () if card else ("exclude_site", "exclude_linked")
    has_next = state and on is not None and on <= depth
    return render(
        "related.html",
        answer=answer,
        controls=state.controls(RELATED_CHOICES, *without) if state else [],
        first=paging.offset + 1,
        previous=state.part("related", back, **asked) if state and paging.offset else None,
        next=state.part("related", on, **asked) if state and has_next and on else None,
        **{"card": None, "text": None, "calendar": None} | values,
    )


async def search(request: Request) -> Response:
    """The pages that have the words of `q`."""
    asker, form = Asker.of(request), Form(request.query_params)
    words = form.text("q")
    offset = form.whole("offset", 0, 0, asker.settings.limits.depth)
    answer, selection = None, selection_of(form)
    if words:
        answer = await asker.ask(
            Index.search, words, k=SEARCH_LISTED, offset=offset, **asdict(selection)
        )
    state = {"q": words, **selection_state(selection)}
    back, on = max(offset - SEARCH_LISTED, 0), answer.paging.next if answer is not None else None
    return render(
        "search.html",
        words=words,
        answer=answer,
        controls=selection_controls(selection) if words else [],
        first=offset + 1,
        previous=to("search", **state, offset=back) if offset else None,
        next=to("search", **state, offset=on) if on is not None else None,
    )


async def pairs(request: Request) -> Response:
    """The pairs for the keywords of `q`, one row per site."""
    asker, form = Asker.of(request), Form(request.query_params)
    (alpha,) = options_of(PairsQuestion, "alpha")
    q, weight = form.text("q"), form.value(alpha)
    sites = form.whole("sites", 10, 1, asker.settings.limits.k)
    answer, refused = await _pairs(asker, q, weight, sites) if q else (None, None)
    return render(
        "pairs.html",
        status=200 if refused is None else refused.status,
        q=q,
        alpha=weight,
        sites=sites,
        choices=PAIRS_CHOICES,
        answer=answer,
        refused=refused,
    )


async def _pairs(
    asker: Asker, q: str, alpha: float, sites: int
) -> tuple[PairsPart | None, Problem | None]:
    """The answer, or the problem with the question: the form stays, to correct it."""
    try:
        question = PairsQuestion(split_keywords(q), alpha, sites)
        return await asker.ask(Index.pairs_part, question), None
    except (InputError, UnknownWord) as error:
        return None, problem_of(error)


async def compare(request: Request) -> Response:
    """The pages `a` and `b` side by side."""
    asker, form = Asker.of(request), Form(request.query_params)
    a, b = form.text("a"), form.text("b")
    found = await asker.ask(_compare, a, b) if a and b else None
    most = _largest(found) if found else 1.0
    return render("compare.html", a=a, b=b, found=found, most=most)


def _compare(index: Index, a: str, b: str) -> Comparison:
    return index.compare(index.best_match(a), index.best_match(b))


def _largest(found: Comparison) -> float:
    """The largest share, which sets the scale of all bars."""
    both = (*found.shared, *found.about)
    shared = [share for term in both for share in (term.one, term.other)]
    own = [term.share for term in (*found.own_one, *found.own_other)]
    return max([*shared, *own], default=0.0) or 1.0


async def neighbourhood(request: Request) -> Response:
    """The map around `url`: its related pages, and theirs."""
    asker, form = Asker.of(request), Form(request.query_params)
    depth, most = asker.settings.limits.depth, MAP_CHOICES[-1]
    url, state = form.text("url"), PageState.of(form, k=8, most=most, depth=depth)
    found = await asker.ask(_neighbourhood, url, state.filters) if url else None
    return render(
        "map.html",
        url=found.pages[0].url if found else url,
        state=state,
        controls=state.controls(MAP_CHOICES, "min_score", "exclude_linked", "exact"),
        found=found,
        drawn=rings(found) if found else None,
        similar=_similar(found) if found else [],
    )


def _neighbourhood(index: Index, url: str, filters: Filters) -> Neighbourhood:
    return index.neighbourhood(index.best_match(url), filters=filters)


def _similar(found: Neighbourhood) -> list[list[tuple[int, float]]]:
    """For each page of the map its related pages, the most similar first."""
    similar: list[list[tuple[int, float]]] = [[] for _ in found.pages]
    for each in reversed(found.relations):
        similar[each.one].append((each.other, each.score))
        similar[each.other].append((each.one, each.score))
    return similar


async def evaluation(request: Request) -> Response:
    """The charts and the table of the sweep's report, if the service has one."""
    report = Asker.of(request).snapshot.report
    return render(
        "evaluation.html",
        figures=None if report is None else charts(report),
        strategies=[] if report is None else ranking(report).strategies,
        best=None if report is None else report.best,
    )
