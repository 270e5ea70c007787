"""`/`: what this crawl is, and a box to ask in."""

from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pagekin.serve.answers.overview import Overview, overview
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter()


@router.get("/")
async def start(asking: Asking) -> HTMLResponse:
    """The first page."""
    found = await asking.ask(overview)
    report = asking.snapshot.report
    return render(
        "start.html",
        facts=list(_facts(found, report.classes if report else None)),
        sites=found.best_sites,
        pages=found.best_pages,
    )


def _facts(found: Overview, classes: int | None) -> Iterator[tuple[str, int]]:
    yield "pages crawled", found.pages
    yield "pages only linked to", found.linked
    yield "site" if found.sites == 1 else "sites", found.sites
    yield "links", found.links
    yield "terms", found.terms
    if classes:
        yield "classes", classes
