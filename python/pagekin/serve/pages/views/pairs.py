"""`/pairs`: two linked pages of a site that answer a query together."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pagekin.errors import InputError, UnknownWord
from pagekin.serve.answers import PairsAnswer, PairsQuestion, keywords_of, pairs
from pagekin.serve.errors import Problem, problem_of
from pagekin.serve.pages.forms import Form
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asker, Asking

__all__ = ["router"]

router = APIRouter()

CHOICES = (5, 10, 20, 50)


@router.get("/pairs")
async def show(request: Request, asking: Asking) -> HTMLResponse:
    """The pairs for the keywords of `q`, one row a site."""
    form = Form(request.query_params)
    q, alpha = form.text("q"), form.number("alpha", 0.6, 0.5, 1)
    sites = form.whole("sites", 10, 1, asking.settings.limits.k)
    answer, refused = await _answer(asking, q, alpha, sites) if q else (None, None)
    return render(
        "pairs.html",
        status=200 if refused is None else refused.status,
        q=q,
        alpha=alpha,
        sites=sites,
        choices=CHOICES,
        answer=answer,
        refused=refused,
    )


async def _answer(
    asking: Asker, q: str, alpha: float, sites: int
) -> tuple[PairsAnswer | None, Problem | None]:
    """The answer, or why the question is none: the form stays there to be mended."""
    question = PairsQuestion(keywords_of(q), alpha=alpha, k=sites)
    try:
        return await asking.ask(pairs, question), None
    except (InputError, UnknownWord) as error:
        return None, problem_of(error)
