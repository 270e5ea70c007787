"""`/related`: the pages most like a page, a text or an uploaded page, and why."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import UploadFile
from starlette.responses import Response

from pagekin.errors import Refused
from pagekin.opened import Index
from pagekin.serve.answers import Question, RelatedAnswer, related
from pagekin.serve.answers.naming import spelled_out
from pagekin.serve.pages.forms import Form, Wanted
from pagekin.serve.pages.links import to
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asker, Asking
from pagekin.types import PageCard

__all__ = ["router"]

router = APIRouter()

CHOICES = (5, 10, 20, 50, 100)
IN_ADDRESS = 1500
"""Letters of a text that an address may hold: every server and browser takes those."""
NAMED = 60
"""Letters of a text that is its own name."""


@router.get("/related")
async def show(request: Request, asking: Asking) -> Response:
    """The related pages of `url` or `text`, in the state that the address tells."""
    form = Form(request.query_params)
    limits = asking.settings.limits
    wanted = Wanted.of(form, k=10, most=limits.k, depth=limits.depth)
    url, text = form.text("url"), form.text("text")
    if url:
        card, answer = await asking.ask(_of_page, url, wanted)
        values: dict[str, Any] = {"card": card, "name": card.title or card.url}
        return _page(answer, wanted, {"url": card.url}, depth=limits.depth, **values)
    if text:
        answer = await asking.ask(related, _about(asking, text), wanted.filters, wanted.offset)
        values = {"text": text, "name": _name(text)}
        return _page(answer, wanted, {"text": text}, depth=limits.depth, **values)
    return RedirectResponse("./", 303)


@router.post("/related")
async def ask(request: Request, asking: Asking) -> Response:
    """What is written in the box of the first page, or uploaded there.

    What an address can hold becomes one; a long text or a page is answered at once.
    """
    fields = await request.form()
    upload, written = fields.get("page"), fields.get("q")
    if isinstance(upload, UploadFile):
        return await _ask_file(asking, upload)
    text = written.strip() if isinstance(written, str) else ""
    if len(text) > IN_ADDRESS:
        answer = await asking.ask(related, _about(asking, text), Wanted.usual().filters)
        return _page(answer, None, {}, text=text, name=_name(text))
    url = await asking.ask(spelled_out, text)
    return RedirectResponse(to("related", url=url) if url else to("related", text=text), 303)


async def _ask_file(asking: Asker, upload: UploadFile) -> HTMLResponse:
    question = Question(page=await upload.read())
    answer = await asking.ask(related, question, Wanted.usual().filters)
    return _page(answer, None, {}, name=answer.query.title or upload.filename or "the page")


def _of_page(index: Index, url: str, wanted: Wanted) -> tuple[PageCard, RelatedAnswer]:
    answer = related(index, Question(urls=(url,)), wanted.filters, wanted.offset)
    return index.show(url), answer


def _about(asking: Asker, text: str) -> Question:
    most = asking.settings.limits.text
    if len(text) > most:
        raise Refused(
            "body_too_large",
            f"the text has {len(text):,} letters",
            advice=f"give at most {most:,}",
        )
    return Question(text=text)


def _name(text: str) -> str:
    return text if len(text) <= NAMED and "\n" not in text else "a text"


def _page(
    answer: RelatedAnswer,
    wanted: Wanted | None,
    state: dict[str, str],
    *,
    depth: int = 0,
    **values: Any,
) -> HTMLResponse:
    """The page; without `wanted` it is one that no address leads to, so nothing can be changed."""
    paging = answer.paging
    back, on = max(paging.offset - paging.k, 0), paging.next
    return render(
        "related.html",
        answer=answer,
        wanted=wanted,
        choices=CHOICES,
        first=paging.offset + 1,
        previous=wanted.part("related", back, **state) if wanted and paging.offset else None,
        next=wanted.part("related", on, **state)
        if wanted and on is not None and on <= depth
        else None,
        **{"card": None, "text": None} | values,
    )
