"""`/compare`: two pages side by side."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pagekin.opened import Index
from pagekin.serve.answers.compare import Comparison, compare
from pagekin.serve.answers.naming import meant
from pagekin.serve.pages.forms import Form
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter()


@router.get("/compare")
async def show(request: Request, asking: Asking) -> HTMLResponse:
    """The pages `a` and `b`, and their terms."""
    form = Form(request.query_params)
    a, b = form.text("a"), form.text("b")
    found = await asking.ask(_compared, a, b) if a and b else None
    most = _largest(found) if found else 1.0
    return render("compare.html", a=a, b=b, found=found, most=most)


def _compared(index: Index, a: str, b: str) -> Comparison:
    return compare(index, meant(index, a), meant(index, b))


def _largest(found: Comparison) -> float:
    """The largest share that is drawn: all bars are to its scale."""
    both = (*found.shared, *found.about)
    shared = [share for term in both for share in (term.one, term.other)]
    own = [term.share for term in (*found.own_one, *found.own_other)]
    return max([*shared, *own], default=0.0) or 1.0
