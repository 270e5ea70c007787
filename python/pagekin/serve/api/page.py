"""`/api/page`: what is known of one page."""

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from pagekin.serve.answers.page import PageAnswer, page
from pagekin.serve.api.parameters import Parameters, in_query, read_query
from pagekin.serve.api.shape import answered, responses
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter(tags=["pages"])


class Asked(Parameters):
    """Which page, and how much of it."""

    url: str = Field(description="a page of the crawl, or one that it links to")
    terms: int = Field(10, ge=0, description="how many terms")
    links: int = Field(5, ge=0, description="how many of the pages that link here")


@router.get(
    "/page",
    response_model=PageAnswer,
    responses=responses("get_page", "malformed_url", "unknown_page"),
    openapi_extra=in_query(Asked),
)
async def get_page(request: Request, asking: Asking) -> Response:
    """What the index knows of a URL: its origin, its heaviest terms, who links to it."""
    asked = read_query(request, Asked)
    asking.limit("terms", asked.terms, asking.settings.limits.k)
    asking.limit("links", asked.links, asking.settings.limits.k)
    return await answered(asking, page, asked.url, asked.terms, asked.links)
