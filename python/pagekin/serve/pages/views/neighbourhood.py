"""`/map`: who is related to whom around a page."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pagekin.opened import Index
from pagekin.serve.answers.naming import meant
from pagekin.serve.answers.neighbourhood import Neighbourhood, neighbourhood
from pagekin.serve.pages.forms import Form, Wanted
from pagekin.serve.pages.rendering import render
from pagekin.serve.pages.rings import rings
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter()

CHOICES = (4, 6, 8, 10, 12)


@router.get("/map")
async def show(request: Request, asking: Asking) -> HTMLResponse:
    """The map around `url`."""
    form = Form(request.query_params)
    depth = asking.settings.limits.depth
    url, wanted = form.text("url"), Wanted.of(form, k=8, most=CHOICES[-1], depth=depth)
    found = await asking.ask(_around, url, wanted) if url else None
    return render(
        "map.html",
        url=found.pages[0].url if found else url,
        wanted=wanted,
        choices=CHOICES,
        found=found,
        drawn=rings(found) if found else None,
        akin=_akin(found) if found else [],
    )


def _around(index: Index, url: str, wanted: Wanted) -> Neighbourhood:
    return neighbourhood(index, meant(index, url), wanted.filters)


def _akin(found: Neighbourhood) -> list[list[tuple[int, float]]]:
    """For each page of the map those it is like, the most like first."""
    akin: list[list[tuple[int, float]]] = [[] for _ in found.pages]
    for kin in reversed(found.kin):
        akin[kin.one].append((kin.other, kin.score))
        akin[kin.other].append((kin.one, kin.score))
    return akin
