"""`/search`: pages by words in their title, address and text."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pagekin.serve.answers import search
from pagekin.serve.pages.forms import Form
from pagekin.serve.pages.links import to
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter()

LISTED = 20


@router.get("/search")
async def show(request: Request, asking: Asking) -> HTMLResponse:
    """The pages that have the words of `q`."""
    form = Form(request.query_params)
    words = form.text("q")
    offset = form.whole("offset", 0, 0, asking.settings.limits.depth)
    answer = await asking.ask(search, words, LISTED, offset) if words else None
    back, on = max(offset - LISTED, 0), answer.paging.next if answer else None
    return render(
        "search.html",
        words=words,
        answer=answer,
        first=offset + 1,
        previous=to("search", q=words, offset=back) if offset else None,
        next=to("search", q=words, offset=on) if on is not None else None,
    )
