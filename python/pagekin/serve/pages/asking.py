"""The related pages of a page, a text or an upload."""

from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pagekin.api import Index
from pagekin.errors import Refused
from pagekin.query import Captures, Question, RelatedPart
from pagekin.serve.pages.addresses import readable
from pagekin.serve.pages.calendar import CaptureCalendar
from pagekin.serve.pages.forms import Form, PageState, to
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asker
from pagekin.types import PageCard

__all__ = ["ask", "related"]

CHOICES = (5, 10, 20, 50, 100)
LISTED_CAPTURES = 5
"""Captures that the card of a page lists, the latest first."""
LONGEST_IN_ADDRESS = 1500
"""Maximum length of a text in a URL that every server and browser accepts."""
LONGEST_NAME = 60
"""Maximum length of a text that serves as its own title."""


async def related(request: Request) -> Response:
    """The pages most like `url` or `text`, in the state that the address gives."""
    asker, form = Asker.of(request), Form(request.query_params)
    limits = asker.settings.limits
    state = PageState.of(form, k=10, most=limits.k, depth=limits.depth)
    url, text = form.text("url"), form.text("text")
    if url:
        card, answer, found = await asker.ask(_related_to_page, url, state)
        values: dict[str, Any] = {
            "card": card,
            "name": card.title or readable(card.url),
            "calendar": CaptureCalendar.of(found, LISTED_CAPTURES),
        }
        return await _related_page(asker, answer, state, {"url": card.url}, **values)
    if text:
        question = _text_question(asker, text)
        answer = await asker.ask(
            Index.related_part, question, offset=state.offset, filters=state.filters
        )
        return await _related_page(
            asker, answer, state, {"text": text}, text=text, name=_name(text)
        )
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
        return await _related_page(asker, answer, None, {}, name=name)
    text = written.strip() if isinstance(written, str) else ""
    if len(text) > LONGEST_IN_ADDRESS:
        answer = await asker.ask(Index.related_part, _text_question(asker, text))
        return await _related_page(asker, answer, None, {}, text=text, name=_name(text))
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


async def _related_page(
    asker: Asker,
    answer: RelatedPart,
    state: PageState | None,
    asked: dict[str, str],
    **values: Any,
) -> HTMLResponse:
    """The page; without a state it has no URL, so it has no controls."""
    paging, card, depth = answer.paging, values.get("card"), asker.settings.limits.depth
    back, on = max(paging.offset - paging.k, 0), paging.next
    without = () if card else ("exclude_site", "exclude_linked")
    has_next = state and on is not None and on <= depth
    languages = await asker.ask(Index.languages)
    return render(
        asker.snapshot,
        "related.html",
        answer=answer,
        controls=state.controls(CHOICES, languages, *without) if state else [],
        all=to("related", **asked),
        first=paging.offset + 1,
        previous=state.part("related", back, **asked) if state and paging.offset else None,
        next=state.part("related", on, **asked) if state and has_next and on else None,
        **{"card": None, "text": None, "calendar": None} | values,
    )
